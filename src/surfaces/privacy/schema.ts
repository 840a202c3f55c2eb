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

export const OptOutAnswer = Type.Object({ status: Type.Literal('ok') });
