import { minorOfMicros } from '../../domain/commerce/price-text.js';
import { offerOf } from './product-page.js';
import type { ShopProduct } from './queries.js';
import { paymentHandlers, type StoreVersion } from './store-profile.js';
import { isRecord } from '../../domain/is-record.js';

/**
 * What lacks something is `requires_escalation`, and what it lacks the buyer's to give, although
 * `update_checkout` takes it: our API says of merchants that they answer so, and agents that follow
 * it can practise here. The protocol would let it be `incomplete`.
 */
export type CheckoutStatus =
  'requires_escalation' | 'ready_for_complete' | 'completed' | 'canceled';

export interface CheckoutLine {
  id: string;
  itemId: string;
  title: string;
  imageUrl: string;
  quantity: number;
  unitMinor: number;
}

/** What is stored of a checkout. Personal data goes away with the row after a day. */
export interface CheckoutState {
  currency: string;
  lines: CheckoutLine[];
  buyer: Record<string, unknown> | null;
  /** Where it goes. */
  destination: Record<string, unknown> | null;
  /** All that were offered; checkouts of earlier releases have only the one. */
  destinations?: Record<string, unknown>[];
  attribution: Record<string, string>;
  orderId: string | null;
}

/** What a caller did wrong, in words an agent can act on. */
export interface CheckoutProblem {
  code: string;
  path: string;
  content: string;
}

const mostLines = 50;
const mostDestinations = 20;

export type FindItem = (itemId: string) => Promise<ShopProduct | null>;

/**
 * Reads the checkout of a create or update call. An update replaces everything but the attribution,
 * which stays when it says nothing about it: who sent the buyer does not change with the cart.
 */
export async function readCheckout(
  input: unknown,
  find: FindItem,
  now: number,
  before: Pick<CheckoutState, 'attribution'> = { attribution: {} },
): Promise<{ state: CheckoutState; problems: CheckoutProblem[] }> {
  const given = isRecord(input) ? input : {};
  const lines: CheckoutLine[] = [];
  const lists = Array.isArray(given['line_items']) ? given['line_items'] : [];
  const asked = lists.slice(0, mostLines);
  const problems = countProblems(lists.length);
  let currency = typeof given['currency'] === 'string' ? given['currency'].toUpperCase() : null;
  for (const [at, line] of asked.entries()) {
    const path = `$.line_items[${at}]`;
    const quantity = isRecord(line) ? line['quantity'] : null;
    const itemId = isRecord(line) && isRecord(line['item']) ? line['item']['id'] : null;
    if (
      typeof itemId !== 'string' ||
      typeof quantity !== 'number' ||
      !Number.isInteger(quantity) ||
      quantity < 1 ||
      quantity > 99
    ) {
      problems.push({
        code: 'invalid',
        path,
        content: 'A line needs item.id and a quantity from 1 to 99',
      });
      continue;
    }
    const product = await find(itemId);
    const problem = problemWith(product, itemId, currency, path);
    if (problem !== null) problems.push(problem);
    if (product !== null && problem === null) {
      currency = product.currency;
      lines.push(lineOf(product, itemId, { at, quantity, now }));
    }
  }
  return {
    state: {
      currency: currency ?? 'USD',
      lines,
      buyer: isRecord(given['buyer']) ? given['buyer'] : null,
      ...deliveryIn(given['fulfillment']),
      attribution: isRecord(given['attribution'])
        ? attributionOf(given['attribution'])
        : before.attribution,
      orderId: null,
    },
    problems,
  };
}

function countProblems(count: number): CheckoutProblem[] {
  const path = '$.line_items';
  if (count === 0) return [{ code: 'missing', path, content: 'At least one line is needed' }];
  return count > mostLines
    ? [{ code: 'invalid', path, content: `At most ${mostLines} lines` }]
    : [];
}

