import { type Static, Type } from '@sinclair/typebox';

const maybeText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const PayoutView = Type.Object({
  id: Type.String(),
  publisher_id: Type.String(),
  amount: Type.Number(),
  through: Type.String(),
  approved_at: Type.String(),
  reference: maybeText,
  method: Type.String({ description: '`manual`, or the provider that sends it' }),
  status: Type.String({
    description: '`paid`; `approved`: to be sent; `failed`: see `problem`; `void`: taken back',
  }),
  problem: maybeText,
});
export const Earnings = Type.Object({
  hold_days: Type.Integer(),
  earned: Type.Number(),
  held: Type.Number({ description: 'Not to be paid yet; `held_because` says why' }),
  payable: Type.Number(),
  paid: Type.Number(),
  balance: Type.Number({ description: 'Earned and not paid: held and payable together' }),
  held_because: Type.Array(
    Type.Object({
      reason: Type.String({
        description:
          '`recent`: inside `hold_days`. `told_by_pixel`: conversions only a pixel tells of, two weeks. `unproven`: the network’s purchases do not show yet that people stand behind the traffic. `undisclosed`: the label of its ads is rarely proven to be seen. `blocked`: the account is. `paid_and_taken_back`: set against what comes.',
      }),
      amount: Type.Number(),
    }),
  ),
  payouts: Type.Array(PayoutView),
});
export const NewPayout = Type.Object({
  publisher_id: Type.String(),
  reference: Type.Optional(Type.String({ maxLength: 200 })),
  unproven: Type.Optional(
    Type.Boolean({ description: 'Pay also what waits for evidence: you know the publisher' }),
  ),
  method: Type.Optional(
    Type.Unsafe<'manual' | 'provider'>({
      type: 'string',
      enum: ['manual', 'provider'],
      description:
        'Without it the provider sends the money where one is set and the publisher has an account there',
    }),
  ),
});
export type NewPayout = Static<typeof NewPayout>;

export const PayoutAccountView = Type.Object({
  provider: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Who sends payouts here; null: the operator, by hand',
  }),
  connected: Type.Boolean(),
  ready: Type.Boolean({ description: 'Whether money can be sent there now' }),
  missing: Type.Array(Type.String(), { description: 'What the provider still asks for' }),
});

export const StatementLine = Type.Object({
  date: Type.String(),
  what: Type.String({ description: '`earned` or `payout`' }),
  impressions: Type.Integer(),
  clicks: Type.Integer(),
  amount: Type.Number(),
  reference: maybeText,
});
export const StatementView = Type.Object({
  month: Type.String(),
  publisher: Type.String(),
  is_final: Type.Boolean({
    description: 'False while the month runs or its earnings can still be taken back',
  }),
  opening: Type.Number({ description: 'Earned and not paid when the month began' }),
  earned: Type.Number(),
  paid: Type.Number(),
  closing: Type.Number(),
  lines: Type.Array(StatementLine),
});
export const StatementList = Type.Object({
  statements: Type.Array(
    Type.Object({
      month: Type.String(),
      earned: Type.Number(),
      paid: Type.Number(),
      closing: Type.Number(),
      is_final: Type.Boolean(),
    }),
  ),
});
