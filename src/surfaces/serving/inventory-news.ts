import type { InventoryNews } from '../../platform/channels.js';

/** Which groups of a campaign changed; null: perhaps all of it. */
export type Changes = Map<string, Set<string> | null>;

const coalesceMs = 20;

/** Gathers what is told about campaigns, so that a burst of edits becomes one load. */
export function createInventoryNews(onNews: (changes: Changes | 'all') => void) {
  let waiting: Changes | 'all' = new Map();
  let timer: NodeJS.Timeout | null = null;
  return {
    hear(news: InventoryNews | null): void {
      if (news === null) waiting = 'all';
      else if (waiting !== 'all') {
        const { campaignId, adGroupId } = news;
        const groupIds = waiting.get(campaignId);
        waiting.set(
          campaignId,
          adGroupId === null || groupIds === null
            ? null
            : (groupIds ?? new Set<string>()).add(adGroupId),
        );
      }
      timer ??= setTimeout(() => {
        const changes = waiting;
        waiting = new Map();
        timer = null;
        onNews(changes);
      }, coalesceMs);
    },
    stop(): void {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
