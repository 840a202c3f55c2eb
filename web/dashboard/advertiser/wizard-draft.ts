import { ApiError } from '../core/api.js';

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
    return JSON.stringify(form) === JSON.stringify(first) ? null : form;
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

/** What the server refused, at the fields of the form; null when none of it is one of theirs. */
export function refusedFields(
  error: unknown,
): { errors: Record<string, string>; step: number } | null {
  if (!(error instanceof ApiError)) return null;
  const errors: Record<string, string> = {};
  let step = 3;
  for (const [path, message] of Object.entries(error.fields)) {
    const place = places.find(([ending]) => path.endsWith(ending) || path.startsWith(`${ending}.`));
    if (place === undefined) return null;
    errors[place[1]] = message;
    step = Math.min(step, place[2]);
  }
  return Object.keys(errors).length === 0 ? null : { errors, step };
}
