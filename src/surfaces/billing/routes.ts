import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { fromDollars } from '../../domain/money.js';
import { sha256 } from '../../domain/pii.js';
import { isUuid } from '../../domain/uuid.js';
import { advertiserOf, type Guards } from '../../platform/auth/guards.js';
import { AppError } from '../../platform/errors.js';
import type { BillingDeps } from './invoices/bill-spend.js';
import { findInvoice, type Invoice, listInvoices } from './invoices/invoice-queries.js';
import { billingOperatorRoutes } from './operator-routes.js';
import type { PaymentProvider } from './payments/payment-provider.js';
import { listEntries, loadCustomer } from './queries.js';
import { renderInvoice } from './invoices/render-invoice.js';
import {
  BillingView,
  CreditPurchase,
  InvoiceView,
  InvoicesView,
  LedgerView,
  PageQuery,
} from './schema.js';
import { pageOf, readCursor, showBilling, showEntry, showInvoice } from './views.js';
import type { HoldDeps } from './holds/hold-account.js';
import { holdRoutes } from './holds/hold-routes.js';
import { paymentWebhooks } from './payments/webhook-routes.js';

type BillingRouteDeps = BillingDeps &
  HoldDeps & { guards: Guards; payments: PaymentProvider; returnUrl: () => string };

/**
 * What advertisers owe and have: spend as reports show it, credit, invoices, and the ledger behind
 * them.
 * Owns ledger_entries, invoices, invoice_collections, billed_spend, billing_accounts, and
 * credit_micros of advertisers.
 */
export function billingRoutes(app: FastifyInstance, deps: BillingRouteDeps): void {
  accountBillingRoutes(app, deps);
  ownInvoiceRoutes(app, deps);
  creditPurchaseRoute(app, deps);
  billingOperatorRoutes(app, deps);
  holdRoutes(app, deps);
  paymentWebhooks(app, deps);
}

function accountBillingRoutes(app: FastifyInstance, deps: BillingRouteDeps): void {
  const { guards, db, payments } = deps;
  const onRequest = guards.advertiserDashboard;
  const shared = { tags: ['billing'], security: [{ apiKey: [] }] };

  app.get(
    '/advertiser-dashboard/billing',
    {
      onRequest,
      config: { csv: {} },
      schema: {
        ...shared,
        summary: 'Spend, what was billed, credit',
        response: { 200: BillingView },
      },
    },
    (request) => showBilling(db, advertiserOf(request).id, payments),
  );

  app.get<{ Querystring: PageQuery }>(
    '/advertiser-dashboard/ledger',
    {
      onRequest,
      config: { csv: { list: 'entries' } },
      schema: {
        ...shared,
        summary: 'Every movement of money, newest first',
        querystring: PageQuery,
        response: { 200: LedgerView },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const { page, ...rest } = pageOf(
        await listEntries(db, advertiserOf(request).id, readCursor(cursor), limit + 1),
        limit,
      );
      return { entries: page.map(showEntry), ...rest };
    },
  );
}

function ownInvoiceRoutes(app: FastifyInstance, deps: BillingRouteDeps): void {
  const { guards, db } = deps;
  const onRequest = guards.advertiserDashboard;
  const shared = { tags: ['billing'], security: [{ apiKey: [] }] };

  app.get<{ Querystring: PageQuery }>(
    '/advertiser-dashboard/invoices',
    {
      onRequest,
      schema: {
        ...shared,
        summary: 'Invoices, newest first',
        querystring: PageQuery,
        response: { 200: InvoicesView },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const { page, ...rest } = pageOf(
        await listInvoices(db, {
          advertiserId: advertiserOf(request).id,
          status: null,
          beforeId: readCursor(cursor),
          limit: limit + 1,
        }),
        limit,
      );
      return { invoices: page.map(showInvoice), ...rest };
    },
  );

  oneInvoiceRoute(app, deps);
}

function oneInvoiceRoute(app: FastifyInstance, deps: BillingRouteDeps): void {
  const { guards } = deps;
  const onRequest = guards.advertiserDashboard;
  const shared = { tags: ['billing'], security: [{ apiKey: [] }] };

  app.get<{ Params: { invoice_id: string } }>(
    '/advertiser-dashboard/invoices/:invoice_id',
    {
      onRequest,
      schema: {
        ...shared,
        summary: 'An invoice; with .pdf after its id as a document',
        response: {
          200: {
            content: {
              'application/json': { schema: InvoiceView },
              'application/pdf': { schema: {} },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { invoice_id: asked } = request.params;
      const invoice = await ownInvoice(deps, advertiserOf(request).id, asked.replace(/\.pdf$/, ''));
      if (!asked.endsWith('.pdf')) return showInvoice(invoice);
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="invoice-${invoice.number}.pdf"`)
        .send(await renderInvoice(invoice));
    },
  );
}

function creditPurchaseRoute(app: FastifyInstance, deps: BillingRouteDeps): void {
  const { guards, db, payments } = deps;
  const onRequest = guards.advertiserDashboard;
  const shared = { tags: ['billing'], security: [{ apiKey: [] }] };

  app.post<{ Body: CreditPurchase }>(
    '/advertiser-dashboard/credits',
    {
      onRequest,
      config: { permission: 'billing' },
      schema: {
        ...shared,
        summary: 'Buy credit: where to pay for it',
        body: CreditPurchase,
        response: { 200: Type.Object({ payment_url: Type.String() }) },
      },
    },
    async (request) => {
      const { id } = advertiserOf(request);
      const payer = await loadCustomer(db, id);
      const amountMicros = Math.round(fromDollars(request.body.amount_dollars) / 10_000) * 10_000;
      const url =
        payer === null
          ? null
          : await payments.sellCredit({ advertiserId: id, ...payer }, amountMicros, {
              id: purchaseId(id, request.headers['idempotency-key']) ?? deps.mintId(deps.clock()),
              returnUrl: deps.returnUrl(),
            });
      if (url === null)
        throw new AppError('conflict', { detail: 'credit_is_granted_by_the_operator' });
      return { payment_url: url };
    },
  );
}

async function ownInvoice(
  deps: BillingRouteDeps,
  advertiserId: string,
  invoiceId: string,
): Promise<Invoice> {
  const invoice = isUuid(invoiceId) ? await findInvoice(deps.db, invoiceId, advertiserId) : null;
  if (invoice === null) throw new AppError('not_found');
  return invoice;
}

/** A purchase asked for again under the same key is the same one; the provider remembers it. */
function purchaseId(advertiserId: string, key: string | string[] | undefined): string | null {
  return typeof key !== 'string' || key === '' ? null : sha256(`${advertiserId}\n${key}`);
}