function lineOf(
  product: ShopProduct,
  itemId: string,
  { at, quantity, now }: { at: number; quantity: number; now: number },
): CheckoutLine {
  const variant = product.variants.find((each) => each.id === itemId);
  const title = variant === undefined ? product.title : `${product.title}, ${variant.title}`;
  return {
    id: `line_${at + 1}`,
    itemId,
    title,
    imageUrl: product.imageUrl,
    quantity,
    unitMinor: minorOfMicros(offerOf(product, now).priceMicros, product.currency),
  };
}

function problemWith(
  product: ShopProduct | null,
  itemId: string,
  currency: string | null,
  path: string,
): CheckoutProblem | null {
  if (product === null)
    return {
      code: 'not_found',
      path: `${path}.item.id`,
      content: 'This shop has no such item',
    };
  const variant = product.variants.find((each) => each.id === itemId);
  if (!product.inStock || variant?.available === false)
    return {
      code: 'out_of_stock',
      path: `${path}.item.id`,
      content: 'The item is out of stock',
    };
  if (currency !== null && currency !== product.currency)
    return {
      code: 'invalid',
      path: '$.currency',
      content: `This shop sells in ${product.currency}`,
    };
  return null;
}

/** Only text is allowed in attribution; it goes back as it came. */
function attributionOf(value: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

/** The destinations of the first way that has some, and the one that was chosen or comes first. */
function deliveryIn(fulfillment: unknown): Pick<CheckoutState, 'destination' | 'destinations'> {
  const methods =
    isRecord(fulfillment) && Array.isArray(fulfillment['methods']) ? fulfillment['methods'] : [];
  for (const method of methods.filter(isRecord)) {
    const listed = Array.isArray(method['destinations']) ? method['destinations'] : [];
    // Whoever chooses among destinations names one by its id.
    const destinations = listed
      .filter(isRecord)
      .slice(0, mostDestinations)
      .map((destination, at) => ({
        ...destination,
        type: 'shipping_address',
        id: typeof destination['id'] === 'string' ? destination['id'] : `destination_${at + 1}`,
      }));
    const chosen = destinations.find(({ id }) => id === method['selected_destination_id']);
    const destination = chosen ?? destinations[0];
    if (destination !== undefined) return { destination, destinations };
  }
  return { destination: null, destinations: [] };
}

/** What is still to be supplied before the order can be placed. */
export function missingFacts({ buyer, destination }: CheckoutState): CheckoutProblem[] {
  const text = (from: Record<string, unknown> | null, name: string): boolean =>
    typeof from?.[name] === 'string' && from[name] !== '';
  return [
    ...(text(buyer, 'email')
      ? []
      : [
          {
            code: 'missing',
            path: '$.buyer.email',
            content: 'The buyer’s email address is needed',
          },
        ]),
    ...(text(destination, 'street_address') &&
    text(destination, 'postal_code') &&
    text(destination, 'address_country')
      ? []
      : [
          {
            code: 'missing',
            path: '$.fulfillment.methods[0].destinations[0]',
            content: 'A delivery address is needed',
          },
        ]),
  ];
}

const freeShippingFrom = 7500;
const shipping = 595;

const subtotalOf = ({ lines }: CheckoutState): number =>
  lines.reduce((sum, line) => sum + line.unitMinor * line.quantity, 0);
const deliveryOf = (state: CheckoutState): number =>
  subtotalOf(state) >= freeShippingFrom ? 0 : shipping;

export function totalsOf(
  state: CheckoutState,
): { type: string; display_text?: string; amount: number }[] {
  const { destination } = state;
  const subtotal = subtotalOf(state);
  const delivery = deliveryOf(state);
  return [
    { type: 'subtotal', amount: subtotal },
    ...(destination === null
      ? []
      : [{ type: 'fulfillment', display_text: 'Standard shipping', amount: delivery }]),
    { type: 'total', amount: subtotal + (destination === null ? 0 : delivery) },
  ];
}

/**
 * What an agent showed the buyer before the order, where it says so: another total or currency than
 * ours is not what the buyer agreed to.
 */
export function disagreements(
  given: Record<string, unknown>,
  state: CheckoutState,
): CheckoutProblem[] {
  const { currency, totals } = given;
  const own = totalsOf(state).find(({ type }) => type === 'total')?.amount;
  const told = Array.isArray(totals)
    ? totals.filter(isRecord).find(({ type }) => type === 'total')?.['amount']
    : undefined;
  return [
    ...(typeof currency === 'string' && currency.toUpperCase() !== state.currency
      ? [{ code: 'invalid', path: '$.currency', content: `The order is in ${state.currency}` }]
      : []),
    ...(told !== undefined && told !== own
      ? [
          {
            code: 'invalid',
            path: '$.totals',
            content: `The total is ${String(own)}, not what was sent; show it to the buyer again`,
          },
        ]
      : []),
  ];
}

/** How it gets there: one way, chosen already. */
function showFulfillment(state: CheckoutState): Record<string, unknown> {
  if (state.destination === null) return {};
  const lineIds = state.lines.map((line) => line.id);
  const standard = {
    id: 'standard',
    title: 'Standard shipping',
    totals: [{ type: 'total', amount: deliveryOf(state) }],
  };
  return {
    fulfillment: {
      methods: [
        {
          id: 'method_1',
          type: 'shipping',
          line_item_ids: lineIds,
          destinations: state.destinations ?? [state.destination],
          selected_destination_id: state.destination['id'],
          groups: [
            {
              id: 'group_1',
              line_item_ids: lineIds,
              selected_option_id: standard.id,
              options: [standard],
            },
          ],
        },
      ],
    },
  };
}

function showLines({ lines }: CheckoutState, origin: string): Record<string, unknown>[] {
  return lines.map((line) => ({
    id: line.id,
    quantity: line.quantity,
    item: {
      id: line.itemId,
      title: line.title,
      price: line.unitMinor,
      image_url: `${origin}${line.imageUrl}`,
    },
    totals: [
      { type: 'subtotal', amount: line.unitMinor * line.quantity },
      { type: 'total', amount: line.unitMinor * line.quantity },
    ],
  }));
}

/** The checkout as agents see it. */
export function showCheckout(
  id: string,
  status: CheckoutStatus,
  state: CheckoutState,
  { origin, version }: { origin: string; version: StoreVersion },
): Record<string, unknown> {
  const open = status === 'requires_escalation' || status === 'ready_for_complete';
  const messages =
    status === 'requires_escalation'
      ? missingFacts(state).map((problem) => ({
          type: 'error',
          severity: 'requires_buyer_input',
          ...problem,
        }))
      : [];
  return {
    ucp: {
      version,
      status: 'success',
      capabilities: {
        'dev.ucp.shopping.checkout': [{ version }],
        'dev.ucp.shopping.fulfillment': [{ version, extends: 'dev.ucp.shopping.checkout' }],
      },
      payment_handlers: paymentHandlers(version),
    },
    id,
    status,
    currency: state.currency,
    line_items: showLines(state, origin),
    ...(state.buyer === null ? {} : { buyer: state.buyer }),
    ...showFulfillment(state),
    totals: totalsOf(state),
    messages,
    links: ['privacy_policy', 'terms_of_service'].map((type) => ({
      type,
      url: `${origin}/demo-store`,
    })),
    attribution: state.attribution,
    ...(open
      ? {
          continue_url: `${origin}/demo-store/cart/${state.lines.map((line) => `${encodeURIComponent(line.itemId)}:${line.quantity}`).join(',')}`,
        }
      : {}),
    ...(state.orderId === null
      ? {}
      : {
          order: {
            id: state.orderId,
            permalink_url: `${origin}/demo-store/orders/${state.orderId}`,
          },
        }),
  };
}
