import type { UcpVersion } from '../../domain/commerce/ucp-profile.js';

export const storeVersion: UcpVersion = '2026-04-08';
/** The only way to pay here. Its name says what it does. */
export const simulatedPayment = 'example.demo.simulated_payment';

/** What agents read at /.well-known/ucp before they buy. */
export function storeProfile(origin: string): Record<string, unknown> {
  const version = storeVersion;
  return {
    ucp: {
      version,
      services: {
        'dev.ucp.shopping': [
          {
            version,
            transport: 'mcp',
            endpoint: `${origin}/demo-store/mcp`,
            spec: `https://ucp.dev/${version}/specification/overview`,
            schema: `https://ucp.dev/${version}/services/shopping/mcp.openrpc.json`,
          },
        ],
      },
      capabilities: {
        'dev.ucp.shopping.checkout': [
          {
            version,
            spec: `https://ucp.dev/${version}/specification/checkout`,
            schema: `https://ucp.dev/${version}/schemas/shopping/checkout.json`,
          },
        ],
        'dev.ucp.shopping.fulfillment': [
          {
            version,
            spec: `https://ucp.dev/${version}/specification/fulfillment`,
            schema: `https://ucp.dev/${version}/schemas/shopping/fulfillment.json`,
            extends: 'dev.ucp.shopping.checkout',
          },
        ],
        'dev.ucp.shopping.catalog.search': [
          {
            version,
            spec: `https://ucp.dev/${version}/specification/catalog/search`,
            schema: `https://ucp.dev/${version}/schemas/shopping/catalog_search.json`,
          },
        ],
        'dev.ucp.shopping.catalog.lookup': [
          {
            version,
            spec: `https://ucp.dev/${version}/specification/catalog/lookup`,
            schema: `https://ucp.dev/${version}/schemas/shopping/catalog_lookup.json`,
          },
        ],
      },
      payment_handlers: paymentHandlers(),
    },
  };
}

export function paymentHandlers(): Record<string, unknown> {
  return {
    [simulatedPayment]: [
      {
        id: 'demo',
        version: storeVersion,
        config: {
          note: 'Simulated: no money moves. Any token works; the token "decline" is declined.',
        },
      },
    ],
  };
}
