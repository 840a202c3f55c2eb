import type { ChoiceToken } from '../../domain/choice-token.js';
import {
  disclose,
  type DisclosureTable,
  type DisclosureWords,
  languageOf,
  wordsOf,
} from '../../domain/disclosure/disclosure.js';
import type { AccountDirectory } from '../../platform/auth/account-directory.js';
import type { Db } from '../../platform/db/db.js';
import { loadChoices } from '../../platform/privacy/choice-queries.js';
import { findKept, findServed, type ServedRow } from './queries.js';
import { type Action, actions, type ChoicesView } from './schema.js';

export interface ShowDeps {
  db: Db;
  disclosure: DisclosureTable;
  directory: Pick<AccountDirectory, 'advertiser'>;
}

export interface Shown {
  view: ChoicesView;
  words: DisclosureWords;
}

/** Everything the page behind a link says; null once the ad is no longer kept. */
export async function showChoices(
  deps: ShowDeps,
  token: ChoiceToken,
  language: string | undefined,
): Promise<Shown | null> {
  const served = await findServed(deps.db, token.serveId, token.publisherId);
  if (served === null) return null;
  const chosen = languageOf(deps.disclosure, [language]);
  const words = wordsOf(deps.disclosure, chosen);
  const made = await loadChoices(deps.db, token);
  const brand = served.brand ?? '';
  return {
    words,
    view: {
      language: chosen,
      scope: token.scope,
      disclosure: disclose(words, {
        advertiser: brand,
        paidBy: deps.directory.advertiser(served.advertiserId)?.name ?? brand,
        ground: token.ground,
      }),
      topic: served.topic === '' ? null : served.topic,
      choices: actions
        .filter((action) => action !== 'hide_topic' || served.topic !== '')
        .map((action) => ({
          action,
          label: labelOf(action, words, served),
          made: made.some(
            ({ choice, value }) => choice === action && value === valueOf(action, served),
          ),
        })),
      kept: await keptOf(deps.db, token, served, made.length, words),
      words: { saved: words.saved, about: words.about, kept: words.kept, paid_by: words.paid_by },
    },
  };
}

/** What a choice names: it can only be the ad's own, whatever is asked. */
export function valueOf(action: Action, served: ServedRow): string {
  switch (action) {
    case 'hide_ad':
      return served.adId;
    case 'hide_advertiser':
      return served.advertiserId;
    case 'hide_topic':
      return served.topic;
    case 'no_personalisation':
      return '';
  }
}

function labelOf(action: Action, words: DisclosureWords, served: ServedRow): string {
  if (action === 'hide_advertiser') return `${words.hide_advertiser}: ${served.brand ?? ''}`;
  return action === 'hide_topic' ? `${words.hide_topic}: ${served.topic}` : words[action];
}

async function keptOf(
  db: Db,
  token: ChoiceToken,
  served: ServedRow,
  choices: number,
  words: DisclosureWords,
): Promise<ChoicesView['kept']> {
  const kept: ChoicesView['kept'] = [];
  if (token.scope === 'user') {
    const row = await findKept(db, token.publisherId, token.subject);
    const day = (at: Date): string => at.toISOString().slice(0, 10);
    if (row !== null)
      kept.push({
        name: words.kept_shown,
        value: `${row.ads} (${day(row.firstSeen)} – ${day(row.lastSeen)})`,
      });
  } else if (served.session === token.subject) kept.push({ name: words.kept_shown, value: '≥ 1' });
  if (choices > 0) kept.push({ name: words.kept_choices, value: String(choices) });
  return kept;
}
