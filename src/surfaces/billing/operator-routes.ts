import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fromDollars } from '../../domain/money.js';
import { isUuid } from '../../domain/uuid.js';
import { recordAudit } from '../../platform/audit.js';
import { callerOf, type Guards } from '../../platform/auth/guards.js';
import type { Db } from '../../platform/db/db.js';
import { AppError, fieldError } from '../../platform/errors.js';
import { writeOnce } from '../../platform/http/write-once.js';
import { type BillingDeps, billSpend } from './invoices/bill-spend.js';
import { type HoldDeps, releaseHold, releaseRefunded } from './holds/hold-account.js';
import { findInvoice, listInvoices } from './invoices/invoice-queries.js';
import { listSpenders, markSynced } from './queries.js';
import {
  CreditGrant,
  CreditReversal,
  OperatorInvoiceQuery,
  OperatorInvoicesView,
  OperatorInvoiceView,
  PaidNote,
  RunRequest,
  VoidNote,
} from './schema.js';
import { grantCredit, payInvoice, reverseCredit } from './payments/take-payment.js';
import { voidInvoice } from './invoices/void-invoice.js';
import { pageOf, readCursor, showEntry, showInvoiceToOperator } from './views.js';
import { openAnswer } from '../../platform/http/plain-answers.js';

type BillingOperatorDeps = BillingDeps & HoldDeps & { guards: Guards };

/**
 * What the operator does by hand: grant credit, take it back, mark invoices as paid, take them
 * back, bill now.
 */
export function billingOperatorRoutes(app: FastifyInstance, deps: BillingOperatorDeps): void {
  creditRoutes(app, deps);
  invoiceRoutes(app, deps);
  billingRunRoute(app, deps);
}

function creditRoutes(app: FastifyInstance, deps: BillingOperatorDeps): void {
  const { mintId } = deps;
  const guarded = operatorRoute(deps);

  app.post<{ Body: CreditGrant }>(
    '/operator/credits',
    guarded('Grant credit', { body: CreditGrant }),
    (request) =>
      once(deps, request, 'grant_credit', async (tx, now) => {
        const { advertiser_id: advertiserId, reason, reference } = request.body;
        const amountMicros = fromDollars(request.body.amount_dollars, { allowNegative: true });
        if (amountMicros === 0) throw fieldError(['body', 'amount_dollars'], 'Must not be zero');
        const entry = await grantCredit(tx, mintId, now, {
          advertiserId: known(advertiserId),
          amountMicros,
          reason,
          ...(reference === undefined ? {} : { reference: `operator:${reference}` }),
        });
        await releaseRefunded(tx, deps, advertiserId);
        return { accountId: advertiserId, id: entry.id, body: showEntry(entry) };
      }),
  );

  app.post<{ Params: { entry_id: string }; Body: CreditReversal }>(
    '/operator/credits/:entry_id/reverse',
    guarded('Take a credit back', { body: CreditReversal }),
    (request) =>
      once(deps, request, 'reverse_credit', async (tx, now) => {
        const entry = await reverseCredit(
          tx,
          mintId,
          now,
          known(request.params.entry_id),
          request.body.reason,
        );
        return { accountId: entry.advertiserId, id: entry.id, body: showEntry(entry) };
      }),
  );
}

