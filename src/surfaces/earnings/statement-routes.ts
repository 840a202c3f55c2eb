import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toDollars } from '../../domain/money.js';
import { publisherOf } from '../../platform/auth/guards.js';
import { AppError } from '../../platform/errors.js';
import type { EarningsDeps } from './routes.js';
import { StatementList, StatementView } from './schema.js';
import { sumMonths } from './statement-queries.js';
import {
  isFinal,
  makeStatement,
  renderStatement,
  showStatement,
  type Statement,
} from './statements.js';
import { fileAnswer } from '../../platform/http/plain-answers.js';

interface ByMonth {
  Params: { month: string };
}

/** What a month brought and what was paid in it, for the books. */
export function statementRoutes(app: FastifyInstance, deps: EarningsDeps): void {
  statementListRoute(app, deps);
  monthRoutes(app, deps);
}

function statementListRoute(app: FastifyInstance, deps: EarningsDeps): void {
  const { guards, clock, holdDays, db } = deps;
  const shared = { tags: ['publisher reports'], security: [{ apiKey: [] }] };

  app.get(
    '/publisher-dashboard/statements',
    {
      onRequest: guards.publisherDashboard,
      config: { csv: { list: 'statements' } },
      schema: {
        ...shared,
        summary: 'Months with anything earned or paid, newest first',
        response: { 200: StatementList },
      },
    },
    async (request) => {
      let balance = 0;
      const statements = (await sumMonths(db, publisherOf(request).id)).map((one) => {
        balance += one.earnedMicros - one.paidMicros;
        return {
          month: one.month,
          earned: toDollars(one.earnedMicros),
          paid: toDollars(one.paidMicros),
          closing: toDollars(balance),
          is_final: isFinal(one.month, clock(), holdDays),
        };
      });
      return { statements: statements.reverse() };
    },
  );
}

function monthRoutes(app: FastifyInstance, deps: EarningsDeps): void {
  const { guards } = deps;
  const shared = { tags: ['publisher reports'], security: [{ apiKey: [] }] };

  app.get<ByMonth>(
    '/publisher-dashboard/statements/:month',
    {
      onRequest: guards.publisherDashboard,
      config: { csv: { list: 'lines' } },
      schema: {
        ...shared,
        summary: 'One month (YYYY-MM) day by day',
        response: { 200: StatementView },
      },
    },
    async (request) => showStatement(await statementOf(deps, request)),
  );

  app.get<ByMonth>(
    '/publisher-dashboard/statements/:month/pdf',
    {
      onRequest: guards.publisherDashboard,
      schema: {
        ...shared,
        summary: 'The same month as a document',
        ...fileAnswer('application/pdf', 'The document'),
      },
    },
    async (request, reply) => {
      const statement = await statementOf(deps, request);
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="statement-${statement.month}.pdf"`)
        .send(await renderStatement(statement));
    },
  );
}

const statementOf = async (
  deps: EarningsDeps,
  request: FastifyRequest<ByMonth>,
): Promise<Statement> => {
  const { month } = request.params;
  const { id } = publisherOf(request);
  const statement = await makeStatement(deps.db, id, month, {
    now: deps.clock(),
    holdDays: deps.holdDays,
  });
  if (statement === null) throw new AppError('not_found');
  return statement;
};
