import type { FastifyInstance } from 'fastify';
import { minorDigits } from '../../domain/commerce/price-text.js';
import { demoLanding } from '../../domain/demo-site.js';
import { storableJson } from '../../domain/text/storable-json.js';
import { AppError } from '../../platform/errors.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { callCatalogTool, catalogTools } from './catalog-tools.js';
import {
  callCheckoutTool,
  checkoutTools,
  ProtocolRefusal,
  type StoreDeps,
} from './checkout-tools.js';
import { escaped, offerOf, page, productPage } from './product-page.js';
import { landingPage } from './landing-page.js';
import { productTile } from './product-tile.js';
import {
  deleteCheckoutsBefore,
  findDemoOffer,
  findItem,
  findOrder,
  findProduct,
  findStoreProduct,
  listProducts,
  listShops,
  type ShopProduct,
} from './queries.js';
import { profilePath, storeEndpoints, storeProfile, storeVersions } from './store-profile.js';
import { isRecord } from '../../domain/is-record.js';

type ShopDeps = Omit<StoreDeps, 'version'>;

/**
 * Made-up shops that behave like real ones: pages with facts, pictures, and for one of them an
 * agent checkout over MCP. Owns demo_checkouts; reads merchants and products.
 */
export function demoStorefrontRoutes(app: FastifyInstance, deps: ShopDeps): void {
  productPages(app, deps);
  productListRoutes(app, deps);
  checkoutProtocolRoutes(app, deps);
  cartRoutes(app, deps);
}

function productPages(app: FastifyInstance, deps: ShopDeps): void {
  app.get('/demo-store', hidden, async (_request, reply) => {
    const shops = await listShops(deps.db);
    const list = shops
      .map((shop) => `<li>${escaped(shop.name)}: ${shop.products} products</li>`)
      .join('');
    return reply
      .type('text/html; charset=utf-8')
      .send(page('Demo shops', `<h1>Demo shops</h1><ul>${list}</ul>`));
  });

  app.get<{ Params: { shop: string; handle: string } }>(
    '/demo-store/:shop/products/:handle',
    hidden,
    async (request, reply) => {
      const product = await findProduct(deps.db, request.params.shop, request.params.handle);
      if (product === null) throw new AppError('not_found');
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(productPage(product, deps.origin(), deps.clock()));
    },
  );

  app.get<{ Params: { handle: string } }>(
    '/demo-store/products/:handle',
    hidden,
    async (request, reply) => {
      const product = await findStoreProduct(deps.db, request.params.handle);
      if (product === null) throw new AppError('not_found');
      return reply.redirect(product.pageUrl, 302);
    },
  );

  app.get('/demo-store/meta.json', hidden, async () => {
    const [product] = await listProducts(deps.db, 1, 1);
    if (product === undefined) throw new AppError('not_found');
    return { name: product.merchantName, currency: product.currency };
  });

  app.get<{ Params: { shop: string; file: string } }>(
    '/demo-store/images/:shop/:file',
    { ...hidden, config: { quiet: true } },
    async (request, reply) => {
      const product = await findProduct(
        deps.db,
        request.params.shop,
        request.params.file.replace(/\.png$/, ''),
      );
      if (product === null) throw new AppError('not_found');
      return reply
        .type('image/png')
        .header('cache-control', 'public, max-age=86400')
        .send(productTile(product));
    },
  );
}

function productListRoutes(app: FastifyInstance, deps: ShopDeps): void {
  app.get<{ Querystring: { limit?: string; page?: string } }>(
    '/demo-store/products.json',
    hidden,
    async (request) => {
      const limit = Math.min(250, Math.max(1, Number(request.query.limit ?? 30) || 30));
      const products = await listProducts(
        deps.db,
        limit,
        Math.max(1, Number(request.query.page ?? 1) || 1),
      );
      return { products: products.map((product) => listing(product, deps.origin(), deps.clock())) };
    },
  );

  app.get<{ Params: { site: string }; Querystring: Record<string, string> }>(
    '/demo-sites/:site',
    hidden,
    async (request, reply) => {
      const offer = await findDemoOffer(deps.db, demoLanding(request.params.site));
      if (offer === null) throw new AppError('not_found');
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .send(landingPage(offer, brought(request.query), '/app/playground'));
    },
  );
}

function checkoutProtocolRoutes(app: FastifyInstance, deps: ShopDeps): void {
  // Agents look for the profile at the root of the origin a product's page has.
  for (const version of storeVersions)
    for (const root of ['', '/demo-store'])
      app.get(
        `${root}${profilePath(version)}`,
        { ...hidden, config: { quiet: true } },
        async (_request, reply) => {
          if ((await listProducts(deps.db, 1, 1)).length === 0) throw new AppError('not_found');
          void reply
            .header('cache-control', 'public, max-age=300')
            .header('access-control-allow-origin', '*');
          return storeProfile(deps.origin(), version);
        },
      );

  app.get<{ Params: { order: string } }>(
    '/demo-store/orders/:order',
    hidden,
    async (request, reply) => {
      const lines = await findOrder(deps.db, request.params.order);
      if (lines === null) throw new AppError('not_found');
      const list = lines.map(({ title, quantity }) => `<li>${quantity} × ${escaped(title)}</li>`);
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(
          page(
            'Order',
            `<h1>Order ${escaped(request.params.order)}</h1><ul>${list.join('')}</ul><p>Placed by an agent. The payment was simulated: nothing will be sent.</p>`,
          ),
        );
    },
  );

  // The other shops have none. Each is asked when demo data is made and every day after: an
  // expected answer, not worth a line in the log.
  app.get('/demo-store/:shop/.well-known/ucp', { ...hidden, config: { quiet: true } }, () =>
    Promise.reject(new AppError('not_found')),
  );
}

