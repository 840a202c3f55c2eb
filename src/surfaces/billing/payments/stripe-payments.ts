import type Stripe from 'stripe';
import { apiPlace } from '../../../platform/outbound/api-place.js';
import type { Invoice } from '../invoices/invoice-queries.js';
import type { PaymentNews, PaymentProvider, Payer, ReturnNews } from './payment-provider.js';

const centMicros = 10_000;
const toleranceSeconds = 300;

/**
 * Invoices are mailed by Stripe and paid on its page; credit is bought in its checkout. Loaded only
 * where it is used: the library is large.
 */
export async function createStripePayments(options: {
  secretKey: string;
  webhookSecret: string;
  apiUrl: string;
}): Promise<PaymentProvider> {
  const { default: StripeClient } = await import('stripe');
  const stripe = new StripeClient(options.secretKey, {
    maxNetworkRetries: 2,
    timeout: 20_000,
    telemetry: false,
    ...apiPlace(options.apiUrl),
  });

  return {
    name: 'stripe',
    collect: (invoice, payer) => collect(stripe, invoice, payer),
    async cancel(invoiceId, reference) {
      await stripe.invoices.voidInvoice(reference, {}, { idempotencyKey: `void-${invoiceId}` });
    },
    sellsCredit: true,
    sellCredit: (payer, amountMicros, sale) => sellCredit(stripe, payer, amountMicros, sale),
    async payerOf(payments) {
      const nobody = { advertiserId: null, customer: null };
      const named = (start: string): string | undefined =>
        payments.find((name) => name.startsWith(`stripe:${start}_`))?.slice('stripe:'.length);
      const [intent, charge] = [named('pi'), named('ch')];
      if (intent === undefined && charge === undefined) return nobody;
      try {
        const { metadata, customer } =
          intent === undefined
            ? await stripe.charges.retrieve(charge ?? '')
            : await stripe.paymentIntents.retrieve(intent);
        return {
          advertiserId: metadata['advertiser_id'] ?? null,
          customer: typeof customer === 'string' ? customer : (customer?.id ?? null),
        };
      } catch (error) {
        if (error instanceof StripeClient.errors.StripeInvalidRequestError) return nobody;
        throw error;
      }
    },
    readNews(body, signature, now) {
      if (options.webhookSecret === '') return null;
      let event: Stripe.Event;
      try {
        event = stripe.webhooks.constructEvent(
          body,
          signature,
          options.webhookSecret,
          toleranceSeconds,
          undefined,
          now,
        );
      } catch (error) {
        if (error instanceof StripeClient.errors.StripeSignatureVerificationError) return null;
        throw error;
      }
      return newsOf(event);
    },
  };
}

/** A mailed invoice with a page to pay it on; safe to repeat. */
async function collect(
  stripe: Stripe,
  invoice: Invoice,
  payer: Payer,
): Promise<{ reference: string; customer: string; paymentUrl: string | null }> {
  const customer = await customerOf(stripe, payer);
  const key = (step: string): { idempotencyKey: string } => ({
    idempotencyKey: `${step}-${invoice.id}`,
  });
  const draft = await stripe.invoices.create(
    {
      customer,
      currency: 'usd',
      collection_method: 'send_invoice',
      days_until_due: 14,
      auto_advance: true,
      metadata: { invoice_id: invoice.id },
    },
    key('invoice'),
  );
  await stripe.invoiceItems.create(
    {
      customer,
      invoice: draft.id,
      currency: 'usd',
      amount: invoice.dueMicros / centMicros,
      description: `Invoice ${invoice.number}, ${invoice.periodStart} to ${invoice.periodEnd}`,
    },
    key('item'),
  );
  const final = await stripe.invoices.finalizeInvoice(draft.id, {}, key('finalize'));
  return { reference: final.id, customer, paymentUrl: final.hosted_invoice_url ?? null };
}

async function customerOf(stripe: Stripe, payer: Payer): Promise<string> {
  if (payer.customer !== null) return payer.customer;
  const customer = await stripe.customers.create(
    { name: payer.name, email: payer.email, metadata: { advertiser_id: payer.advertiserId } },
    { idempotencyKey: `customer-${payer.advertiserId}` },
  );
  return customer.id;
}

