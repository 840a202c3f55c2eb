import { ApiError } from '../../core/api.js';
import { t } from '../../core/language.js';

/** What was typed, kept until it is sent or thrown away; of one account, in this browser. */
export function keptDraft<Form extends Record<string, string>>(
  account: string,
  first: Form,
): Form | null {
  try {
    // Only what we wrote there ourselves is read, and only fields the form has.
    const kept = JSON.parse(localStorage.getItem(keyOf(account)) ?? 'null') as unknown;
    if (typeof kept !== 'object' || kept === null) return null;
    const known = Object.entries(kept).filter(
      ([name, value]) => name in first && typeof value === 'string',
    );
    const form = { ...first, ...Object.fromEntries(known) };
    const typed = (of: Form): string => JSON.stringify({ ...of, step: '' });
    return typed(form) === typed(first) ? null : form;
  } catch {
    return null;
  }
}

export function keepDraft(account: string, form: Record<string, string> | null): void {
  if (form === null) localStorage.removeItem(keyOf(account));
  else localStorage.setItem(keyOf(account), JSON.stringify(form));
}

const keyOf = (account: string): string => `campaign-draft-${account}`;

/** Which field of the form an answer's field is, and on which step it stands. */
const places: readonly (readonly [ending: string, field: string, step: number])[] = [
  ['ads.0.headline', 'headline', 2],
  ['ads.0.copy', 'copy', 2],
  ['ads.0.cta', 'cta', 2],
  ['ads.0.image_url', 'image_url', 2],
  ['ad_prompt', 'ad_prompt', 2],
  ['ad_groups.0.ads', 'written', 2],
  ['negative_context', 'negative_context', 1],
  ['context', 'context', 1],
  ['brand_name', 'brand_name', 0],
  ['landing_page', 'landing_page', 0],
  ['daily_budget', 'daily_budget', 3],
  ['max_cpm', 'bid', 3],
  ['max_cpc', 'bid', 3],
  ['max_cpa', 'bid', 3],
  ['allowed_countries', 'countries', 3],
  ['start_time', 'start', 3],
  ['end_time', 'end', 3],
  ['name', 'name', 0],
];

/** What a field wants, for answers that speak of schemas. */
const wanted: Readonly<Record<string, string>> = {
  name: t('A name of at most 200 characters.'),
  landing_page: t('The address of a page, beginning with https:// or http://.'),
  brand_name: t('At most 100 characters.'),
  context: t('At most 10,000 characters of plain words.'),
  negative_context: t('At most 10,000 characters of plain words.'),
  ad_prompt: t('At most 10,000 characters of plain words.'),
  headline: t('A headline of at most 80 characters.'),
  copy: t('A text of at most 500 characters.'),
  cta: t('At most 80 characters.'),
  written: t('One of the ads was not accepted: a headline has at most 80 characters, a text 500.'),
  image_url: t('The address of a picture, beginning with https://.'),
  daily_budget: t('An amount of dollars above zero, at most a billion.'),
  bid: t('An amount of dollars, or nothing for automatic.'),
  countries: t('Pick countries from the list.'),
  start: t('A day and a time that exist.'),
  end: t('A day and a time after the start.'),
};

/** What the server refused, at the fields of the form; null when none of it is one of theirs. */
export function refusedFields(
  error: unknown,
  areWritten = false,
): { errors: Record<string, string>; step: number } | null {
  if (!(error instanceof ApiError)) return null;
  const errors: Record<string, string> = {};
  let step = 3;
  for (const [path, message] of Object.entries(error.fields)) {
    const place = places.find(([ending]) => path.endsWith(ending) || path.startsWith(`${ending}.`));
    if (place === undefined) return null;
    const name = areWritten && /\bads\.\d/.test(path) ? 'written' : place[1];
    // Our own words begin with a capital; those of a schema checker do not.
    errors[name] = /^[A-Z]/.test(message) ? message : (wanted[name] ?? message);
    step = Math.min(step, place[2]);
  }
  return Object.keys(errors).length === 0 ? null : { errors, step };
}
