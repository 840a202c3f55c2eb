import {
  type BillingModel,
  billedAt,
  usualViewableShare,
} from '../../../domain/billing/billing-models.js';
import type { BudgetDays } from '../../../domain/decision/budget-day.js';
import { splitBudget } from '../../../domain/decision/budget-split.js';
import { nextMultiplier } from '../../../domain/decision/pacing.js';
import type { TrafficCurve } from '../../../domain/decision/traffic-curve.js';
import type { Clock } from '../../../platform/clock.js';
import { loadSpent } from '../../../platform/budgets/read-budgets.js';
import type { Db } from '../../../platform/db/db.js';
import type { BudgetKeeper } from './budget-keeper.js';
import type { LiveInventory } from '../inventory/follow-inventory.js';
import { type GroupRow, loadGroupResults } from '../queries.js';
import { utcDay } from '../../../domain/time/utc-day.js';

export interface PacerOptions {
  db: Db;
  clock: Clock;
  days: BudgetDays;
  curve: Pick<TrafficCurve, 'share'>;
  inventory: Pick<LiveInventory, 'campaigns' | 'campaign' | 'groups'>;
  budgets: Pick<BudgetKeeper, 'reserved'>;
  /** Which share of served ads is seen. */
  shownShare: () => number;
}

/** Which share of what is kept aside will be spent; of rare events it says nothing. */
function paidShare(model: BillingModel, shownShare: number): number {
  switch (billedAt(model)) {
    case 'impression':
      return shownShare;
    case 'viewable':
      return shownShare * usualViewableShare;
    case 'click':
    case 'conversion':
      return 0;
  }
}

/**
 * Spreads budgets over the day: how much of its bid a campaign offers, and what each group of it
 * may still spend.
 */
export function createPacer(deps: PacerOptions) {
  const { db, clock, days, curve, inventory, budgets, shownShare } = deps;

  let multipliers: ReadonlyMap<string, number> = new Map();
  let groupRoom: ReadonlyMap<string, number> = new Map();
  let version = 0;

  async function pace(): Promise<void> {
    const now = clock();
    const spent = new Map(
      (await loadSpent(db, utcDay(now - 2 * 86_400_000))).map((row) => [
        `${row.scopeId} ${row.day}`,
        row.spentMicros,
      ]),
    );
    const next = new Map<string, number>();
    for (const campaign of inventory.campaigns()) {
      const day = days.at(campaign.timeZone, now);
      const state = {
        budgetMicros: campaign.dailyBudgetMicros,
        share: curve.share(day.start, day.end, now),
        spentMicros: spent.get(`${campaign.id} ${day.date}`) ?? 0,
        reservedMicros:
          budgets.reserved(campaign.id, day.date) * paidShare(campaign.billingModel, shownShare()),
      };
      next.set(campaign.id, nextMultiplier(multipliers.get(campaign.id) ?? 1, state));
    }
    multipliers = next;
    version += 1;
    groupRoom = await splitGroupBudgets(deps, now, spent);
    version += 1;
  }

  return {
    pace,
    /** Another one whenever a multiplier or what a group may spend is another. */
    get version() {
      return version;
    },
    multiplier: (campaignId: string): number => multipliers.get(campaignId) ?? 1,
    groupRoom: (adGroupId: string): number =>
      (groupRoom.size === 0 ? undefined : groupRoom.get(adGroupId)) ?? Number.MAX_SAFE_INTEGER,
  };
}

/**
 * `auto_optimize_budget`: what each group of a campaign may still spend today, by how cheap its
 * results were lately.
 */
async function splitGroupBudgets(
  deps: PacerOptions,
  now: number,
  spent: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const room = new Map<string, number>();
  const groups = new Map<string, GroupRow[]>();
  for (const group of deps.inventory.groups()) {
    const own = groups.get(group.campaignId);
    if (own === undefined) groups.set(group.campaignId, [group]);
    else own.push(group);
  }
  const shared = [...groups].filter(
    ([, own]) => own.length > 1 && own.some((group) => group.autoOptimizeBudget),
  );
  if (shared.length === 0) return room;
  const results = new Map(
    (
      await loadGroupResults(
        deps.db,
        shared.map(([id]) => id),
        new Date(now - 7 * 86_400_000),
      )
    ).map((row) => [row.groupId, row]),
  );
  for (const [campaignId, own] of shared) {
    const campaign = deps.inventory.campaign(campaignId);
    if (campaign === undefined) continue;
    const day = deps.days.at(campaign.timeZone, now).date;
    const result = (id: string): number => {
      const row = results.get(id);
      return (
        (campaign.objective === 'conversions'
          ? row?.conversions
          : campaign.objective === 'clicks'
            ? row?.clicks
            : row?.impressions) ?? 0
      );
    };
    const split = splitBudget(
      campaign.dailyBudgetMicros,
      own.map((group) => ({
        ...group,
        auto: group.autoOptimizeBudget,
        spentMicros: results.get(group.id)?.spentMicros ?? 0,
        results: result(group.id),
      })),
    );
    for (const [groupId, amount] of split)
      room.set(groupId, amount - (spent.get(`${groupId} ${day}`) ?? 0));
  }
  return room;
}