function cartRoutes(app: FastifyInstance, deps: ShopDeps): void {
  app.get<{ Params: { '*': string } }>('/demo-store/cart/*', hidden, async (request, reply) => {
    const lines = request.params['*'].split(',').map((line) => /^(.*?)(?::(\d+))?$/.exec(line));
    const items = await Promise.all(lines.map((line) => findItem(deps.db, line?.[1] ?? '')));
    const list = items
      .map((item, at) =>
        item === null
          ? ''
          : `<li>${lines[at]?.[2] ?? 1} × <a href="${escaped(item.pageUrl)}">${escaped(item.title)}</a></li>`,
      )
      .join('');
    if (list === '') throw new AppError('not_found');
    return reply
      .type('text/html; charset=utf-8')
      .send(
        page(
          'Cart',
          `<h1>Your cart</h1><ul>${list}</ul><p>A real shop would ask for your address and payment here.</p>`,
        ),
      );
  });

  for (const version of storeVersions)
    app.post(storeEndpoints[version], hidden, async (request, reply) => {
      const answer = await answerMessage({ ...deps, version }, request.body);
      return answer === null ? reply.code(202).send() : reply.send(answer);
    });
}

const hidden = { schema: { hide: true } };

export function demoStorefrontJobs({
  db,
  clock,
  jobs,
}: Pick<StoreDeps, 'db' | 'clock'> & { jobs: JobQueue }): void {
  jobs.every('forget-demo-checkouts', 3_600_000, () =>
    deleteCheckoutsBefore(db, new Date(clock() - 86_400_000)),
  );
}

/** One JSON-RPC message of the stateless kind; null for a notification. */
async function answerMessage(
  deps: StoreDeps,
  body: unknown,
): Promise<Record<string, unknown> | null> {
  const message = isRecord(body) ? body : {};
  const id =
    typeof message['id'] === 'string' || typeof message['id'] === 'number' ? message['id'] : null;
  const reply = (part: Record<string, unknown>): Record<string, unknown> => ({
    jsonrpc: '2.0',
    id,
    ...part,
  });
  const params = isRecord(message['params']) ? message['params'] : {};
  switch (message['method']) {
    case 'initialize':
      return reply({
        result: {
          protocolVersion:
            typeof params['protocolVersion'] === 'string'
              ? params['protocolVersion']
              : '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'demo-store', version: '1' },
        },
      });
    case 'ping':
      return reply({ result: {} });
    case 'tools/list':
      return reply({ result: { tools: [...catalogTools, ...checkoutTools] } });
    case 'tools/call':
      try {
        const result = await callTool(deps, String(params['name']), params['arguments']);
        const failed = isRecord(result['ucp']) && result['ucp']['status'] === 'error';
        return reply({
          result: {
            content: [{ type: 'text', text: JSON.stringify(result) }],
            structuredContent: result,
            ...(failed ? { isError: true } : {}),
          },
        });
      } catch (error) {
        if (!(error instanceof ProtocolRefusal)) throw error;
        return reply({
          error: { code: error.code, message: error.message, data: { code: error.reason } },
        });
      }
    default:
      if (id === null && typeof message['method'] === 'string') return null;
      return reply({
        error:
          typeof message['method'] === 'string'
            ? { code: -32601, message: 'there is no such method' }
            : { code: -32600, message: 'not a JSON-RPC request' },
      });
  }
}

function callTool(deps: StoreDeps, name: string, given: unknown): Promise<Record<string, unknown>> {
  // Characters the database refuses are dropped.
  const stored = storableJson(given ?? {});
  const args = isRecord(stored) ? stored : {};
  return catalogTools.some((tool) => tool.name === name)
    ? callCatalogTool(deps, name, args)
    : callCheckoutTool(deps, name, args);
}

/** A product as hosted storefronts list it: amounts as text, no currency. */
function listing(product: ShopProduct, origin: string, now: number): Record<string, unknown> {
  const offer = offerOf(product, now);
  const amount = (micros: number): string =>
    (micros / 1_000_000).toFixed(minorDigits(product.currency));
  const variants =
    product.variants.length > 0
      ? product.variants
      : [
          {
            id: product.checkoutItemId ?? product.externalId,
            title: 'Default Title',
            available: product.inStock,
          },
        ];
  return {
    id: product.externalId,
    title: product.title,
    handle: product.externalId,
    body_html: `<p>${escaped(product.description)}</p>`,
    vendor: product.brand,
    product_type: product.category ?? '',
    tags: [],
    options: [{ name: 'Size', position: 1 }],
    variants: variants.map((variant) => ({
      id: variant.id,
      title: variant.title,
      option1: variant.title,
      price: amount(offer.priceMicros),
      compare_at_price:
        offer.onSale && offer.regularPriceMicros !== null ? amount(offer.regularPriceMicros) : null,
      available: variant.available,
    })),
    images: [{ src: `${origin}${product.imageUrl}`, position: 1 }],
  };
}

/** What the redirect adds, and nothing else somebody may write into an address. */
function brought(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const wanted = ['utm_source', 'utm_medium', 'utm_campaign', 'grclid'];
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const value = query[name];
      return typeof value === 'string' ? [[name, value.slice(0, 200)]] : [];
    }),
  );
}
