// An agent that buys: finds a product over MCP, opens a checkout at the merchant, asks the person, then pays.
// Usage: node shop.mjs "a tent for two" [--max 200] [--yes]
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import { readDemo } from '../read-demo.mjs';
import { completeCheckout, createCheckout, totalOf, updateCheckout } from './checkout.mjs';

export async function search({ baseUrl, apiKey }, query, limits = {}) {
  const client = new Client({ name: 'agent-shopper', version: '1.0.0' });
  const headers = { 'X-API-Key': apiKey };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { requestInit: { headers } }),
  );
  try {
    const result = await client.callTool({
      name: 'svc_index_search',
      arguments: { vertical: 'consumer', query, max_results: 5, ...limits },
    });
    if (result.isError === true) throw new Error(result.content?.[0]?.text ?? 'the search failed');
    return result.structuredContent ?? JSON.parse(result.content?.[0]?.text ?? '{}');
  } finally {
    await client.close();
  }
}

/** `confirm` stands for the person: it sees the product and the total and answers true or false. */
export async function shop(service, query, { confirm, write, limits, person }) {
  const found = await search(service, query, limits);
  const product = found.products?.find((one) => one.checkout !== null) ?? found.recommendation;
  if (product === null || product === undefined) {
    write('Nothing in stock fits.\n');
    return { status: 'nothing_found' };
  }
  write(`${product.name} from ${product.merchant}: ${product.price} ${product.currency}\n`);
  // The sentence is about the first product, which may be one that no agent can buy.
  if (product.product_id === found.recommendation?.product_id) write(`${found.reasoning}\n`);
  if (product.checkout === null) {
    write(`Buy it here: ${product.click_url}\n`);
    return { status: 'link', product };
  }
  try {
    let checkout = await createCheckout(product);
    checkout = await updateCheckout(product, checkout, person);
    const total = totalOf(checkout);
    if (!(await confirm(product, total))) return { status: 'declined', product, checkout };
    checkout = await completeCheckout(product, checkout, person.payment);
    write(
      `Ordered for ${total}. Status: ${checkout.status}${checkout.order?.id ? `, order ${checkout.order.id}` : ''}\n`,
    );
    return { status: checkout.status, product, checkout };
  } catch (error) {
    // A merchant may want a signature, a login or a look by the buyer: the tracked link always works.
    write(`The merchant wants a person (${error.message}). Continue here: ${product.click_url}\n`);
    return { status: 'link', product };
  }
}

const demoPerson = {
  buyer: { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' },
  address: {
    id: 'home',
    first_name: 'Ada',
    last_name: 'Example',
    street_address: '1 Example Street',
    address_locality: 'Springfield',
    address_region: 'IL',
    postal_code: '62701',
    address_country: 'US',
  },
  payment: {
    instruments: [
      {
        id: 'demo-card',
        handler_id: 'demo',
        type: 'card',
        selected: true,
        credential: { type: 'token', token: 'demo-token' },
      },
    ],
  },
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const args = process.argv.slice(2);
  const maximum = args.includes('--max') ? Number(args[args.indexOf('--max') + 1]) : undefined;
  const query =
    args.find((one, index) => !one.startsWith('--') && args[index - 1] !== '--max') ??
    'a tent for two';
  const confirm = async (product, total) => {
    if (args.includes('--yes')) return true;
    const prompt = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await prompt.question(`Buy ${product.name} for ${total}? Type yes to pay: `);
    prompt.close();
    return answer.trim().toLowerCase() === 'yes';
  };
  await shop(readDemo(), query, {
    confirm,
    write: (text) => process.stdout.write(text),
    limits: maximum === undefined ? {} : { price_max: maximum },
    person: demoPerson,
  });
}
