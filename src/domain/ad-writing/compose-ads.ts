// Ads without a language model: the page's own sentences, the brief's own points, and frames that
// promise nothing of their own.
import { termsOf } from '../text/terms.js';
import { capitalize, cleanText, cutAtWord, isBalanced, wordsKey } from './clean-text.js';
import { frameCopies, frameHeadlines, localCtas, neutralCtas } from './ad-frames.js';
import { frameLocally, isFramed, languageOfBrief } from './local-ads.js';
import type { PageFacts } from './page-facts.js';
import { pageMaterial } from './page-material.js';
import { readCrowd, readNeeds } from './read-needs.js';
import { readAvoided, readPrompt } from './read-prompt.js';
import { trimEndSigns } from '../text/trim-signs.js';

export const adLimits = { headline: 80, copy: 500, cta: 80 } as const;
/** What reads well beside an answer; the limit above is what is allowed. */
const goodCopyLength = 260;
/** Of headlines and of texts: pairs are tried all with all. */
const mostParts = 40;

export interface AdBrief {
  readonly brand: string;
  /** Host of the landing page. */
  readonly host: string;
  readonly context: string;
  readonly prompt: string;
}

export interface ComposedAd {
  readonly headline: string;
  readonly copy: string;
  readonly cta: string;
  /** How headline and copy were made ("question/page"), so that results teach which ways work. */
  readonly way: string;
}

export interface Part {
  readonly way: string;
  readonly text: string;
  /** Higher is tried first. */
  readonly weight: number;
  /** Which need it speaks of; parts about two different ones do not go together. */
  readonly need?: number;
}

export interface ComposeOptions {
  readonly count: number;
  /** Ads that exist or existed; none of them is written again. */
  readonly known?: readonly Pick<ComposedAd, 'headline' | 'copy'>[];
  /** Ways that did well, the best first: new ads lean towards them. */
  readonly winners?: readonly Pick<ComposedAd, 'headline' | 'copy' | 'way'>[];
}

/** Several different ads, best first. The brief alone is enough; a page makes them better. */
export function composeAds(
  brief: AdBrief,
  page: PageFacts | null,
  options: ComposeOptions,
): ComposedAd[] {
  const { headlines, copies, ctas } = writeParts(brief, page);
  const overlap = createOverlap(new Set(termsOf(`${brief.brand} ${brief.host}`)));
  const known = new Set((options.known ?? []).map(adKey));
  const pairs = headlines.flatMap((headline) =>
    copies.flatMap((copy) => {
      const pair = {
        headline,
        copy,
        weight: headline.weight + copy.weight + leaning(headline, copy, options.winners ?? []),
      };
      return fits(headline, copy, overlap) &&
        !known.has(adKey({ headline: headline.text, copy: copy.text }))
        ? [pair]
        : [];
    }),
  );
  pairs.sort((a, b) => b.weight - a.weight);
  const chosen: typeof pairs = [];
  const clashes = (pair: (typeof pairs)[number], mostShared: number): boolean =>
    chosen.some(
      (other) =>
        other.headline.text === pair.headline.text ||
        (other.copy.text === pair.copy.text
          ? mostShared < 2
          : overlap(other.copy.text, pair.copy.text) > mostShared),
    );
  // As different as the material allows; the same text under another headline only where there is
  // no other.
  for (const mostShared of [0.7, 1, 2]) {
    for (const pair of pairs)
      if (chosen.length < options.count && !clashes(pair, mostShared)) chosen.push(pair);
  }
  return chosen.map((pair, index) => ({
    headline: pair.headline.text,
    copy: pair.copy.text,
    cta: ctas[index % ctas.length] ?? 'Learn more',
    way: `${pair.headline.way}/${pair.copy.way}`,
  }));
}

function writeParts(
  brief: AdBrief,
  page: PageFacts | null,
): { headlines: Part[]; copies: Part[]; ctas: string[] } {
  const { brand, host } = namesIn(brief);
  const language = languageOfBrief(`${brief.context} ${brief.prompt}`) ?? page?.language ?? 'en';
  const isEnglish = language === 'en';
  const local = isFramed(language)
    ? frameLocally(language, { ...brief, brand, host })
    : { headlines: [{ way: 'brand', text: brand, weight: 0 }], copies: [] };
  const subject = new Set(termsOf(`${brief.context} ${brief.prompt}`));
  const material = materialOf(page, brand, language);
  const needs = isEnglish ? readNeeds(brief.context) : [];
  const prompt = isEnglish ? readPrompt(brief.prompt) : { points: [], sentences: [], cta: null };
  const said = {
    brand,
    host,
    needs,
    crowd: isEnglish ? readCrowd(brief.context) : null,
    prompt,
    pageTerms: new Set(termsOf(page?.text ?? '')),
    price: page?.product?.price ?? null,
    productName: page?.product?.name ?? null,
  };

  const headlines = [
    ...material.phrases.map((text, index): Part => ({
      way: 'page',
      text,
      weight: 6 - index * 0.4 + relevance(text, subject),
    })),
    ...(isEnglish ? frameHeadlines(said) : local.headlines),
  ];
  const ranked = material.sentences
    .map((text, index): Part => ({
      way: 'page',
      text,
      weight: (text.length < 45 ? 6 : 7) - index * 0.3 + 2 * relevance(text, subject),
    }))
    .sort((a, b) => b.weight - a.weight);
  const copies = [
    ...ranked,
    ...pairedSentences(material.sentences, subject),
    ...(isEnglish
      ? frameCopies(
          said,
          ranked.map((part) => part.text),
        )
      : local.copies),
  ];
  const isWanted = avoiding(brief.prompt);
  const defaults = isEnglish ? neutralCtas(brand) : localCtas(language);
  const ctas = prompt.cta === null ? [...material.actions.slice(0, 3), ...defaults] : [prompt.cta];
  return {
    headlines: sound(headlines.filter(isWanted), adLimits.headline),
    copies: sound(copies.filter(isWanted), goodCopyLength),
    ctas: ctas.map((text) => capitalize(text)).filter((text) => text.length <= adLimits.cta),
  };
}

