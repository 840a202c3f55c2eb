import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { publisherOf } from '../../platform/auth/guards.js';
import { AppError } from '../../platform/errors.js';
import { findPayoutAccount, nameOfPublisher, savePayoutAccount } from './queries.js';
import type { EarningsDeps } from './routes.js';
import { PayoutAccountView } from './schema.js';

/** Where a publisher's money goes, when a provider sends it. */
export function payoutAccountRoutes(app: FastifyInstance, deps: EarningsDeps): void {
  const { db, clock, guards, payoutProvider: provider } = deps;
  const shared = { tags: ['publisher reports'], security: [{ apiKey: [] }] };

  app.get(
    '/publisher-dashboard/payout-account',
    {
      onRequest: guards.publisherDashboard,
      schema: {
        ...shared,
        summary: 'Whether payouts can be sent to you',
        response: { 200: PayoutAccountView },
      },
    },
    async (request) => {
      if (provider === null) return { provider: null, connected: false, ready: false, missing: [] };
      const account = await findPayoutAccount(db, publisherOf(request).id, provider.name);
      if (account === null)
        return { provider: provider.name, connected: false, ready: false, missing: [] };
      const { isReady, missing } = await answered(provider.look(account.reference));
      return { provider: provider.name, connected: true, ready: isReady, missing };
    },
  );

  app.post(
    '/publisher-dashboard/payout-account',
    {
      onRequest: guards.publisherDashboard,
      config: { permission: 'billing' },
      schema: {
        ...shared,
        summary: 'Open or complete your account with the provider: where to go for it',
        response: { 200: Type.Object({ url: Type.String() }) },
      },
    },
    async (request) => {
      if (provider === null)
        throw new AppError('conflict', { detail: 'payouts_are_sent_by_the_operator' });
      const { id } = publisherOf(request);
      const known = await findPayoutAccount(db, id, provider.name);
      const name = await nameOfPublisher(db, id);
      const reference = known?.reference ?? (await answered(provider.open({ id, name })));
      if (known === null)
        await savePayoutAccount(
          db,
          { publisherId: id, provider: provider.name, reference },
          new Date(clock()),
        );
      return { url: await answered(provider.onboard(reference, deps.returnUrl())) };
    },
  );
}

/** A provider that cannot be reached is no fault of the request. */
async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (cause) {
    throw new AppError('temporarily_unavailable', { cause });
  }
}
