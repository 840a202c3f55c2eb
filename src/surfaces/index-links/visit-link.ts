import { grclidOf } from '../../domain/grclid.js';
import { networkOf } from '../../domain/network.js';
import type { BotKind } from '../../platform/device/describe-agent.js';
import { createMinuteRates } from '../../platform/minute-rates.js';
import type { SharedCounts } from '../../platform/shared-counts.js';

/** The reasons a visit does not count as a click. */
export type InvalidVisit =
  | 'publisher_blocked'
  | 'offer_gone'
  | 'prefetch'
  | 'embedded'
  | 'bot'
  | 'link_preview'
  | 'no_agent'
  | 'too_many';

const visitsPerMinute = 120;

/**
 * Tells visits that must not count. A fetch an assistant makes because its user just asked to is a
 * person's visit here:
 * agents are who these links are made for.
 */
export function createVisitJudge(
  shared: Pick<SharedCounts, 'space'>,
): (visit: {
  at: number;
  address: string | null;
  bot: null | BotKind;
  isPrefetch: boolean;
  isEmbedded: boolean;
  isPublisherBlocked: boolean;
}) => InvalidVisit | null {
  const isOver = createMinuteRates(shared, 'visits', () => visitsPerMinute);
  return ({ at, address, bot, isPrefetch, isEmbedded, isPublisherBlocked }) => {
    if (isPublisherBlocked) return 'publisher_blocked';
    if (isPrefetch) return 'prefetch';
    if (bot === 'empty') return 'no_agent';
    if (bot === 'preview') return 'link_preview';
    if (bot === 'crawler' || bot === 'library') return 'bot';
    if (isEmbedded) return 'embedded';
    return address !== null && isOver(networkOf(address), at) ? 'too_many' : null;
  };
}

/**
 * Where a visitor is sent: the destination with the click id, which replaces an older one, unless
 * the visitor must not be followed there.
 */
export function destinationUrl(target: string, linkId: string, isLinked = true): string {
  const url = new URL(target);
  url.searchParams.delete('grclid');
  if (isLinked) url.searchParams.append('grclid', grclidOf(linkId));
  return url.href;
}
