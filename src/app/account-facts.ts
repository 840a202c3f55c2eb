import { createBudgetDays } from '../domain/decision/budget-day.js';
import type { Services } from '../services.js';

export type AccountFacts = ReturnType<typeof createAccountFacts>;

/** What several surfaces ask about an account, answered from memory. */
export function createAccountFacts({ directory }: Pick<Services, 'directory'>) {
  const budgetDays = createBudgetDays();
  return {
    budgetDays,
    shareBpsOf: (publisherId: string): number =>
      directory.publisher(publisherId)?.revenueShareBps ?? 0,
    isPublisherBlocked: (publisherId: string): boolean =>
      directory.publisher(publisherId)?.status === 'blocked',
    isNative: (publisherId: string): boolean => directory.publisher(publisherId)?.isNative ?? false,
    isAdvertiserBlocked: (advertiserId: string): boolean =>
      directory.advertiser(advertiserId)?.status === 'blocked',
    /** The advertiser's local day at an instant, as 'YYYY-MM-DD'. */
    budgetDay: (advertiserId: string, at: number): string =>
      budgetDays.at(directory.advertiser(advertiserId)?.timeZone ?? 'UTC', at).date,
  };
}
