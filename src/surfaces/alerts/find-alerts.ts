import { listSpent } from '../../platform/budgets/read-budgets.js';
import { ratio, toDollars } from '../../domain/money.js';
import { createZone } from '../../domain/time/zone.js';
import type { Db } from '../../platform/db/db.js';
import {
  hasConversionRateFallen,
  hasDeliveryStopped,
  isBudgetNearlySpent,
  nearlySpentShare,
  quietHours,
  recentDays,
  usualDays,
} from './alert-rules.js';
import type { Account } from './queries.js';
import type { AlertType } from './schema.js';
import {
  listWatchedCampaigns,
  listWatchedPublishers,
  type WatchedCampaign,
  type WatchTimes,
} from './watch-queries.js';

export interface FoundAlert {
  account: Account;
  type: AlertType;
  subjectId: string;
  /** The account's local day: an alert is told once a day. */
  day: string;
  data: Record<string, unknown>;
}

const hour = 3_600_000;

/** Everything worth telling at this moment, whether it was told already or not. */
export async function findAlerts(db: Db, now: number): Promise<FoundAlert[]> {
  const times = watchTimes(now);
  const campaigns = await listWatchedCampaigns(db, times);
  const days = campaigns.map((campaign) => localDay(campaign.timeZone, now));
  const spent =
    campaigns.length === 0
      ? new Map<string, number>()
      : await listSpent(
          db,
          campaigns.map((campaign) => campaign.campaignId),
          days,
        );
  const found = campaigns.flatMap((campaign, index) =>
    campaignAlerts(campaign, spent.get(campaign.campaignId) ?? 0, days[index] ?? ''),
  );
  for (const publisher of await listWatchedPublishers(db, times)) {
    if (!hasDeliveryStopped(publisher)) continue;
    const data = {
      requests: publisher.requestsNow,
      impressions_day_before: publisher.impressionsBefore,
      hours: quietHours,
    };
    found.push({
      account: { kind: 'publisher', id: publisher.publisherId },
      type: 'publisher.delivery_stopped',
      subjectId: publisher.publisherId,
      day: localDay(publisher.timeZone, now),
      data,
    });
  }
  return found;
}

function campaignAlerts(campaign: WatchedCampaign, spentMicros: number, day: string): FoundAlert[] {
  const alert = (type: AlertType, data: Record<string, unknown>): FoundAlert => ({
    account: { kind: 'advertiser', id: campaign.advertiserId },
    type,
    subjectId: campaign.campaignId,
    day,
    data: { campaign_id: campaign.campaignId, campaign_name: campaign.name, ...data },
  });
  const found: FoundAlert[] = [];
  const isNearlySpent = isBudgetNearlySpent(spentMicros, campaign.dailyBudgetMicros);
  if (isNearlySpent)
    found.push(
      alert('campaign.budget_nearly_spent', {
        date: day,
        spent: toDollars(spentMicros),
        daily_budget: toDollars(campaign.dailyBudgetMicros),
        threshold: nearlySpentShare,
      }),
    );
  // A budget that is used up explains the silence.
  if (!isNearlySpent && hasDeliveryStopped(campaign))
    found.push(
      alert('campaign.delivery_stopped', {
        hours: quietHours,
        impressions_day_before: campaign.impressionsBefore,
      }),
    );
  if (hasConversionRateFallen(campaign)) {
    found.push(
      alert('campaign.conversion_rate_fell', {
        recent: {
          days: recentDays,
          clicks: campaign.recentClicks,
          conversions: campaign.recentConversions,
          conversion_rate: ratio(campaign.recentConversions * 100, campaign.recentClicks),
        },
        usual: {
          days: usualDays,
          clicks: campaign.usualClicks,
          conversions: campaign.usualConversions,
          conversion_rate: ratio(campaign.usualConversions * 100, campaign.usualClicks),
        },
      }),
    );
  }
  return found;
}

/** Totals come by the hour, so every window ends with the last full one. */
function watchTimes(now: number): WatchTimes {
  const end = Math.floor(now / hour) * hour;
  const at = (hoursBack: number): Date => new Date(end - hoursBack * hour);
  return {
    quietFrom: at(quietHours),
    quietFromBefore: at(24 + quietHours),
    quietToBefore: at(24),
    recentFrom: at(24 * recentDays),
    usualFrom: at(24 * (recentDays + usualDays)),
    now: new Date(now),
  };
}

function localDay(timeZone: string, now: number): string {
  return createZone(timeZone).dateAt(now);
}
