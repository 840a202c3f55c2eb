type Fields = Record<string, unknown>;

export interface Order {
  /** Under which names page or server may have told of it. */
  names: string[];
  isTest: boolean;
  isCancelled: boolean;
  /** As the conversion intake takes it. */
  event: Fields;
}

/** What takes an order back: a cancellation, or money returned. */
export interface Withdrawal {
  names: string[];
  /** The shop's own name of the refund: told twice, it counts once. */
  refundId: string | null;
  /** Null: all of it. */
  refundedMicros: number | null;
}

const clickNames = new Set(['grclid', 'click_id', 'click_id_value']);

/** An order of a hosted storefront as a purchase. Null when it is none. */
export function readOrder(payload: unknown, shopDomain: string, now: number): Order | null {
  const order = fields(payload);
  const id = idOf(order);
  if (id === null) return null;
  const at = Date.parse(text(order['processed_at']) ?? text(order['created_at']) ?? '');
  const landing = landingOf(order, shopDomain);
  return {
    names: namesOf(order, id),
    isTest: order['test'] === true,
    isCancelled: text(order['cancelled_at']) !== null,
    event: {
      event_name: 'Purchase',
      event_id: id,
      event_time: Math.floor((Number.isNaN(at) ? now : Math.min(at, now)) / 1000),
      action_source: 'website',
      event_source_url: landing?.href.slice(0, 4000) ?? null,
      user_data: buyerOf(order, landing),
      custom_data: {
        value: amount(order['total_price']),
        currency: text(order['currency']),
        order_id: id,
        contents: list(order['line_items']).slice(0, 100).map(itemOf),
      },
    },
  };
}

/**
 * An order that no longer stands, by its own notice (cancelled, updated) or by one of a refund.
 * Null when it still does.
 */
export function readWithdrawal(payload: unknown): Withdrawal | null {
  const notice = fields(payload);
  const refunded = text(notice['order_id']);
  if (refunded !== null) {
    const returned = list(notice['transactions']).filter(
      (one) => text(one['kind']) === 'refund' && (text(one['status']) ?? 'success') === 'success',
    );
    return {
      names: [refunded],
      refundId: text(notice['id']),
      refundedMicros: Math.round(
        returned.reduce((sum, one) => sum + (amount(one['amount']) ?? 0), 0) * 1_000_000,
      ),
    };
  }
  const id = idOf(notice);
  const isGone =
    text(notice['cancelled_at']) !== null ||
    ['refunded', 'voided'].includes(text(notice['financial_status']) ?? '');
  return id === null || !isGone
    ? null
    : { names: namesOf(notice, id), refundId: null, refundedMicros: null };
}

function idOf(order: Fields): string | null {
  return (
    text(order['id']) ?? /(?<!\d)\d+$/.exec(text(order['admin_graphql_api_id']) ?? '')?.[0] ?? null
  );
}

function namesOf(order: Fields, id: string): string[] {
  const name = text(order['name']);
  return [
    ...new Set(
      [id, name, name?.replace(/^#/, '') ?? null, text(order['order_number'])].filter(
        (one) => one !== null && one !== '',
      ),
    ),
  ].map(String);
}

function buyerOf(order: Fields, landing: URL | null): Fields {
  const customer = fields(order['customer']);
  const billing = fields(order['billing_address']);
  const notes = new Map(
    list(order['note_attributes']).map((note) => [
      text(note['name'])?.toLowerCase() ?? '',
      text(note['value']),
    ]),
  );
  const noted = (names: Iterable<string>): string | null =>
    [...names].map((name) => notes.get(name) ?? null).find((value) => value !== null) ?? null;
  const texts = (...values: unknown[]): string[] => [
    ...new Set(values.map(text).filter((value) => value !== null)),
  ];
  return {
    click_id: landing?.searchParams.get('grclid') ?? noted(clickNames),
    visitor_id: noted(['visitor_id', 'gr_visitor_id']),
    session_id: noted(['session_id', 'gr_session_id']),
    client_user_agent: text(fields(order['client_details'])['user_agent'])?.slice(0, 1000) ?? null,
    em: texts(order['email'], order['contact_email'], customer['email']),
    ph: texts(order['phone'], customer['phone'], billing['phone']),
    external_id: texts(customer['id']),
    fn: text(customer['first_name']),
    ln: text(customer['last_name']),
  };
}

function itemOf(item: Fields): Fields {
  return {
    id: text(item['variant_id']) ?? text(item['product_id']),
    title: text(item['title'])?.slice(0, 300) ?? null,
    quantity: amount(item['quantity']),
    item_price: amount(item['price']),
  };
}

/** Where the buyer arrived: it carries the click id of the ad. */
function landingOf(order: Fields, shopDomain: string): URL | null {
  const site = text(order['landing_site']);
  const base = `https://${shopDomain}`;
  return site !== null && URL.canParse(site, base) ? new URL(site, base) : null;
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

function text(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function amount(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}