async function sellCredit(
  stripe: Stripe,
  payer: Payer,
  amountMicros: number,
  { id, returnUrl }: { id: string; returnUrl: string },
): Promise<string | null> {
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      customer_email: payer.email,
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'usd',
            unit_amount: Math.round(amountMicros / centMicros),
            product_data: { name: 'Advertising credit' },
          },
        },
      ],
      metadata: { advertiser_id: payer.advertiserId },
      payment_intent_data: { metadata: { advertiser_id: payer.advertiserId } },
      success_url: returnUrl,
      cancel_url: returnUrl,
    },
    { idempotencyKey: `credit-${id}` },
  );
  return session.url;
}

function newsOf(event: Stripe.Event): PaymentNews {
  switch (event.type) {
    case 'invoice.paid':
      return newsOfPaid(event.data.object);
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return newsOfSale(event.data.object);
    case 'invoice.payment_failed':
    case 'invoice.overdue':
    case 'invoice.marked_uncollectible': {
      const id = event.data.object.metadata?.['invoice_id'];
      const reason = event.type === 'invoice.payment_failed' ? 'payment_failed' : 'overdue';
      return id === undefined
        ? { kind: 'other' }
        : { kind: 'invoice_missed', invoiceId: id, reason };
    }
    case 'charge.refunded': {
      const charge = event.data.object;
      if (charge.currency !== 'usd') return { kind: 'other' };
      return {
        kind: 'refunded',
        payments: namesIn(charge, ['id', 'payment_intent', 'invoice']),
        advertiserId: charge.metadata?.['advertiser_id'] ?? null,
        amountMicros: charge.amount_refunded * centMicros,
        reference: `stripe:refund:${charge.id}`,
      };
    }
    case 'charge.dispute.created':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed':
      return newsOfDispute(event.type, event.data.object);
    default:
      return { kind: 'other' };
  }
}

function newsOfPaid(invoice: Stripe.Invoice): PaymentNews {
  const id = invoice.metadata?.['invoice_id'];
  return id === undefined
    ? { kind: 'other' }
    : {
        kind: 'invoice_paid',
        invoiceId: id,
        amountMicros: invoice.amount_paid * centMicros,
        payments: namesIn(invoice, ['payment_intent', 'charge', 'id']),
      };
}

function newsOfSale(session: Stripe.Checkout.Session): PaymentNews {
  const advertiserId = session.metadata?.['advertiser_id'];
  if (advertiserId === undefined || session.payment_status !== 'paid' || session.currency !== 'usd')
    return { kind: 'other' };
  return {
    kind: 'credit_bought',
    advertiserId,
    amountMicros: (session.amount_total ?? 0) * centMicros,
    reference: `stripe:${session.id}`,
    payments: namesIn(session, ['payment_intent']),
  };
}

function newsOfDispute(type: string, dispute: Stripe.Dispute): PaymentNews {
  const kind = turnOf(type, dispute.status);
  if (dispute.currency !== 'usd' || kind === null) return { kind: 'other' };
  return {
    kind,
    payments: namesIn(dispute, ['charge', 'payment_intent']),
    advertiserId: dispute.metadata?.['advertiser_id'] ?? null,
    amountMicros: dispute.amount * centMicros,
    reference: `stripe:dispute:${dispute.id}`,
  };
}

/** What became of a dispute. A question of the bank (`warning_…`) takes no money. */
function turnOf(type: string, status?: string): ReturnNews['kind'] | null {
  if (type === 'charge.dispute.funds_withdrawn') return 'disputed';
  if (type === 'charge.dispute.funds_reinstated') return 'dispute_won';
  if (type === 'charge.dispute.created') {
    if (status === 'prevented') return null;
    return status?.startsWith('warning_') === true ? 'inquired' : 'disputed';
  }
  if (status === 'won') return 'dispute_won';
  if (status === 'lost') return 'dispute_lost';
  return status === 'warning_closed' ? 'inquiry_closed' : null;
}

/**
 * Names are given plainly or inside the thing they name, and differ between versions of the API.
 */
function namesIn(object: object, fields: readonly string[]): string[] {
  return fields.flatMap((field) => {
    const value: unknown = Reflect.get(object, field);
    const name: unknown =
      typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : value;
    return typeof name === 'string' && name !== '' ? [`stripe:${name}`] : [];
  });
}
