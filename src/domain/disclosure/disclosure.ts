/** What people are told with every ad: that it is one, whose, who paid, and why they see it. */
export interface Disclosure {
  label: string;
  /** Who is advertised, as people know them. */
  advertiser: string;
  paid_by: string;
  /** One sentence, with nothing in it that was said or is known about a person. */
  why: string;
  /** Never inside an answer's own text. */
  presentation: 'separate';
}

/** The words of one language; `en` names them all. */
export type DisclosureWords = Readonly<Record<WordName, string>>;

export const wordNames = [
  'label',
  'why_conversation',
  'why_place',
  'why_audience',
  'why_search',
  'why_test',
  'about',
  'advertiser',
  'paid_by',
  'why',
  'choices',
  'for_user',
  'for_session',
  'hide_ad',
  'hide_advertiser',
  'hide_topic',
  'no_personalisation',
  'undo',
  'saved',
  'kept',
  'kept_nothing',
  'kept_shown',
  'kept_choices',
  'delete',
  'deleted',
  'receipt',
  'copy',
  'gone',
] as const;
export type WordName = (typeof wordNames)[number];

/** By what an ad was chosen; each has a sentence of its own. */
export const grounds = ['conversation', 'place', 'audience', 'search', 'test'] as const;
export type Ground = (typeof grounds)[number];

/** The message table. */
export interface DisclosureTable {
  readonly languages: ReadonlyMap<string, DisclosureWords>;
  /** Every text that says "this is an ad", folded: what a proof of visibility may have shown. */
  readonly labels: ReadonlySet<string>;
}

export const defaultLanguage = 'en';

/** Problems in words an editor understands; none when every language has every word. */
export function checkWords(language: string, words: unknown): string[] {
  if (!/^[a-z]{2}$/.test(language)) return [`${language} is no language code`];
  const given = Object(words) as Record<string, unknown>;
  return wordNames.flatMap((name) => {
    const text = given[name];
    return typeof text === 'string' && text.trim() !== '' && text.trim() === text
      ? []
      : [`${language} lacks ${name}`];
  });
}

export function createDisclosureTable(
  languages: ReadonlyMap<string, DisclosureWords>,
): DisclosureTable {
  return {
    languages,
    labels: new Set([...languages.values()].map(({ label }) => foldLabel(label))),
  };
}

export function foldLabel(text: string): string {
  return text.trim().toLowerCase();
}

/** Languages as people and browsers name them, best first: `de-CH`, `pt_BR;q=0.8, en`. */
export function languageOf(table: DisclosureTable, named: readonly unknown[]): string {
  for (const text of named) {
    if (typeof text !== 'string') continue;
    for (const part of text.slice(0, 200).split(',')) {
      const code = part.trim().slice(0, 2).toLowerCase();
      const after = part.trim().charAt(2);
      if ((after === '' || '-_;'.includes(after)) && table.languages.has(code)) return code;
    }
  }
  return defaultLanguage;
}

export function wordsOf(table: DisclosureTable, language: string): DisclosureWords {
  const words = table.languages.get(language) ?? table.languages.get(defaultLanguage);
  if (words === undefined) throw new Error(`no words in ${defaultLanguage}`);
  return words;
}

export function disclose(
  words: DisclosureWords,
  of: { advertiser: string; paidBy: string; ground: Ground },
): Disclosure {
  return {
    label: words.label,
    advertiser: of.advertiser,
    paid_by: of.paidBy,
    why: words[`why_${of.ground}`],
    presentation: 'separate',
  };
}
