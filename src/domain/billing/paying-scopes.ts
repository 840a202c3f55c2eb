/** Whose budget, and which of its days. */
export interface Scope {
  readonly scopeId: string;
  readonly day: string;
}

export function keyOf({ scopeId, day }: Scope): string {
  return `${scopeId} ${day}`;
}

/** A prepaid account's credit is one budget without a day: this one stands for all of them. */
export const creditDay = '1970-01-01';

/**
 * Who pays for an ad: the day's budgets of its campaign and its group, and the account's credit.
 */
export type Payer = 'campaign' | 'adGroup' | 'advertiser';

export interface Paid {
  readonly campaignId?: string | null;
  readonly adGroupId?: string | null;
  readonly advertiserId?: string | null;
}

/** Every budget a charge of that day is taken from. */
export function payingScopes(
  { campaignId, adGroupId, advertiserId }: Paid,
  day: string | null | undefined,
): (Scope & { readonly payer: Payer })[] {
  const scopes: (Scope & { payer: Payer })[] = [];
  const add = (payer: Payer, scopeId: string | null | undefined, on: string | null | undefined) => {
    if (scopeId != null && on != null) scopes.push({ payer, scopeId, day: on });
  };
  add('campaign', campaignId, day);
  add('adGroup', adGroupId, day);
  add('advertiser', advertiserId, creditDay);
  return scopes;
}
