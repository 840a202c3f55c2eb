import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

export interface StripeCall {
  path: string;
  key: string | null;
  body: URLSearchParams;
}

interface StripeInvoice {
  id: string;
  object: 'invoice';
  status: 'draft' | 'open' | 'paid' | 'void';
  customer: string;
  amount_due: number;
  amount_paid: number;
  hosted_invoice_url: string | null;
  metadata: Record<string, string>;
}

export interface StripeServer {
  url: string;
  /** Whatever arrived, repeats included. */
  calls: StripeCall[];
  /** What the account holds in the end. */
  customers: { id: string; email: string }[];
  invoices: StripeInvoice[];
  sessions: { id: string; amount: number; metadata: Record<string, string> }[];
  /** Payments, which tests put here. */
  intents: { id: string; customer: string | null; metadata: Record<string, string> }[];
  /** Connected accounts; a test says when one may receive money. */
  accounts: { id: string; payouts_enabled: boolean }[];
  transfers: { id: string; amount: number; destination: string; transfer_group: string }[];
  /**
   * The next calls are carried out, but their answers are lost: the connection breaks, or a 500
   * comes. With a path, those to it.
   */
  loseAnswers(count: number, how: 'cut' | '500', path?: string): void;
  /** A message as Stripe signs it. */
  sign(
    event: Record<string, unknown>,
    options: { secret: string; at: number },
  ): { payload: string; signature: string };
  close(): void;
}

interface Answer {
  status: number;
  body: unknown;
}

/**
 * A simulation of Stripe, as far as billing and payouts use it: form bodies, bearer keys,
 * idempotency keys, drafts that are finalized once, connected accounts and transfers. The real
 * Stripe is asked by no test.
 */
