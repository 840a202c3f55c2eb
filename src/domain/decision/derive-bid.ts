// From campaign settings to a bid. The billing model says which event is paid for; the limits and
// the objective say what it is worth.

import {
  type BillingModel,
  billingModels,
  type Goal,
  usualModel,
} from '../billing/billing-models.js';

export type BidSettings = {
  billingModel: BillingModel;
  objective: 'impressions' | 'clicks' | 'conversions';
  bidStrategy: 'lowest_cost' | 'bid_cap';
  dailyBudgetMicros: number;
  /**
   * Microdollars per thousand impressions, per click, per conversion; null or 0 is unset. A group's
   * click limit goes before the campaign's.
   */
  maxCpmMicros: number | null;
  maxCpcMicros: number | null;
  groupMaxCpcMicros: number | null;
  maxCpaMicros: number | null;
  impressionGoal: number | null;
  clickGoal: number | null;
};

export type BidPlan = {
  /** The event that is charged. */
  charge: BillingModel;
  /** The event that `amountMicros` is for; probabilities carry it over to the charged event. */
  goal: Goal;
  amountMicros: number;
  /**
   * Never bid more than this for one charged event, nor, in expectation, for a click or a
   * conversion.
   */
  capMicros: number;
  clickCapMicros: number;
  conversionCapMicros: number;
  /** Bid a click in proportion to how likely it converts, below the cap. */
  favourConversions: boolean;
  automatic: boolean;
};

/**
 * - A click limit means a bid per click, paid per click, unless the campaign pays per conversion or
 * names an impression limit for itself.
 * - Otherwise the limit of the billing model is the bid.
 * - Without one, the limit of a deeper event is carried over by its probability.
 * - Without any, an automatic bid: what the budget can afford for the goal. Pacing shades it down
 * to the cheapest price that spends the budget.
 * - `bid_cap` makes every limit that is set hold at once; `lowest_cost` looks only at the one it
 * bids with.
 */
export function planBid(settings: BidSettings): BidPlan {
  const plan = basicPlan(settings);
  if (settings.bidStrategy !== 'bid_cap') return plan;
  const perImpression = limitFor('impression', settings);
  const isCapped = billingModels[plan.charge].pricedBy === 'impression' && perImpression > 0;
  return {
    ...plan,
    capMicros: isCapped ? Math.min(plan.capMicros, perImpression) : plan.capMicros,
    clickCapMicros: limitFor('click', settings) || Infinity,
    conversionCapMicros: limitFor('conversion', settings) || Infinity,
  };
}

function basicPlan(settings: BidSettings): BidPlan {
  const model = settings.billingModel;
  const { pricedBy } = billingModels[model];
  const own = limitFor(pricedBy, settings);
  const click = limitFor('click', settings);
  const conversion = limitFor('conversion', settings);
  if (click > 0 && (pricedBy === 'click' || (model === usualModel && own === 0)))
    return {
      ...fixed(pricedBy === 'click' ? model : 'cpc', 'click', click),
      favourConversions: settings.objective === 'conversions',
    };
  if (own > 0) return fixed(model, pricedBy, own);
  if (pricedBy === 'conversion') return automatic(model, settings);
  if (click > 0) return { ...fixed(model, 'click', click), capMicros: Infinity };
  if (conversion > 0) return { ...fixed(model, 'conversion', conversion), capMicros: Infinity };
  return automatic(model, settings);
}

/** What the campaign pays at most for one of these; 0 where it does not say. */
function limitFor(goal: Goal, settings: BidSettings): number {
  switch (goal) {
    case 'impression':
      return set(settings.maxCpmMicros) / 1000;
    case 'click':
      return set(settings.groupMaxCpcMicros) || set(settings.maxCpcMicros);
    case 'conversion':
      return set(settings.maxCpaMicros);
  }
}

function set(limit: number | null): number {
  return limit !== null && limit > 0 ? limit : 0;
}

function fixed(charge: BillingModel, goal: Goal, amountMicros: number): BidPlan {
  return {
    charge,
    goal,
    amountMicros,
    capMicros: amountMicros,
    clickCapMicros: Infinity,
    conversionCapMicros: Infinity,
    favourConversions: false,
    automatic: false,
  };
}

const PER_EVENT: Record<Goal, { share: number; least: number; most: number }> = {
  impression: { share: 1 / 500, least: 500, most: 25_000 },
  click: { share: 1 / 20, least: 50_000, most: 3_000_000 },
  conversion: { share: 1 / 2, least: 1_000_000, most: 60_000_000 },
};

/**
 * A goal the advertiser named sets the price of reaching it; otherwise a share of the day's budget
 * inside usual market prices.
 */
function automatic(charge: BillingModel, settings: BidSettings): BidPlan {
  const { pricedBy } = billingModels[charge];
  const goal: Goal =
    pricedBy === 'conversion' || settings.objective === 'conversions'
      ? 'conversion'
      : pricedBy === 'click' || settings.objective === 'clicks'
        ? 'click'
        : 'impression';
  const wanted =
    goal === 'impression'
      ? set(settings.impressionGoal)
      : goal === 'click'
        ? set(settings.clickGoal)
        : 0;
  const { share, least, most } = PER_EVENT[goal];
  const usual = Math.min(most, Math.max(least, settings.dailyBudgetMicros * share));
  const amountMicros = wanted > 0 ? Math.min(most, settings.dailyBudgetMicros / wanted) : usual;
  return {
    ...fixed(charge, goal, amountMicros),
    capMicros: PER_EVENT[pricedBy].most,
    automatic: true,
  };
}

/**
 * Microdollars for one charged event. `usualPcvr` is the network's, against which a click's own is
 * weighed.
 */
export function bidFor(plan: BidPlan, pctr: number, pcvr: number, usualPcvr: number): number {
  if (!dependsOnChances(plan)) return Math.min(plan.amountMicros, plan.capMicros);
  const { pricedBy } = billingModels[plan.charge];
  let bid = plan.amountMicros;
  if (pricedBy === 'impression' && plan.goal !== 'impression') bid *= pctr;
  if (pricedBy !== 'conversion' && plan.goal === 'conversion') bid *= pcvr;
  if (plan.favourConversions && usualPcvr > 0) bid *= Math.min(1, Math.max(0.3, pcvr / usualPcvr));
  const perClick = pricedBy === 'impression' ? pctr : pricedBy === 'click' ? 1 : Infinity;
  const perConversion = pricedBy === 'conversion' ? 1 : perClick * pcvr;
  return Math.min(
    bid,
    plan.capMicros,
    plan.clickCapMicros * perClick,
    plan.conversionCapMicros * perConversion,
  );
}

/**
 * Whether how likely an ad is clicked or converts changes what is bid, or what that is worth. It does
 * not where impressions are paid for, and nothing but their price was said.
 */
export function dependsOnChances(plan: BidPlan): boolean {
  return (
    billingModels[plan.charge].pricedBy !== 'impression' ||
    plan.goal !== 'impression' ||
    plan.favourConversions ||
    plan.clickCapMicros !== Infinity ||
    plan.conversionCapMicros !== Infinity
  );
}

/** Where a bid is for a deeper event than the one that is charged: a generous guess at its rate. */
const deeperRate = 0.05;

/** About what one charged event costs at most. */
export function expectedPrice({ charge, goal, amountMicros, capMicros }: BidPlan): number {
  const isFor = billingModels[charge].pricedBy === goal;
  return Math.ceil(Math.min(capMicros, isFor ? amountMicros : amountMicros * deeperRate));
}
