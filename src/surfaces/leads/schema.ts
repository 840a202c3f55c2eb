import { type Static, Type } from '@sinclair/typebox';

export const LeadSubmission = Type.Object({
  sessionId: Type.String({ minLength: 1, maxLength: 500 }),
  impUrl: Type.String({ minLength: 1, maxLength: 4000 }),
  fields: Type.Record(
    Type.String({ maxLength: 200 }),
    Type.Union([Type.String({ maxLength: 5000 }), Type.Boolean()]),
  ),
  consent: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  placement: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  placementId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  userId: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  device: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
});
export type LeadSubmission = Static<typeof LeadSubmission>;

export const LeadAnswer = Type.Object({ status: Type.Literal('ok'), leadId: Type.String() });

export const LeadList = Type.Object({
  leads: Type.Array(
    Type.Object({
      lead_id: Type.String(),
      campaign_id: Type.String(),
      campaign_name: Type.String(),
      ad_id: Type.String(),
      submitted_at: Type.String(),
      consent: Type.Union([Type.Boolean(), Type.Null()]),
      fields: Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()]), {
        description: 'What was answered, by the names of the form’s fields',
      }),
    }),
  ),
  has_more: Type.Boolean(),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export type LeadList = Static<typeof LeadList>;