export async function startStripeServer(secretKey: string): Promise<StripeServer> {
  const state = createAccount();
  const calls: StripeCall[] = [];
  const known = new Map<string, { request: string; answer: Answer }>();
  let lost: { left: number; how: 'cut' | '500'; path?: string } = { left: 0, how: '500' };

  function answer(path: string, key: string | null, text: string): Answer {
    const earlier = key === null ? undefined : known.get(key);
    if (earlier !== undefined)
      return earlier.request === `${path} ${text}`
        ? earlier.answer
        : problem(
            400,
            'idempotency_error',
            'Keys for idempotent requests can only be used with the same parameters',
          );
    const given = state.handle(path, new URLSearchParams(text));
    if (key !== null) known.set(key, { request: `${path} ${text}`, answer: given });
    return given;
  }

  const server = createServer((request, response) => {
    void read(request).then((text) => {
      const path = request.url ?? '/';
      const header = request.headers['idempotency-key'];
      const key = typeof header === 'string' ? header : null;
      calls.push({ path, key, body: new URLSearchParams(text) });
      if (request.headers.authorization !== `Bearer ${secretKey}`)
        return send(response, problem(401, 'invalid_request_error', 'Invalid API Key provided'));
      const given = answer(path, key, text);
      if (lost.left === 0 || (lost.path ?? path) !== path) return send(response, given);
      lost = { ...lost, left: lost.left - 1 };
      if (lost.how === '500')
        return send(response, problem(500, 'api_error', 'Something went wrong'));
      return void request.socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address object.
  const { port } = server.address() as AddressInfo;
  const stripe = new Stripe(secretKey);
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    ...state.holdings,
    loseAnswers: (left, how, path) =>
      void (lost = { left, how, ...(path === undefined ? {} : { path }) }),
    sign(event, { secret, at }) {
      const payload = JSON.stringify({
        id: 'evt_1',
        object: 'event',
        api_version: '2026-10-28.endive',
        ...event,
      });
      return {
        payload,
        signature: stripe.webhooks.generateTestHeaderString({
          payload,
          secret,
          timestamp: Math.floor(at / 1000),
        }),
      };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function createAccount() {
  const holdings = {
    customers: [] as StripeServer['customers'],
    invoices: [] as StripeInvoice[],
    sessions: [] as StripeServer['sessions'],
    intents: [] as StripeServer['intents'],
    accounts: [] as StripeServer['accounts'],
    transfers: [] as StripeServer['transfers'],
  };
  const ok = (body: unknown): Answer => ({ status: 200, body });
  function handle(path: string, body: URLSearchParams): Answer {
    const metadata = Object.fromEntries(
      [...body].flatMap(([name, value]) =>
        name.startsWith('metadata[') ? [[name.slice(9, -1), value]] : [],
      ),
    );
    if (path === '/v1/customers') {
      const customer = {
        id: `cus_${holdings.customers.length + 1}`,
        object: 'customer',
        email: body.get('email') ?? '',
      };
      holdings.customers.push(customer);
      return ok(customer);
    }
    if (path === '/v1/invoices') {
      const customer = body.get('customer') ?? '';
      if (!holdings.customers.some((one) => one.id === customer))
        return problem(400, 'invalid_request_error', 'No such customer');
      const invoice: StripeInvoice = {
        id: `in_${holdings.invoices.length + 1}`,
        object: 'invoice',
        status: 'draft',
        customer,
        amount_due: 0,
        amount_paid: 0,
        hosted_invoice_url: null,
        metadata,
      };
      holdings.invoices.push(invoice);
      return ok({ ...invoice });
    }
    if (path === '/v1/invoiceitems')
      return changeInvoice(
        body.get('invoice') ?? '',
        'draft',
        (invoice) => void (invoice.amount_due += Number(body.get('amount'))),
      );
    if (path === '/v1/checkout/sessions') {
      const session = {
        id: `cs_${holdings.sessions.length + 1}`,
        amount: Number(body.get('line_items[0][price_data][unit_amount]')),
        metadata,
      };
      holdings.sessions.push(session);
      return ok({
        ...session,
        object: 'checkout.session',
        url: `https://pay.example/${session.id}`,
      });
    }
    const intent = holdings.intents.find((one) => path === `/v1/payment_intents/${one.id}`);
    if (intent !== undefined) return ok({ ...intent, object: 'payment_intent' });
    const payout = handlePayout(path, body);
    if (payout !== null) return payout;
    const [, id = '', step = ''] = /^\/v1\/invoices\/(\w+)\/(finalize|void)$/.exec(path) ?? [];
    if (step === 'finalize')
      return changeInvoice(
        id,
        'draft',
        (invoice) =>
          void Object.assign(invoice, {
            status: 'open',
            hosted_invoice_url: `https://pay.example/${id}`,
          }),
      );
    if (step === 'void')
      return changeInvoice(id, 'open', (invoice) => void (invoice.status = 'void'));
    return problem(404, 'invalid_request_error', `Unrecognized request URL (${path})`);
  }
  function handlePayout(path: string, body: URLSearchParams): Answer | null {
    const { accounts, transfers } = holdings;
    if (path === '/v1/accounts') {
      const account = { id: `acct_${accounts.length + 1}`, payouts_enabled: false };
      accounts.push(account);
      return ok({ ...account, object: 'account' });
    }
    if (path === '/v1/account_links')
      return ok({ object: 'account_link', url: `https://connect.example/${body.get('account')}` });
    if (path.startsWith('/v1/accounts/')) {
      const account = accounts.find((one) => path.endsWith(`/${one.id}`));
      return account === undefined
        ? problem(404, 'invalid_request_error', 'No such account')
        : ok({
            ...account,
            object: 'account',
            requirements: { currently_due: account.payouts_enabled ? [] : ['external_account'] },
          });
    }
    if (path.startsWith('/v1/transfers?')) {
      const group = new URLSearchParams(path.split('?')[1]).get('transfer_group');
      return ok({
        object: 'list',
        has_more: false,
        data: transfers.filter((one) => one.transfer_group === group),
      });
    }
    if (path !== '/v1/transfers') return null;
    const destination = body.get('destination') ?? '';
    if (accounts.find((one) => one.id === destination)?.payouts_enabled !== true)
      return problem(400, 'invalid_request_error', 'The account cannot receive transfers yet');
    const transfer = {
      id: `tr_${transfers.length + 1}`,
      amount: Number(body.get('amount')),
      destination,
      transfer_group: body.get('transfer_group') ?? '',
    };
    transfers.push(transfer);
    return ok({ ...transfer, object: 'transfer' });
  }
  function changeInvoice(
    id: string,
    from: StripeInvoice['status'],
    change: (invoice: StripeInvoice) => void,
  ): Answer {
    const invoice = holdings.invoices.find((one) => one.id === id);
    if (invoice === undefined) return problem(404, 'invalid_request_error', 'No such invoice');
    if (invoice.status !== from)
      return problem(400, 'invalid_request_error', `This invoice is ${invoice.status}`);
    change(invoice);
    return ok({ ...invoice });
  }
  return { holdings, handle };
}

function problem(status: number, type: string, message: string): Answer {
  return { status, body: { error: { type, message } } };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' })
    .end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  // Requests are streams of buffers unless an encoding was set.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
