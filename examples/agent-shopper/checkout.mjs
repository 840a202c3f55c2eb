// The agent's side of a merchant's checkout: JSON-RPC to the merchant itself, the network is not in between.
import { randomUUID } from 'node:crypto';

/** Calls one checkout tool; throws when the merchant refuses, so that the caller can fall back to the tracked link. */
async function callMerchant(endpoint, name, args) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: randomUUID(),
      method: 'tools/call',
      params: { name, arguments: args },
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(15_000),
  });
  if (!response.ok) throw new Error(`the merchant answered ${response.status}`);
  const message = readMessage(await response.text(), response.headers.get('content-type') ?? '');
  if (message.error !== undefined) throw new Error(message.error.message ?? 'the merchant refused');
  const result = message.result ?? {};
  const checkout =
    result.structuredContent ??
    JSON.parse(result.content?.find((part) => part.type === 'text')?.text ?? 'null');
  if (result.isError === true || checkout === null || checkout.ucp?.status === 'error')
    throw new Error('the merchant could not do that');
  return checkout.checkout ?? checkout;
}

/** Merchants answer as JSON or as an event stream; in a stream the last message is the answer. */
function readMessage(text, type) {
  if (!type.includes('text/event-stream')) return JSON.parse(text);
  const data = text
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join(''),
    )
    .filter((one) => one !== '');
  return JSON.parse(data.at(-1) ?? 'null');
}

const metaOf = (offer) => ({ 'ucp-agent': { profile: offer.agent_profile } });

export function createCheckout(product) {
  const offer = product.checkout;
  const lineItems = [{ quantity: 1, item: { id: offer.item_id } }];
  // Exactly as it came: this is how the merchant knows whom to thank.
  return callMerchant(offer.endpoint, 'create_checkout', {
    meta: metaOf(offer),
    checkout: { currency: product.currency, line_items: lineItems, attribution: offer.attribution },
  });
}

/** An update replaces the whole checkout, so everything goes along again. */
export function updateCheckout(product, checkout, { buyer, address }) {
  const offer = product.checkout;
  const full = {
    currency: product.currency,
    line_items: (checkout.line_items ?? []).map((line) => ({
      ...(line.id === undefined ? {} : { id: line.id }),
      quantity: line.quantity,
      item: { id: line.item.id },
    })),
    attribution: offer.attribution,
    buyer,
    fulfillment: { methods: [{ type: 'shipping', destinations: [address] }] },
  };
  return callMerchant(offer.endpoint, 'update_checkout', {
    meta: metaOf(offer),
    id: checkout.id,
    checkout: full,
  });
}

/** Charges the buyer. Call it only after the person has said yes to this total. */
export function completeCheckout(product, checkout, payment) {
  const meta = { ...metaOf(product.checkout), 'idempotency-key': randomUUID() };
  return callMerchant(product.checkout.endpoint, 'complete_checkout', {
    meta,
    id: checkout.id,
    checkout: { payment },
  });
}

/** Amounts are in the currency's smallest unit. */
export function totalOf(checkout) {
  const total = checkout.totals?.find((one) => one.type === 'total')?.amount;
  if (typeof total !== 'number') return 'an unknown amount';
  const digits = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: checkout.currency,
  }).resolvedOptions().maximumFractionDigits;
  return new Intl.NumberFormat('en', { style: 'currency', currency: checkout.currency }).format(
    total / 10 ** digits,
  );
}
