import type { Invoice } from './invoice-queries.js';

export interface Payer {
  advertiserId: string;
  name: string;
  email: string;
  /** The provider's own name for it, once it has one. */
  customer: string | null;
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
  | {
      /** `refunded`: as much as was given back so far. */
      kind: 'refunded' | 'disputed' | 'dispute_won';
      /** The names the payment goes by. */
      payments: readonly string[];
      /** Where the payment itself says whose it is. */
      advertiserId: string | null;
      amountMicros: number;
      reference: string;
    }
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
  /** Where an advertiser buys credit; null when only the operator grants it. */
  sellCredit(
    payer: Payer,
    amountMicros: number,
    purchase: { id: string; returnUrl: string },
  ): Promise<string | null>;
  /** Null when the signature is wrong, or nobody could have signed. */
  readNews(body: Buffer, signature: string, now: number): PaymentNews | null;
}

/** Credit is granted and invoices are marked as paid by the operator. */
export function createManualPayments(): PaymentProvider {
  return {
    name: 'manual',
    collect: async () => null,
    cancel: async () => undefined,
    sellCredit: async () => null,
    readNews: () => null,
  };
}
