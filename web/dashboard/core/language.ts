import type { ComponentChildren } from 'preact';

/**
 * The messages: every text a person reads is named by its English words and stands in
 * `messages/<language>` with its translation, so that a text without one does not compile. Each
 * part is loaded with the pages that use it, and only in that language.
 */
const german = {
  shell: () => import('../messages/de/shell.json', { with: { type: 'json' } }),
  server: () => import('../messages/de/server.json', { with: { type: 'json' } }),
  advertiser: () => import('../messages/de/advertiser.json', { with: { type: 'json' } }),
  operator: () => import('../messages/de/operator.json', { with: { type: 'json' } }),
  pages: () => import('../messages/de/pages.json', { with: { type: 'json' } }),
  playground: () => import('../messages/de/playground.json', { with: { type: 'json' } }),
  publisher: () => import('../messages/de/publisher.json', { with: { type: 'json' } }),
  reports: () => import('../messages/de/reports.json', { with: { type: 'json' } }),
  settings: () => import('../messages/de/settings.json', { with: { type: 'json' } }),
};

export type Part = keyof typeof german;

/** Of pages; the others translate what the server says. */
type PagePart = Exclude<Part, 'server' | 'settings'>;

export type Text = {
  [Name in PagePart]: keyof Awaited<ReturnType<(typeof german)[Name]>>['default'];
}[PagePart];

/** The names in braces of a text. */
type Names<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

type Values<T extends string, Value> = [Names<T>] extends [never]
  ? []
  : [values: Record<Names<T>, Value>];

export const languages = [
  ['en', 'English'],
  ['de', 'Deutsch'],
] as const;

export type Language = (typeof languages)[number][0];

const key = 'language';

/** What was chosen in this browser, else the first of the browser's own that there is. */
function chosenLanguage(): Language {
  const known = (name: string): Language | undefined =>
    languages.find(([code]) => code === name.slice(0, 2).toLowerCase())?.[0];
  return (
    known(localStorage.getItem(key) ?? '') ??
    navigator.languages.map(known).find((one) => one !== undefined) ??
    'en'
  );
}

/** The whole page is drawn anew in the other language. */
export function chooseLanguage(next: Language): void {
  localStorage.setItem(key, next);
  location.reload();
}

export const language: Language = chosenLanguage();
document.documentElement.lang = language;

const translations = new Map<string, string>();

/** Before a page's own script runs, so that what it says while loading is translated too. */
export async function loadTexts(...parts: readonly Part[]): Promise<void> {
  if (language === 'en') return;
  for (const loaded of await Promise.all(parts.map((part) => german[part]())))
    for (const [text, translated] of Object.entries(loaded.default))
      translations.set(text, translated);
}

// What every page shares; nothing that imports this module runs before.
await loadTexts('shell', 'server', 'pages');

const translated = (text: string): string => translations.get(text) ?? text;

/** A text in the language of the page, its `{names}` filled in. */
export function t<T extends Text>(text: T, ...[values]: Values<T, string | number>): string {
  return translated(text).replace(/\{(\w+)\}/g, (_, name: string) =>
    String((values as Record<string, string | number> | undefined)?.[name] ?? ''),
  );
}

/** The same with links and emphasis in it. */
export function rich<T extends Text>(
  text: T,
  ...[values]: Values<T, ComponentChildren>
): ComponentChildren {
  return translated(text)
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      // Every second part is a name of this text: the types ask for all of them.
      index % 2 === 0 ? part : (values as Record<string, ComponentChildren> | undefined)?.[part],
    );
}

/** A code of the server (`pending_review`) in words. */
export const named = (code: string): string => translations.get(code) ?? code.replaceAll('_', ' ');

/** A sentence of the server's, translated where it is a known one. */
export const heard = (sentence: string): string => translated(sentence);

/** In the middle of a sentence, where a language writes its nouns small. */
export const inline = (text: string): string => (language === 'en' ? text.toLowerCase() : text);
