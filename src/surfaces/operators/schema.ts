import { type Static, Type } from '@sinclair/typebox';
import { fixedField } from '../../platform/http/fixed-field.js';

const atOpening = fixedField('Set when the account is opened');
/** What opening an account takes and editing it does not. */
const openedWith = {
  kind: atOpening,
  email: fixedField('A person’s: invite another one, and disable this one'),
  name: atOpening,
  url: atOpening,
  time_zone: atOpening,
  team_role: fixedField('A person’s: PATCH /operator/people/{id}'),
  invite: atOpening,
};

export const PublisherChange = Type.Object({
  status: Type.Optional(
    Type.Union([Type.Literal('pending'), Type.Literal('approved'), Type.Literal('blocked')]),
  ),
  native: Type.Optional(
    Type.Boolean({ description: 'An app or a terminal: beacons of HTTP libraries count' }),
  ),
  revenue_share_bps: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  ...openedWith,
  approved: fixedField('Send "status": "approved"'),
  billing_enabled: fixedField('Advertisers are billed, publishers are not'),
});
export type PublisherChange = Static<typeof PublisherChange>;

export const AdvertiserChange = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('blocked')])),
  billing_enabled: Type.Optional(Type.Boolean()),
  ...openedWith,
  approved: fixedField('Advertisers need no approval: send "status"'),
});
export type AdvertiserChange = Static<typeof AdvertiserChange>;

/** What an operator set, as it is stored. */
export const PublisherTerms = Type.Object({
  id: Type.String(),
  status: Type.String(),
  native: Type.Boolean(),
  revenue_share_bps: Type.Integer(),
});
export type PublisherTerms = Static<typeof PublisherTerms>;
export const AdvertiserTerms = Type.Object({
  id: Type.String(),
  status: Type.String(),
  billing_enabled: Type.Boolean(),
});
export type AdvertiserTerms = Static<typeof AdvertiserTerms>;

export const Refund = Type.Object({
  advertiser_id: Type.Optional(Type.String()),
  campaign_id: Type.Optional(Type.String()),
  publisher_id: Type.Optional(Type.String()),
  from: Type.String({ description: 'ISO 8601 instant, included' }),
  to: Type.String({ description: 'ISO 8601 instant, excluded' }),
  reason: Type.String({ minLength: 1, maxLength: 200 }),
});
export type Refund = Static<typeof Refund>;

export const SettingView = Type.Object({
  name: Type.String(),
  value: Type.String(),
  about: Type.String(),
  is_secret: Type.Boolean(),
  is_default: Type.Boolean(),
});
