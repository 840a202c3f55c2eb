import { type Static, Type } from '@sinclair/typebox';

const text = Type.Union([Type.String({ maxLength: 500 }), Type.Null()]);

export const Feedback = Type.Object({
  sessionId: Type.String({ minLength: 1, maxLength: 500 }),
  impUrl: Type.String({ minLength: 1, maxLength: 4000 }),
  sentiment: Type.Union([Type.Literal('thumbs_up'), Type.Literal('thumbs_down')]),
  reasons: Type.Optional(
    Type.Union([Type.Array(Type.String({ maxLength: 200 }), { maxItems: 50 }), Type.Null()]),
  ),
  comment: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
  placement: Type.Optional(text),
  placementId: Type.Optional(text),
  userId: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Number(), Type.Null()])),
  device: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
});
export type Feedback = Static<typeof Feedback>;

export const FeedbackAnswer = Type.Object({
  status: Type.Literal('ok'),
  feedbackId: Type.String(),
});