function invoiceRoutes(app: FastifyInstance, deps: BillingOperatorDeps): void {
  const { mintId } = deps;
  const guarded = operatorRoute(deps);

  invoiceListRoute(app, deps);

  app.post<{ Params: { invoice_id: string }; Body: PaidNote }>(
    '/operator/invoices/:invoice_id/paid',
    guarded('The money for an invoice has come in', {
      body: PaidNote,
      response: { 200: OperatorInvoiceView },
    }),
    (request) =>
      once(deps, request, 'invoice_paid', async (tx, now) => {
        const invoice = await payInvoice(
          tx,
          mintId,
          now,
          known(request.params.invoice_id),
          request.body.reason ?? 'Paid',
        );
        // Paid by another way than the one that failed.
        await releaseHold(tx, deps, `invoice:${invoice.id}`);
        await releaseRefunded(tx, deps, invoice.advertiserId);
        return {
          accountId: invoice.advertiserId,
          id: invoice.id,
          body: showInvoiceToOperator(invoice),
        };
      }),
  );

  app.post<{ Params: { invoice_id: string }; Body: VoidNote }>(
    '/operator/invoices/:invoice_id/void',
    guarded('Take back an invoice nobody paid; what it billed will be on the next one', {
      body: VoidNote,
      response: { 200: OperatorInvoiceView },
    }),
    (request) =>
      once(deps, request, 'invoice_void', async (tx, now) => {
        const invoice = await voidInvoice(
          tx,
          deps,
          now,
          known(request.params.invoice_id),
          request.body.reason,
        );
        // Nobody owes it any longer.
        await releaseHold(tx, deps, `invoice:${invoice.id}`);
        return {
          accountId: invoice.advertiserId,
          id: invoice.id,
          body: showInvoiceToOperator(invoice),
        };
      }),
  );
}

function invoiceListRoute(app: FastifyInstance, deps: BillingOperatorDeps): void {
  const { db } = deps;
  const guarded = operatorRoute(deps);

  app.get<{ Querystring: OperatorInvoiceQuery }>(
    '/operator/invoices',
    guarded('Invoices of every advertiser, newest first', {
      querystring: OperatorInvoiceQuery,
      response: { 200: OperatorInvoicesView },
    }),
    async (request) => {
      const { limit, cursor, status = null, advertiser_id: advertiserId } = request.query;
      const { page, ...rest } = pageOf(
        await listInvoices(db, {
          advertiserId: advertiserId === undefined ? null : known(advertiserId),
          status,
          beforeId: readCursor(cursor),
          limit: limit + 1,
        }),
        limit,
      );
      return { invoices: page.map(showInvoiceToOperator), ...rest };
    },
  );
}

function billingRunRoute(app: FastifyInstance, deps: BillingOperatorDeps): void {
  const { db } = deps;
  const guarded = operatorRoute(deps);

  app.post<{ Body: RunRequest }>(
    '/operator/billing/run',
    guarded('Bill everything spent so far', {
      body: RunRequest,
      response: { 200: OperatorInvoicesView },
    }),
    async (request) => {
      const { advertiser_id: advertiserId } = request.body;
      const advertiser = advertiserId === undefined ? null : known(advertiserId);
      const invoices = [];
      for (const id of advertiser === null ? await listSpenders(db) : [advertiser]) {
        // Gives back what was billed and taken back since, too.
        const issued = await billSpend(deps, id, false);
        const invoice = issued === null ? null : await findInvoice(db, issued.id, null);
        if (invoice !== null) invoices.push(showInvoiceToOperator(invoice));
      }
      await markSynced(db, advertiser, new Date(deps.clock()));
      return { invoices, has_more: false, next_cursor: null };
    },
  );
}

async function once(
  deps: BillingOperatorDeps,
  request: FastifyRequest,
  action: string,
  work: (tx: Db, now: number) => Promise<{ accountId: string; id: string; body: unknown }>,
): Promise<unknown> {
  const { actor } = callerOf(request);
  const now = deps.clock();
  const { body } = await writeOnce(deps.db, { accountId: actor.id, request, now }, async (tx) => {
    const done = await work(tx, now);
    await recordAudit(tx, deps.mintId, now, {
      actor,
      accountId: done.accountId,
      action,
      entity: 'billing',
      entityId: done.id,
      before: null,
      after: request.body ?? null,
    });
    return { status: 200, body: done.body };
  });
  return body;
}

const operatorRoute =
  (deps: BillingOperatorDeps) =>
  (summary: string, more: Record<string, unknown> = {}) => ({
    onRequest: deps.guards.operator,
    preValidation: allowEmptyBody,
    schema: {
      tags: ['operator'],
      security: [{ session: [] }],
      summary,
      response: { 200: openAnswer },
      ...more,
    },
  });

function known(id: string): string {
  if (!isUuid(id)) throw new AppError('not_found');
  return id;
}

async function allowEmptyBody(request: FastifyRequest): Promise<void> {
  if (request.method === 'POST') request.body ??= {};
}
