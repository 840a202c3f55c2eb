// What the people a group is meant for want, read from its targeting text ("Runners looking for
// trail shoes", "crm, invoicing").
import { calmText, cleanText } from './clean-text.js';
import { asObject, headOf, phraseKind } from './noun-phrase.js';
import { trimEndSigns } from '../text/trim-signs.js';
import { writingLists } from './writing-lists.js';

export interface Need {
  /** Something to have, something people are doing, or something they want to do. */
  readonly kind: 'thing' | 'activity' | 'task';
  /** Fits after a colon or alone: "trail shoes", "planning a trip to Japan". */
  readonly topic: string;
  /** Fits after "about" or "for"; null when English would need an article nobody can be sure of. */
  readonly object: string | null;
  /** Whole questions, the plainest first. */
  readonly questions: readonly string[];
}

const mostNeeds = 3;
const stop = String.raw`(?=$|[.;:!?()]|\s(?:${writingLists.clauseStarts})\b|\s(?:and|or)\s(?:${writingLists.clauseVerbs})\b|\s(?:need|want)s?(?:ing)?\b)`;
const wanted = new RegExp(
  String.raw`\b(?:${writingLists.waysToWant})\s+(?!to\b)(.+?)${stop}`,
  'gi',
);
const toDo = new RegExp(String.raw`\b(?:${writingLists.waysToPlan}) to\s+(.+?)${stop}`, 'gi');
const inPlan = new RegExp(String.raw`\bplanning\s+(?!to\b)(.+?)${stop}`, 'gi');
const audience = new RegExp(String.raw`^(?:(?:${writingLists.audiences})\b\s*)+`, 'i');
const aboutAds = new RegExp(String.raw`\b(?:${writingLists.wordsAboutAds})\b`, 'i');

/** Words that begin an activity whatever follows them, and those that do so before a small word. */
const activities = new RegExp(String.raw`^(?:${writingLists.activities})\s`, 'i');
const activityBefore = new RegExp(
  String.raw`^[a-z]{2,}ing\s(?:${writingLists.afterActivities})\s`,
  'i',
);
const beforeItem = new RegExp(String.raw`^(?:${writingLists.beforeItems})\s+`, 'i');

export function readNeeds(context: string): Need[] {
  const needs: Need[] = [];
  for (const raw of context.slice(0, 2000).split(/[\n;•|]+|(?<=[.!?])\s+/)) {
    const clause = asInSentence(ownWords(trimEndSigns(calmText(cleanText(raw)), /[.!?]/)));
    for (const need of needsOf(clause)) {
      if (!needs.some((known) => known.topic.toLowerCase() === need.topic.toLowerCase()))
        needs.push(need);
    }
    if (needs.length >= mostNeeds) break;
  }
  return needs.slice(0, mostNeeds);
}

const told = new RegExp(String.raw`^(?:(?:${writingLists.crowdTellings})\s+)+`, 'i');
const crowd = new RegExp(
  String.raw`^(?:[\p{L}-]+\s){0,3}?(?:${writingLists.crowds})(?:\s(?:${writingLists.crowdClauses})\s.+)?$`,
  'iu',
);
const longestCrowd = 70;

