// Ads in the language of their brief, where it has frames of its own: catalog/ad-writing/<language>.
import { calmText, capitalize, cleanText, splitSentences, withStop } from './clean-text.js';
import type { Part } from './compose-ads.js';
import { trimEndSigns } from '../text/trim-signs.js';
import { writingLists } from './writing-lists.js';

const { headlines, copies, tellingWords } = writingLists;
type Framed = keyof typeof headlines;

const anyOf = (list: readonly string[]): string => `(?:${list.join('|')})`;

const signsOf = (language: Framed) => ({
  article: new RegExp(`^${anyOf(writingLists.articles[language])}\\s+`, 'i'),
  ending: new RegExp(`\\s${anyOf(writingLists.seeking[language])}$`, 'i'),
  people: new RegExp(`^${anyOf(writingLists.people[language])}(?:\\s|$)`, 'i'),
  asking: new RegExp(`^${anyOf(writingLists.asking[language])}\\s+`, 'i'),
  manner: new RegExp(`(?<!\\p{L})${anyOf(writingLists.manner[language])}(?!\\p{L})`, 'iu'),
});
const signs: Record<Framed, ReturnType<typeof signsOf>> = { de: signsOf('de') };

export const isFramed = (language: string): language is Framed =>
  Object.hasOwn(headlines, language);

/** The language a brief is written in, as far as its small words tell; null where they do not. */
export function languageOfBrief(text: string): string | null {
  const words =
    text
      .slice(0, 3000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(tellingWords).map(([language, lines]) => {
    const telling = new Set(lines.flatMap((line) => line.split(' ')));
    return { language, count: words.filter((word) => telling.has(word)).length };
  });
  const [best, next] = counts.sort((a, b) => b.count - a.count);
  return best === undefined || best.count === (next?.count ?? 0) ? null : best.language;
}

/** What a brief says, in words that can stand alone. */
interface LocalBrief {
  readonly brand: string;
  readonly host: string;
  readonly context: string;
  readonly prompt: string;
}

export function frameLocally(
  language: Framed,
  brief: LocalBrief,
): { headlines: Part[]; copies: Part[] } {
  const said: Said = {
    brand: [brief.brand],
    host: [brief.host],
    topic: readTopics(language, brief.context),
    ...readWishes(language, brief.prompt),
  };
  return {
    headlines: headlines[language].flatMap((frame) => fill(frame, said)),
    copies: copies[language].flatMap((frame) => fill(frame, said)),
  };
}

type Said = Readonly<Record<'brand' | 'host' | 'topic' | 'point' | 'sentence', readonly string[]>>;

/** A frame once for each thing it can be filled with: "topic 5 {topic}: das bietet {brand}". */
function fill(frame: string, said: Said): Part[] {
  const [way = '', weight = '', ...rest] = frame.split(' ');
  const text = rest.join(' ');
  // A host that is its own name would be named twice.
  if (said.brand[0] === said.host[0] && text.includes('{host}')) return [];
  const varying = (['topic', 'point', 'sentence'] as const).find((name) =>
    text.includes(`{${name}}`),
  );
  const values = varying === undefined ? [''] : said[varying];
  return values.map((value, index) => ({
    way,
    text: capitalize(
      text
        .replace('{brand}', () => said.brand[0] ?? '')
        .replace('{host}', () => said.host[0] ?? '')
        .replace(`{${varying ?? ''}}`, () => value),
    ),
    weight: Number(weight) - index,
    ...(varying === 'topic' ? { need: index } : {}),
  }));
}

/** Things people may want, each as it stands alone: "die eine Reiseversicherung suchen" names one. */
function readTopics(language: Framed, context: string): string[] {
  const { article, ending, people } = signs[language];
  const topics: string[] = [];
  for (const raw of context.slice(0, 2000).split(/[\n;•|,]+|(?<=[.!?])\s+/)) {
    const clause = trimEndSigns(calmText(cleanText(raw)), /[.!?]/);
    const isWish = ending.test(clause);
    const thing = withoutEach(clause.replace(ending, ''), article, isWish ? 3 : 1);
    if (!people.test(thing) && isThing(thing) && !topics.includes(thing)) topics.push(thing);
  }
  return topics.slice(0, 3).map((topic) => capitalize(topic));
}

/** Without some of them at its beginning: "die eine Reiseversicherung". */
function withoutEach(text: string, start: RegExp, most: number): string {
  let rest = text;
  for (let n = 0; n < most && start.test(rest); n += 1) rest = rest.replace(start, '');
  return rest;
}

/** Short, of letters; a word in its oblique form would be wrong where nothing bends it. */
function isThing(text: string): boolean {
  return (
    text.length >= 3 &&
    text.length <= 50 &&
    text.split(' ').length <= 5 &&
    /^\p{L}[\p{L}\p{N} &+-]*$/u.test(text) &&
    /\p{Lu}/u.test(text) &&
    !/^\p{Ll}+(?:en|em|es) /u.test(text)
  );
}

/** What an advertiser wants said, without what they say of the writing. */
function readWishes(language: Framed, prompt: string): Pick<Said, 'point' | 'sentence'> {
  const { asking, manner } = signs[language];
  const point: string[] = [];
  const sentence: string[] = [];
  for (const raw of prompt.slice(0, 3000).split(/[\n;•]+/))
    for (const whole of splitSentences(calmText(cleanText(raw)))) {
      const isAsked = asking.test(whole);
      const rest = trimEndSigns(whole.replace(asking, ''), /[.!?…]/);
      if (manner.test(rest) || !/^[\p{L}\p{N}]/u.test(rest) || /[@=/:]/.test(rest)) continue;
      if (isAsked || (rest.split(' ').length <= 5 && rest.length <= 60)) point.push(rest);
      else if (rest.length <= 200) sentence.push(withStop(capitalize(rest)));
    }
  return { point: point.slice(0, 4), sentence: sentence.slice(0, 4) };
}
