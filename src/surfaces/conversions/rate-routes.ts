import type { FastifyInstance } from 'fastify';
import type { Guards } from '../../platform/auth/guards.js';
import { announce, channels } from '../../platform/channels.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { fieldError } from '../../platform/errors.js';
import { currencyCode } from '../../domain/commerce/currency.js';
import { listRates, replaceRates } from './queries.js';
import { CurrencyRates } from './schema.js';
import { openAnswer } from '../../platform/http/plain-answers.js';

/**
 * What a unit of each currency is worth, set by the operator. Conversions received from then on use
 * it; earlier ones keep theirs. Product searches compare prices of other currencies at it.
 */
export function currencyRateRoutes(
  app: FastifyInstance,
  { db, clock, guards }: { db: Db; clock: Clock; guards: Guards },
): void {
  const shared = {
    tags: ['operator'],
    security: [{ session: [] }],
    response: { 200: openAnswer },
  };
  app.get(
    '/operator/currency-rates',
    {
      onRequest: guards.operator,
      schema: { ...shared, summary: 'Rates that conversion values and prices are converted with' },
    },
    async () => ({ rates: await listRates(db) }),
  );
  app.put<{ Body: CurrencyRates }>(
    '/operator/currency-rates',
    {
      onRequest: guards.operator,
      schema: {
        ...shared,
        summary: 'Set the rates; the ones not named are removed',
        body: CurrencyRates,
      },
    },
    async (request) => {
      const rates = Object.entries(request.body.rates).map(([name, rate]) => {
        const currency = currencyCode(name);
        if (currency === null || currency === 'USD')
          throw fieldError(
            ['body', 'rates'],
            currency === null ? 'not an ISO 4217 code' : 'a dollar is a dollar',
          );
        return { currency, rate };
      });
      await db.transaction(async (tx) => {
        await replaceRates(tx, rates, clock());
        await announce(tx, channels.catalog, 'merchants');
      });
      return { rates: await listRates(db) };
    },
  );
}
