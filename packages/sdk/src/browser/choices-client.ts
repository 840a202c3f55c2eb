import type { Ad } from '../ad.js';

/** What somebody can decide about their ads, without an account. */
export type ChoiceAction = 'hide_ad' | 'hide_advertiser' | 'hide_topic' | 'no_personalisation';

/** As the network answers, in the person's language. */
export interface ChoicesView {
  language: string;
  /** Whether choices hold for the user or, where none is named, for this session. */
  scope: 'user' | 'session';
  choices: { action: ChoiceAction; label: string; made: boolean }[];
  /** Everything that is stored about the person. */
  kept: { name: string; value: string }[];
  words: Record<string, string>;
}

/** Null where the page may not ask, or the link is no longer good: `ad.choicesUrl` still opens. */
export function loadChoices(ad: Pick<Ad, 'choicesUrl'>): Promise<ChoicesView | null> {
  return ask(ad.choicesUrl, 'GET');
}

/**
 * Decides, or takes a decision back; in force at once.
 *
 * @example
 * await makeChoice(ad, 'hide_advertiser');
 */
export function makeChoice(
  ad: Pick<Ad, 'choicesUrl'>,
  action: ChoiceAction | 'delete',
  options: { undo?: boolean } = {},
): Promise<ChoicesView | null> {
  const undo = options.undo === true ? '&undo=true' : '';
  return ask(ad.choicesUrl, 'POST', `action=${action}${undo}`);
}

/** No body and no header of its own: no preflight, no cookie. */
async function ask(
  url: string | undefined,
  method: 'GET' | 'POST',
  query = '',
): Promise<ChoicesView | null> {
  if (url === undefined || !/^https?:\/\//i.test(url) || typeof fetch !== 'function') return null;
  const joined = query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;
  try {
    const answer = await fetch(joined, {
      method,
      headers: { accept: 'application/json' },
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    if (!answer.ok) return null;
    const view: unknown = await answer.json();
    return isView(view) ? view : null;
  } catch {
    return null;
  }
}

function isView(value: unknown): value is ChoicesView {
  return (
    typeof value === 'object' &&
    value !== null &&
    'choices' in value &&
    Array.isArray(value.choices) &&
    'words' in value &&
    typeof value.words === 'object'
  );
}
