import { explainReading, type ReadingExplained } from '../../../domain/reading/occlusion.js';
import { type ConversationMessage, turnsOf } from '../../../domain/reading/turns.js';
import type { Reader } from '../../../platform/embedding/create-reader.js';
import type { AdMatcher } from './ad-matcher.js';
import type { LiveInventory } from '../inventory/follow-inventory.js';

export interface ConversationExplained {
  /** Why it gets no ad whatever is offered, and what gave that away. */
  refusal: { reason: string; detail: string } | null;
  topic: string | null;
  /**
   * How near that trade is, on sale or not: an offer further away is less likely the one wanted.
   */
  topic_nearness: number | null;
  content_category: string | null;
  /** By words only: no model, or a language it does not read. */
  unread: boolean;
  /** Null where it was told without the model, or there is none. */
  reading: ReadingExplained | null;
  thresholds: { need: number; sensitivity: number };
  offers: {
    campaign: string;
    offer: string;
    relevance: number;
    nearness: number | null;
    shared_words: number;
  }[];
}

const shownOffers = 8;

/** How a conversation is read now, and what fits it. Nothing of it is kept. */
export async function explainConversation(
  deps: { matcher: AdMatcher; reader: Reader; inventory: Pick<LiveInventory, 'offer'> },
  messages: readonly ConversationMessage[],
): Promise<ConversationExplained> {
  const { matcher, reader } = deps;
  const query = await matcher.read(messages, []);
  const turns = turnsOf(messages);
  const isRead = turns !== null && matcher.mode === 'semantic';
  const { needAtLeast, neverAtMost } = matcher.calibration;
  const found = matcher.match(
    query.refusal === null ? query : { ...query, refusal: null },
    shownOffers,
  );
  return {
    refusal: query.refusal,
    topic: query.topic?.name ?? null,
    topic_nearness: roundedOrNull(query.reading?.trade ?? null),
    content_category: query.topic?.category ?? null,
    unread: query.foreign,
    reading: isRead
      ? await explainReading(turns, async (each) => reader.peek(each) ?? reader.read(each))
      : null,
    thresholds: { need: share(needAtLeast), sensitivity: share(neverAtMost) },
    offers: found.flatMap(({ slot, relevance, cosine, lexical }) => {
      const offer = deps.inventory.offer(slot);
      return offer === undefined
        ? []
        : [
            {
              campaign: offer.campaign.name,
              offer: offer.text.context.slice(0, 200),
              relevance: rounded(relevance),
              nearness: roundedOrNull(cosine),
              shared_words: rounded(lexical),
            },
          ];
    }),
  };
}

function share(logit: number): number {
  return rounded(1 / (1 + Math.exp(-logit)));
}

function roundedOrNull(value: number | null): number | null {
  return value === null ? null : rounded(value);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