function namesIn(brief: AdBrief): { brand: string; host: string } {
  const host = cutAtWord(cleanText(brief.host), 60);
  // Marks at the end of a name would meet those of the sentence.
  const named = trimEndSigns(cutAtWord(cleanText(brief.brand), 40), /[\s.,;:!?…-]/);
  const brand = isBalanced(named) ? named : cleanText(named.replace(/["()]/g, ' '));
  return { brand: brand || host, host };
}

/** A page in another language has nothing that could stand beside the brief's own words. */
function materialOf(
  page: PageFacts | null,
  brand: string,
  language: string,
): ReturnType<typeof pageMaterial> {
  return page === null || (page.language !== null && page.language !== language)
    ? { sentences: [], phrases: [], actions: [] }
    : pageMaterial(page, brand);
}

/** Whether a text keeps away from what the brief rules out. */
export function avoiding(prompt: string): (part: { text: string }) => boolean {
  const avoided = readAvoided(prompt);
  if (avoided.length === 0) return () => true;
  return ({ text }) => {
    const terms = new Set(termsOf(text));
    return !avoided.some((subject) => subject.every((term) => terms.has(term)));
  };
}

/** Two neighbours that together still read at a glance say more than either. */
function pairedSentences(sentences: readonly string[], subject: ReadonlySet<string>): Part[] {
  return sentences.slice(0, 6).flatMap((first, index) => {
    const second = sentences[index + 1];
    if (second === undefined || first.length > 120) return [];
    const text = `${first} ${second}`;
    return [{ way: 'pages', text, weight: 6.5 - index * 0.3 + 2 * relevance(text, subject) }];
  });
}

function sound(parts: readonly Part[], limit: number): Part[] {
  const seen = new Set<string>();
  const kept = parts.filter(({ text }) => {
    const key = wordsKey(text);
    const isNew = key !== '' && !seen.has(key) && text.length <= limit && isBalanced(text);
    seen.add(key);
    return isNew;
  });
  return kept.sort((a, b) => b.weight - a.weight).slice(0, mostParts);
}

/** A headline and a text that say the same, or two questions in a row, waste the reader's time. */
function fits(headline: Part, copy: Part, overlap: (a: string, b: string) => number): boolean {
  if (headline.need !== undefined && copy.need !== undefined && headline.need !== copy.need)
    return false;
  if (headline.need !== undefined && headline.need === copy.need && beginAlike(headline, copy))
    return false;
  if (headline.text.endsWith('?') && copy.text.includes('?')) return false;
  if (/see what/i.test(headline.text) && /see what/i.test(copy.text)) return false;
  return (
    overlap(headline.text, copy.text) < 0.7 &&
    !copy.text.toLowerCase().includes(headline.text.toLowerCase())
  );
}

/** "Reiseversicherung: …" above "Reiseversicherung gesucht? …". */
function beginAlike(a: Part, b: Part): boolean {
  const [first, second] = [a, b].map(({ text }) => /^[\p{L}-]+/u.exec(text)?.[0].toLowerCase());
  return first !== undefined && first === second;
}

/**
 * Share of the shorter text's words that the other one has too, names of the brand aside. Each text
 * is cut into words once.
 */
function createOverlap(aside: ReadonlySet<string>): (a: string, b: string) => number {
  const cut = new Map<string, ReadonlySet<string>>();
  const termsIn = (text: string): ReadonlySet<string> => {
    const known = cut.get(text);
    if (known !== undefined) return known;
    const terms = new Set(termsOf(text).filter((term) => !aside.has(term)));
    cut.set(text, terms);
    return terms;
  };
  return (a, b) => {
    const [x, y] = [termsIn(a), termsIn(b)];
    const [few, many] = x.size < y.size ? [x, y] : [y, x];
    let shared = 0;
    for (const term of few) if (many.has(term)) shared += 1;
    return few.size === 0 ? 0 : shared / few.size;
  };
}

/** From 0 to 1: how much of what the group is about the text touches. */
function relevance(text: string, subject: ReadonlySet<string>): number {
  const terms = new Set(termsOf(text));
  return Math.min(1, [...terms].filter((term) => subject.has(term)).length / 3);
}

/** Half of a winner with a new other half is the best guess at another one. */
function leaning(
  headline: Part,
  copy: Part,
  winners: NonNullable<ComposeOptions['winners']>,
): number {
  let most = 0;
  for (const [place, winner] of winners.entries()) {
    const [headlineWay, copyWay] = winner.way.split('/');
    const same =
      (winner.copy === copy.text ? 4 : copyWay === copy.way ? 1.5 : 0) +
      (headlineWay === headline.way ? 2 : 0);
    most = Math.max(most, same / (place + 1));
  }
  return most;
}

function adKey(ad: Pick<ComposedAd, 'headline' | 'copy'>): string {
  return `${wordsKey(ad.headline)}\n${wordsKey(ad.copy)}`;
}
