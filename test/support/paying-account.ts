import { splitRevenue } from '../../src/domain/money.js';
import { insertLiveCampaign } from './live-campaign.js';
import { managing } from './managed-campaign.js';
import type { OperatorCall } from './sign-in-operator.js';
import type { TestApp } from './test-app.js';

/** An advertiser with a live campaign, and what can happen to its money. */
export async function openPayingAccount(
  app: TestApp,
  operator: OperatorCall,
  options: { billingEnabled?: boolean } = {},
) {
  const account = await app.newAdvertiser(options);
  const campaign = await insertLiveCampaign(app, account.id, {
    context: `things of ${account.id}`,
  });
  const publisher = await app.newPublisher();
  const call = managing(app, account);
  const billing = async () => (await call('GET', 'billing')).body;
  const ledger = async () =>
    (await call('GET', 'ledger')).body.entries as {
      kind: string;
      amount_dollars: number;
      id: string;
      invoice_id: string | null;
    }[];
  const spend = async (micros: number, at = app.clock.now): Promise<string> => {
    const id = app.services.mintId(at);
    const shared = {
      id,
      at,
      publisherId: publisher.id,
      advertiserId: account.id,
      campaignId: campaign.campaignId,
      adGroupId: campaign.adGroupId,
      adId: campaign.adId,
    } as const;
    await app.services.eventLog.append([{ ...shared, kind: 'win' }]);
    await app.services.eventLog.append([
      {
        ...shared,
        kind: 'impression',
        spendMicros: micros,
        revenueMicros: splitRevenue(micros, 7000).revenueMicros,
        budgetDay: new Date(at).toISOString().slice(0, 10),
      },
    ]);
    return id;
  };
  const run = async () =>
    (await operator('POST', '/operator/billing/run', { advertiser_id: account.id })).body.invoices;
  const refund = (from: number, to: number) =>
    operator('POST', '/operator/refunds', {
      advertiser_id: account.id,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      reason: 'bots',
    });
  const grant = (amount: number, more: Record<string, unknown> = {}) =>
    operator('POST', '/operator/credits', {
      advertiser_id: account.id,
      amount_dollars: amount,
      reason: 'Welcome',
      ...more,
    });
  return {
    ...account,
    ...campaign,
    publisherId: publisher.id,
    call,
    billing,
    ledger,
    spend,
    run,
    refund,
    grant,
  };
}