/** Whom a group is meant for, in its own words: "freelancers who dread tax season"; or null. */
export function readCrowd(context: string): string | null {
  const [first = ''] = context.slice(0, 2000).split(/[\n;•|]+|(?<=[.!?])\s+/);
  const text = trimEndSigns(calmText(cleanText(first)), /[.!?]/).replace(told, '');
  const isFit =
    text.length <= longestCrowd &&
    crowd.test(text) &&
    !aboutAds.test(text.replace(audience, '')) &&
    !/["()=@:/]/.test(text);
  return isFit && !dangling.test(text) ? knownCase(lowerFirst(text)) : null;
}

function needsOf(clause: string): Need[] {
  const found: { at: number; need: Need | null }[] = [];
  for (const match of clause.matchAll(inPlan))
    found.push({ at: match.index, need: activity(`planning ${match[1] ?? ''}`) });
  for (const match of clause.matchAll(toDo))
    found.push({ at: match.index, need: task(match[1] ?? '') });
  for (const match of clause.matchAll(wanted))
    for (const item of itemsOf(match[1] ?? '')) found.push({ at: match.index, need: phrase(item) });
  if (found.length > 0)
    return found.sort((a, b) => a.at - b.at).flatMap(({ need }) => (need === null ? [] : [need]));
  // Who is meant is no thing to look for.
  if (crowd.test(clause)) return [];
  return itemsOf(clause.replace(audience, '')).flatMap((item) => phrase(item) ?? []);
}

/** "a, b or c" names three things; "sales and marketing software" one. */
function itemsOf(text: string): string[] {
  return text
    .split(/ ?, ?(?:and |or )?| or | \/ /i)
    .map((item) => item.replace(beforeItem, '').trim());
}

function phrase(item: string): Need | null {
  if (!isUsable(item)) return null;
  if (activities.test(item) || activityBefore.test(item)) return activity(item);
  const topic = knownCase(/^\p{Lu}\p{Ll}+ing\b/u.test(item) ? lowerFirst(item) : item);
  const object = asObject(topic);
  return {
    kind: 'thing',
    topic,
    object,
    questions:
      object === null
        ? []
        : headOf(topic).endsWith('ing')
          ? [`Interested in ${object}?`, `Thinking about ${object}?`]
          : [`Looking for ${object}?`, `Interested in ${object}?`],
  };
}

function activity(item: string): Need | null {
  if (!isUsable(item)) return null;
  const topic = knownCase(item);
  const asked = `${topic[0]?.toUpperCase() ?? ''}${topic.slice(1)}?`;
  return {
    kind: 'activity',
    topic,
    object: topic,
    questions: /^planning\s/i.test(topic)
      ? [asked, `Still ${lowerFirst(topic)}?`]
      : [asked, `Thinking about ${lowerFirst(topic)}?`],
  };
}

function task(item: string): Need | null {
  if (!isUsable(item) || /^(?:be|have|know|see|get)\s*$/i.test(item)) return null;
  const doing = knownCase(lowerFirst(item));
  return {
    kind: 'task',
    topic: `how to ${doing}`,
    object: `how to ${doing}`,
    questions: [`Want to ${doing}?`, `Trying to ${doing}?`],
  };
}

const wholeThought = new RegExp(String.raw`\b(?:${writingLists.wordsOfSentences})\b`, 'i');
const dangling = new RegExp(String.raw`(?:,|\s(?:${writingLists.danglingWords}))$`, 'i');

/** Short, of letters, about the people's wish and not about advertising. */
function isUsable(item: string): boolean {
  const isShort = item.length <= 60 && item.split(' ').length <= 9;
  const isText = /^[\p{L}\p{N}]/u.test(item) && /\p{L}{2}/u.test(item) && !/["()=@:/]/.test(item);
  return (
    isShort &&
    isText &&
    !dangling.test(item) &&
    !aboutAds.test(item) &&
    !wholeThought.test(item) &&
    (headOf(item) !== '' || phraseKind(item) === 'ready')
  );
}

/** Told about people, asked to one of them. */
function ownWords(text: string): string {
  return text
    .replace(/\btheir\b/gi, 'your')
    .replace(/\bthemselves\b/gi, 'yourself')
    .replace(/\bthem\b/gi, 'you');
}

const abbreviations = new RegExp(String.raw`\b(?:${writingLists.abbreviations})\b`, 'g');
function knownCase(text: string): string {
  return text.replace(abbreviations, (word) =>
    word === 'apis' ? 'APIs' : word === 'saas' ? 'SaaS' : word.toUpperCase(),
  );
}

/** Names keep their capital: only a word that begins an otherwise small phrase is put down. */
const properNames = new RegExp(String.raw`^(?:${writingLists.properNames})$`, 'i');

/** Names of languages and countries that are one word. */
const placeNames = new Set(
  (['language', 'region'] as const).flatMap((type) => {
    const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((one) => letters.map((other) => `${one}${other}`));
    return codes.map((code) => names.of(code)?.toLowerCase() ?? '');
  }),
);

/** A capital that only began the text is put down; names keep theirs. */
function asInSentence(clause: string): string {
  const word = /^\p{Lu}\p{Ll}+(?=$|[,\s])(?!\s\p{Lu})/u.exec(clause)?.[0];
  if (word === undefined || properNames.test(word) || placeNames.has(word.toLowerCase()))
    return clause;
  return lowerFirst(clause);
}

function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Ll}+ing\b/u.test(text) || /^\p{Lu}\p{Ll}+\s\p{Ll}/u.test(text)
    ? `${text[0]?.toLowerCase() ?? ''}${text.slice(1)}`
    : text;
}
