import type Stripe from 'stripe';
import { apiPlace } from '../../platform/outbound/api-place.js';
import { centMicros, type PayoutProvider, PayoutRefused } from './payout-provider.js';

/**
 * Publishers have Express accounts of their own at Stripe; payouts are transfers to them. Loaded
 * only where it is used: the library is large.
 */
export function createStripeConnect(options: {
  secretKey: string;
  apiUrl: string;
}): PayoutProvider {
  let opened: Promise<Stripe> | null = null;
  const open = async (): Promise<Stripe> => {
    const { default: StripeClient } = await import('stripe');
    return new StripeClient(options.secretKey, {
      maxNetworkRetries: 2,
      timeout: 20_000,
      telemetry: false,
      ...apiPlace(options.apiUrl),
    });
  };
  const client = (): Promise<Stripe> => (opened ??= open());
  return {
    name: 'stripe_connect',
    async open({ id, name }) {
      const account = await (
        await client()
      ).accounts.create(
        {
          type: 'express',
          business_profile: { name },
          capabilities: { transfers: { requested: true } },
          metadata: { publisher_id: id },
        },
        { idempotencyKey: `account-${id}` },
      );
      return account.id;
    },
    async onboard(reference, returnUrl) {
      const link = await (
        await client()
      ).accountLinks.create({
        account: reference,
        type: 'account_onboarding',
        return_url: returnUrl,
        refresh_url: returnUrl,
      });
      return link.url;
    },
    async look(reference) {
      const account = await (await client()).accounts.retrieve(reference);
      return {
        isReady: account.payouts_enabled,
        missing: account.requirements?.currently_due ?? [],
      };
    },
    send: async (payout, destination) => send(await client(), payout, destination),
  };
}

async function send(
  stripe: Stripe,
  { id, amountMicros, through, attempt }: Parameters<PayoutProvider['send']>[0],
  destination: string,
): Promise<string> {
  const group = `payout-${id}`;
  // Keys of repeated calls are forgotten after a day, groups are not; and a key that was
  // refused is refused again, so each try after a refusal has its own.
  const sent = await stripe.transfers.list({ transfer_group: group, limit: 1 });
  const [known] = sent.data;
  if (known !== undefined) return known.id;
  try {
    const transfer = await stripe.transfers.create(
      {
        amount: amountMicros / centMicros,
        currency: 'usd',
        destination,
        transfer_group: group,
        description: `Earnings until ${through}`,
        metadata: { payout_id: id },
      },
      { idempotencyKey: `${group}-${attempt}` },
    );
    return transfer.id;
  } catch (error) {
    // It was understood and refused; anything else may have been carried out.
    if (isRefusal(error)) throw new PayoutRefused(error.message, { cause: error });
    throw error;
  }
}

/** What the library says of a request that was understood and not carried out. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && 'type' in error && error.type === 'StripeInvalidRequestError';
}
