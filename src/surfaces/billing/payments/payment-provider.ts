import type { Invoice } from '../invoices/invoice-queries.js';

export interface Payer {
  advertiserId: string;
  name: string;
  email: string;
  /** The provider's own name for it, once it has one. */
  customer: string | null;
}

/** Money that left again, or may. */
export interface ReturnNews {
  /**
   * `refunded`: as much as was given back so far. `inquired`: the payer's bank asks, and took
   * nothing yet.
   */
  kind: 'refunded' | 'inquired' | 'inquiry_closed' | 'disputed' | 'dispute_won' | 'dispute_lost';
  /** The names the payment goes by. */
  payments: readonly string[];
  /** Where the payment itself says whose it is. */
  advertiserId: string | null;
  amountMicros: number;
  reference: string;
}

/** What a provider's webhook says happened. */
export type PaymentNews =
  | { kind: 'invoice_paid'; invoiceId: string; amountMicros: number; payments: readonly string[] }
  | { kind: 'invoice_missed'; invoiceId: string; reason: 'payment_failed' | 'overdue' }
  | {
      kind: 'credit_bought';
      advertiserId: string;
      amountMicros: number;
      reference: string;
      payments: readonly string[];
    }
  | ReturnNews
  | { kind: 'other' };

/** Who brings the money in. */
export interface PaymentProvider {
  readonly name: string;
  /** Asks for the amount due. Safe to repeat. */
  collect(
    invoice: Invoice,
    payer: Payer,
  ): Promise<{ reference: string; customer: string | null; paymentUrl: string | null } | null>;
  /** Asks no longer. Safe to repeat. */
  cancel(invoiceId: string, reference: string): Promise<void>;
  /** Whether advertisers can buy credit; otherwise the operator grants it. */
  readonly sellsCredit: boolean;
  /** Where an advertiser buys credit; null when only the operator grants it. */
  sellCredit(
    payer: Payer,
    amountMicros: number,
    purchase: { id: string; returnUrl: string },
  ): Promise<string | null>;
  /** Whose a payment is that goes by these names; nulls when it is none of ours. */
  payerOf(
    payments: readonly string[],
  ): Promise<{ advertiserId: string | null; customer: string | null }>;
  /** Null when the signature is wrong, or no webhook secret is set to check it with. */
  readNews(body: Buffer, signature: string, now: number): PaymentNews | null;
}

/** Credit is granted and invoices are marked as paid by the operator. */
export function createManualPayments(): PaymentProvider {
  return {
    name: 'manual',
    collect: async () => null,
    cancel: async () => undefined,
    sellsCredit: false,
    sellCredit: async () => null,
    payerOf: async () => ({ advertiserId: null, customer: null }),
    readNews: () => null,
  };
}
