// What a campaign can pay for. One row a model; everything else that depends on the model asks this
// table, so that another model is another row.

/** What happens to an ad that somebody may pay for. */
export type BilledEvent = 'impression' | 'viewable' | 'click' | 'conversion';
/** What a campaign's limits name a price for: a thousand impressions, a click, a conversion. */
export type Goal = 'impression' | 'click' | 'conversion';
/**
 * What is kept aside when an ad is served, and for how long: its price until the ad can no longer
 * be seen; its price for a moment, since most clicks follow within seconds; or nothing, because
 * what is paid for may come weeks later and is charged if there is room then.
 */
export type Hold = 'window' | 'moment' | 'nothing';

interface BillingRow {
  /** Its number in tracking tokens, below 16; never given to another model. */
  readonly code: number;
  /** The event that is charged, once an ad. */
  readonly billedAt: BilledEvent;
  /** The limit of the campaign that is its price. */
  readonly pricedBy: Goal;
  readonly hold: Hold;
}

export const billingModels = {
  cpm: { code: 0, billedAt: 'impression', pricedBy: 'impression', hold: 'window' },
  cpc: { code: 1, billedAt: 'click', pricedBy: 'click', hold: 'moment' },
  cpa: { code: 2, billedAt: 'conversion', pricedBy: 'conversion', hold: 'nothing' },
  /** Half of the ad in sight for a second; `max_cpm` is its price for a thousand of these. */
  cpv: { code: 3, billedAt: 'viewable', pricedBy: 'impression', hold: 'window' },
} as const satisfies Record<string, BillingRow>;

export type BillingModel = keyof typeof billingModels;

// the keys of an object literal are its names
export const billingModelNames = Object.keys(billingModels) as BillingModel[];

/** What a campaign pays for that does not say. */
export const usualModel: BillingModel = 'cpm';

export function billedAt(model: BillingModel): BilledEvent {
  return billingModels[model].billedAt;
}

export function holdOf(model: BillingModel): Hold {
  return billingModels[model].hold;
}

/** The models that are charged at this event. */
export function modelsBilledAt(event: BilledEvent): BillingModel[] {
  return billingModelNames.filter((name) => billedAt(name) === event);
}

export function modelsHolding(hold: Hold): BillingModel[] {
  return billingModelNames.filter((name) => holdOf(name) === hold);
}

/** Whether a stored name is that of a model charged at this event. */
export function isBilledAt(model: string | null | undefined, event: BilledEvent): boolean {
  return modelsBilledAt(event).some((name) => name === model);
}

const byCode: ReadonlyMap<number, BillingModel> = new Map(
  billingModelNames.map((name) => [billingModels[name].code, name]),
);

export function codeOf(model: BillingModel): number {
  return billingModels[model].code;
}

export function modelOfCode(code: number): BillingModel | undefined {
  return byCode.get(code);
}

/** Of impressions, when nothing better is known: about what the trade measures. */
export const usualViewableShare = 0.7;

/** How many charged events one impression brings where that is the same for every ad, or NaN. */
export function fixedRate(model: BillingModel): number {
  return chargeRate(model, NaN, NaN);
}

/** How many charged events one impression brings. */
export function chargeRate(model: BillingModel, pctr: number, pcvr: number): number {
  switch (billedAt(model)) {
    case 'impression':
      return 1;
    case 'viewable':
      return usualViewableShare;
    case 'click':
      return pctr;
    case 'conversion':
      return pctr * pcvr;
  }
}
