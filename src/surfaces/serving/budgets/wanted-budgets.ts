import { holdOf } from '../../../domain/billing/billing-models.js';
import { creditDay, keyOf, type Scope } from '../../../domain/billing/paying-scopes.js';
import type { BudgetDays } from '../../../domain/decision/budget-day.js';
import { expectedPrice, planBid } from '../../../domain/decision/derive-bid.js';
import { COVER } from '../../../domain/decision/reservations.js';
import type { CampaignRow } from '../queries.js';

/** A live budget: its limit, and what a few ads that are paid from it cost. */
export interface Wanted extends Scope {
  readonly limitMicros: number;
  readonly usualMicros: number;
  /** Nothing but clicks is paid from it. */
  readonly isPerClick: boolean;
}

export interface LiveBudgets {
  days: BudgetDays;
  campaigns: () => Iterable<CampaignRow>;
  groups: () => Iterable<{ id: string; campaignId: string; dailyBudgetMicros: number }>;
}

interface Found {
  /** By key of their scope. */
  readonly held: Map<string, Wanted>;
  readonly unheld: Map<string, Scope>;
}

const midnightLeadMs = 10_000;

/** Which budgets of live campaigns should have money at hand, and of which nothing is held. */
export class WantedBudgets {
  private readonly live: LiveBudgets;
  private readonly priceOf = rememberPrices();

  constructor(live: LiveBudgets) {
    this.live = live;
  }

  at(now: number): Found {
    const found: Found = { held: new Map(), unheld: new Map() };
    const campaigns = new Map<string, CampaignRow>();
    for (const campaign of this.live.campaigns()) {
      campaigns.set(campaign.id, campaign);
      for (const day of this.daysToHold(campaign.timeZone, now))
        this.want(found, campaign, { scopeId: campaign.id, day }, campaign.dailyBudgetMicros);
      if (!campaign.billingEnabled) {
        const credit = { scopeId: campaign.advertiserId, day: creditDay };
        this.want(found, campaign, credit, campaign.creditMicros);
      }
    }
    for (const group of this.live.groups()) {
      const campaign = campaigns.get(group.campaignId);
      if (campaign === undefined) continue;
      for (const day of this.daysToHold(campaign.timeZone, now))
        this.want(found, campaign, { scopeId: group.id, day }, group.dailyBudgetMicros);
    }
    return found;
  }

  private want(
    { held, unheld }: Found,
    campaign: CampaignRow,
    scope: Scope,
    limitMicros: number,
  ): void {
    const key = keyOf(scope);
    if (holdOf(campaign.billingModel) === 'nothing') return void unheld.set(key, scope);
    const before = held.get(key);
    const { micros, isPerClick } = this.priceOf(campaign);
    held.set(key, {
      ...scope,
      limitMicros,
      usualMicros: Math.max(before?.usualMicros ?? 0, COVER * micros),
      isPerClick: isPerClick && before?.isPerClick !== false,
    });
  }

  /** Today, and tomorrow once it is near, so that midnight is no pause. */
  private daysToHold(timeZone: string, now: number): string[] {
    const { days } = this.live;
    const today = days.at(timeZone, now);
    return now + midnightLeadMs < today.end
      ? [today.date]
      : [today.date, days.at(timeZone, today.end).date];
  }
}

/** Planned once for each version of a campaign: all are asked about twice a second. */
function rememberPrices(): (campaign: CampaignRow) => { micros: number; isPerClick: boolean } {
  const known = new WeakMap<CampaignRow, { micros: number; isPerClick: boolean }>();
  return (campaign) => {
    let price = known.get(campaign);
    if (price === undefined) {
      const plan = planBid({ ...campaign, groupMaxCpcMicros: null });
      price = { micros: expectedPrice(plan), isPerClick: holdOf(plan.charge) === 'moment' };
      known.set(campaign, price);
    }
    return price;
  };
}
