import { specPages, type UcpVersion } from '../../domain/commerce/ucp-profile.js';

/** Releases this shop speaks, newest first: an agent speaks exactly one, and asks for that. */
export const storeVersions = ['2026-08-25', '2026-04-08'] as const satisfies readonly UcpVersion[];
export type StoreVersion = (typeof storeVersions)[number];
const [newest] = storeVersions;
/** The only way to pay here. Its name says what it does. */
export const simulatedPayment = 'example.demo.simulated_payment';

/** Each release has an endpoint of its own, so that every answer is of the release asked for. */
export const storeEndpoints: Readonly<Record<StoreVersion, string>> = {
  '2026-08-25': '/demo-store/2026-08-25/mcp',
  '2026-04-08': '/demo-store/mcp',
};

/** Where the profile of a release lies below a root; the newest is the one agents look for. */
export function profilePath(version: StoreVersion): string {
  return version === newest ? '/.well-known/ucp' : `/.well-known/ucp/${version}`;
}

/** What agents read at /.well-known/ucp before they buy. */
export function storeProfile(
  origin: string,
  version: StoreVersion = newest,
): Record<string, unknown> {
  const others = storeVersions.filter((each) => each !== newest);
  const pages = specPages(version);
  const entry = (page: string, schema: string, more = {}): Record<string, unknown>[] => [
    {
      version,
      spec: `https://ucp.dev/${version}/specification/${page}`,
      schema: `https://ucp.dev/${version}/schemas/shopping/${schema}.json`,
      ...more,
    },
  ];
  return {
    ucp: {
      version,
      ...(version === newest
        ? {
            supported_versions: Object.fromEntries(
              others.map((each) => [each, `${origin}/demo-store${profilePath(each)}`]),
            ),
          }
        : {}),
      services: {
        'dev.ucp.shopping': [
          {
            version,
            transport: 'mcp',
            endpoint: `${origin}${storeEndpoints[version]}`,
            spec: `https://ucp.dev/${version}/specification/overview`,
            schema: `https://ucp.dev/${version}/services/shopping/mcp.openrpc.json`,
          },
        ],
      },
      capabilities: {
        'dev.ucp.shopping.checkout': entry(pages.checkout, 'checkout'),
        'dev.ucp.shopping.fulfillment': entry(pages.fulfillment, 'fulfillment', {
          extends: 'dev.ucp.shopping.checkout',
        }),
        'dev.ucp.shopping.catalog.search': entry(`${pages.catalog}/search`, 'catalog_search'),
        'dev.ucp.shopping.catalog.lookup': entry(`${pages.catalog}/lookup`, 'catalog_lookup'),
      },
      payment_handlers: paymentHandlers(version),
    },
  };
}

export function paymentHandlers(version: StoreVersion): Record<string, unknown> {
  return {
    [simulatedPayment]: [
      {
        id: 'demo',
        version,
        available_instruments: [{ type: 'card' }],
        config: {
          note: 'Simulated: no money moves. Any token works; the token "decline" is declined.',
        },
      },
    ],
  };
}
