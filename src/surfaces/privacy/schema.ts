import { type Static, Type } from '@sinclair/typebox';

const id = Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()]));
const list = Type.Optional(
  Type.Union([
    Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100 }),
    Type.String({ maxLength: 1000 }),
    Type.Null(),
  ]),
);

const identities = { visitor_id: id, em: list, ph: list, external_id: list };

/**
 * From a page: `pixel_id` and `visitor_id`. From an advertiser's server, with its key: any of the
 * identities, plain or hashed.
 */
export const OptOut = Type.Object({
  pixel_id: id,
  ...identities,
  user_data: Type.Optional(Type.Object(identities)),
});
export type OptOut = Static<typeof OptOut>;
export type Identities = Pick<OptOut, 'visitor_id' | 'em' | 'ph' | 'external_id'>;

/** Somebody, by whatever names whoever asks knows them. */
export const PrivacyRequest = Type.Object({
  kind: Type.Union([Type.Literal('erase'), Type.Literal('access')], {
    description: 'Erase what is kept, or show it',
  }),
  ...identities,
  user_id: list,
  session_id: list,
  publisher_id: id,
  advertiser_id: id,
});
export type PrivacyRequest = Static<typeof PrivacyRequest>;

const receipt = {
  receipt_id: Type.String(),
  kind: Type.String(),
  at: Type.String(),
  asked_by: Type.String(),
  account_id: Type.Union([Type.String(), Type.Null()]),
  subject: Type.String({ description: 'A keyed hash of whom it was about' }),
  found: Type.Record(Type.String(), Type.Integer(), { description: 'What there was, by kind' }),
};
export const PrivacyReceipt = Type.Object({
  ...receipt,
  data: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.Unknown()), {
      description: 'What is kept, with `access`; at most 1,000 of a kind',
    }),
  ),
});
export const PrivacyReceipts = Type.Object({ requests: Type.Array(Type.Object(receipt)) });

export const UserChoice = Type.Object({
  user_id: list,
  session_id: list,
  personalisation: Type.Boolean({ description: 'false: ads by the conversation alone' }),
});
export type UserChoice = Static<typeof UserChoice>;

export const OptOutAnswer = Type.Object({ status: Type.Literal('ok') });
