import { type Static, Type } from '@sinclair/typebox';

export const LeadSubmission = Type.Object({
  sessionId: Type.String({ minLength: 1, maxLength: 500 }),
  impUrl: Type.String({ minLength: 1, maxLength: 4000 }),
  fields: Type.Record(Type.String({ maxLength: 200 }), Type.Union([Type.String({ maxLength: 5000 }), Type.Boolean()])),
  consent: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  placement: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  placementId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  userId: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  device: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
});
export type LeadSubmission = Static<typeof LeadSubmission>;

export const LeadAnswer = Type.Object({ status: Type.Literal('ok'), leadId: Type.String() });
