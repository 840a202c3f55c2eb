/**
 * What the tools of the demo shop take: agents compose their calls from these, and refuse by
 * themselves what is not in them.
 */
type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const open: Schema = { type: 'object', additionalProperties: true };

function object(properties: Record<string, Schema>, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required, additionalProperties: true };
}

function list(items: Schema, more: Schema = {}): Schema {
  return { type: 'array', items, ...more };
}

const meta = (needsKey: boolean): Schema =>
  object(
    {
      'ucp-agent': object({ profile: { type: 'string', format: 'uri' } }, ['profile']),
      'idempotency-key': { type: 'string', format: 'uuid' },
    },
    needsKey ? ['ucp-agent', 'idempotency-key'] : ['ucp-agent'],
  );

const amount: Schema = { type: 'integer', minimum: 0, description: 'In minor units' };
const searching = object({
  query: { type: 'string', description: 'Words a product must have' },
  filters: object({ price: object({ min: amount, max: amount }) }),
  pagination: object({ cursor: text, limit: { type: 'integer', minimum: 1, maximum: 100 } }),
  context: open,
  signals: open,
});
const byIds = object({ ids: list(text, { minItems: 1, maxItems: 50 }), context: open }, ['ids']);
const byId = object({ id: text, selected: list(open), preferences: list(text), context: open }, [
  'id',
]);

export const catalogSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries({ search_catalog: searching, lookup_catalog: byIds, get_product: byId }).map(
    ([name, catalog]) => [name, object({ meta: meta(false), catalog }, ['meta', 'catalog'])],
  ),
);

const address = object({
  id: text,
  type: text,
  first_name: text,
  last_name: text,
  street_address: text,
  address_locality: text,
  address_region: text,
  postal_code: text,
  address_country: { type: 'string', description: 'Two letters' },
});
const group = object({ id: text, selected_option_id: text });
const method = object({
  id: text,
  type: { type: 'string', enum: ['shipping'] },
  line_item_ids: list(text),
  destinations: list(address),
  selected_destination_id: text,
  groups: list(group),
});
const line = object(
  {
    id: text,
    item: object({ id: text }, ['id']),
    quantity: { type: 'integer', minimum: 1, maximum: 99 },
  },
  ['item', 'quantity'],
);
const instrument = object({
  id: text,
  handler_id: text,
  type: text,
  selected: { type: 'boolean' },
  credential: open,
  billing_address: open,
});
const contents: Record<string, Schema> = {
  line_items: list(line, { minItems: 1, maxItems: 50 }),
  currency: text,
  buyer: object({ email: text, first_name: text, last_name: text, phone_number: text }),
  fulfillment: object({ methods: list(method) }),
  payment: object({ instruments: list(instrument) }),
  attribution: { type: 'object', additionalProperties: { type: 'string' } },
  context: open,
  signals: open,
};
const cart = object(contents, ['line_items']);

export const checkoutSchemas: Readonly<Record<string, Schema>> = {
  create_checkout: object({ meta: meta(false), checkout: cart }, ['meta', 'checkout']),
  get_checkout: object({ meta: meta(false), id: text }, ['meta', 'id']),
  update_checkout: object({ meta: meta(false), id: text, checkout: cart }, [
    'meta',
    'id',
    'checkout',
  ]),
  complete_checkout: object({ meta: meta(true), id: text, checkout: object(contents) }, [
    'meta',
    'id',
    'checkout',
  ]),
  cancel_checkout: object({ meta: meta(true), id: text }, ['meta', 'id']),
};
