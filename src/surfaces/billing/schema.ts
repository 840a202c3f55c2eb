import { type Static, Type } from '@sinclair/typebox';

const Instant = Type.Union([Type.String(), Type.Null()]);

export const BillingView = Type.Object({
  total_spend_dollars: Type.Number(),
  total_billed_dollars: Type.Number({
    description: 'On invoices, without what was refunded since',
  }),
  unbilled_dollars: Type.Number(),
  credits_dollars: Type.Number({ description: 'Credit that no invoice has used yet' }),
  billing_enabled: Type.Boolean(),
  credit_for_sale: Type.Boolean({
    description: 'Whether credit can be bought here; otherwise the operator grants it',
  }),
  last_spend_sync_at: Instant,
  last_billed_at: Instant,
});
export type BillingView = Static<typeof BillingView>;

export const EntryView = Type.Object({
  id: Type.String(),
  at: Type.String(),
  kind: Type.String({ description: 'credit, charge, payment, refund, adjustment or void' }),
  amount_dollars: Type.Number({ description: 'Positive in the advertiser’s favour' }),
  invoice_id: Type.Union([Type.String(), Type.Null()]),
  reverses: Type.Union([Type.String(), Type.Null()]),
  reason: Type.String(),
});
export type EntryView = Static<typeof EntryView>;

export const LedgerView = Type.Object({
  entries: Type.Array(EntryView),
  has_more: Type.Boolean(),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});

export const InvoiceView = Type.Object({
  id: Type.String(),
  number: Type.Integer(),
  status: Type.String({ description: 'open, paid or void' }),
  issued_at: Type.String(),
  paid_at: Instant,
  voided_at: Instant,
  period_start: Type.String(),
  period_end: Type.String(),
  currency: Type.String(),
  total_dollars: Type.Number({ description: 'What the lines add up to' }),
  credits_dollars: Type.Number({ description: 'Of that, paid by credit' }),
  rounding_dollars: Type.Number({ description: 'Of that, less than a cent and not charged' }),
  due_dollars: Type.Number({ description: 'The rest, in whole cents' }),
  due_note: Type.Union([Type.String(), Type.Null()], {
    description: 'Why less is due than the total, in words; null when all of it is',
  }),
  payment_url: Type.Union([Type.String(), Type.Null()]),
  pdf_url: Type.String(),
  lines: Type.Array(
    Type.Object({
      campaign_id: Type.String(),
      campaign_name: Type.String(),
      from: Type.String(),
      to: Type.String(),
      amount_dollars: Type.Number(),
    }),
  ),
});
export type InvoiceView = Static<typeof InvoiceView>;

export const InvoicesView = Type.Object({
  invoices: Type.Array(InvoiceView),
  has_more: Type.Boolean(),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});

export const OperatorInvoiceView = Type.Object({
  ...InvoiceView.properties,
  advertiser_id: Type.String(),
  advertiser_name: Type.String(),
});
export type OperatorInvoiceView = Static<typeof OperatorInvoiceView>;

export const OperatorInvoicesView = Type.Object({
  ...InvoicesView.properties,
  invoices: Type.Array(OperatorInvoiceView),
});

export const PageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String()),
});
export type PageQuery = Static<typeof PageQuery>;

export const OperatorInvoiceQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String()),
  status: Type.Optional(
    Type.Union([Type.Literal('open'), Type.Literal('paid'), Type.Literal('void')]),
  ),
  advertiser_id: Type.Optional(Type.String()),
});
export type OperatorInvoiceQuery = Static<typeof OperatorInvoiceQuery>;

const Reason = Type.String({ minLength: 1, maxLength: 500 });

export const CreditGrant = Type.Object({
  advertiser_id: Type.String(),
  amount_dollars: Type.Number({
    minimum: -1_000_000,
    maximum: 1_000_000,
    description: 'Negative takes unused credit away',
  }),
  reason: Reason,
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Grants with the same reference are made once',
    }),
  ),
});
export type CreditGrant = Static<typeof CreditGrant>;

export const CreditReversal = Type.Object({ reason: Reason });
export type CreditReversal = Static<typeof CreditReversal>;

export const PaidNote = Type.Object({ reason: Type.Optional(Reason) });
export type PaidNote = Static<typeof PaidNote>;

export const VoidNote = Type.Object({ reason: Reason });
export type VoidNote = Static<typeof VoidNote>;

export const RunRequest = Type.Object({ advertiser_id: Type.Optional(Type.String()) });
export type RunRequest = Static<typeof RunRequest>;

export const CreditPurchase = Type.Object({
  amount_dollars: Type.Number({ minimum: 5, maximum: 100_000 }),
});
export type CreditPurchase = Static<typeof CreditPurchase>;
