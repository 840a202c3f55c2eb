import { termsOf } from '../text/terms.js';
import { capitalize, cutAtWord } from './clean-text.js';
import { asObject } from './noun-phrase.js';
import type { Part } from './compose-ads.js';
import type { Need } from './read-needs.js';
import type { PromptFacts } from './read-prompt.js';
import { writingLists } from './writing-lists.js';

export interface Said {
  readonly brand: string;
  readonly host: string;
  readonly needs: readonly Need[];
  /** Whom it is for, where the brief names them. */
  readonly crowd: string | null;
  readonly prompt: PromptFacts;
  /** Stems of everything the page says; empty when it was not read. */
  readonly pageTerms: ReadonlySet<string>;
  readonly price: string | null;
  readonly productName: string | null;
}

/** "{topic} from {brand}" says that the brand sells it: only where the page names it. */
function isOffered(need: Need, said: Said): boolean {
  const terms = termsOf(need.topic);
  return (
    need.kind === 'thing' &&
    need.object !== null &&
    terms.length > 0 &&
    need.topic.split(' ').length <= 4 &&
    !/\s(?:to|in|on|at)\s/.test(need.topic) &&
    terms.every((term) => said.pageTerms.has(term))
  );
}

export function frameHeadlines(said: Said): Part[] {
  const { brand, needs, prompt } = said;
  const parts: Part[] = [];
  const add = (way: string, text: string, weight: number, need?: number): void =>
    void parts.push({ way, text, weight, ...(need === undefined ? {} : { need }) });
  for (const [index, need] of needs.entries()) {
    const weight = 6 - index;
    for (const [place, question] of need.questions.entries())
      add('question', question, weight - place * 2.5, index);
    if (isOffered(need, said))
      add('offer', `${capitalize(need.object ?? need.topic)} from ${brand}`, weight + 0.5, index);
    add(
      'topic',
      `${capitalize(need.topic)}: see what ${brand} offers`,
      need.object === null ? weight - 1 : weight - 3,
      index,
    );
  }
  if (said.crowd !== null) {
    add('crowd', `For ${said.crowd}`, 5);
    add('crowd', `${brand} for ${said.crowd}`, 3.4);
  }
  for (const [index, point] of prompt.points.entries())
    add(
      'point',
      capitalize(point.length > 80 ? cutAtWord(point, 80) : point),
      // What the advertiser asked for goes before what the page happens to say.
      point.length > 80 ? 0 : 8 - index,
    );
  for (const sentence of prompt.sentences)
    if (sentence.length <= 60) add('said', sentence.replace(/\.$/, ''), 3);
  if (said.price !== null && said.productName !== null)
    add('price', `${said.productName}, ${said.price}`, 4);
  add('brand', `See what ${brand} offers`, 2);
  add('brand', `A closer look at ${brand}`, 1.5);
  add('brand', `Get to know ${brand}`, 1);
  add('brand', `Have you seen ${brand}?`, 0.5);
  add('brand', 'Worth a closer look', 0.2);
  add('brand', 'Take a look before you decide', 0.1);
  return parts;
}

type Add = (way: string, text: string, weight: number, need?: number) => void;

export function frameCopies(said: Said, pageSentences: readonly string[]): Part[] {
  const { brand, host, needs, prompt } = said;
  const parts: Part[] = [];
  const add: Add = (way: string, text: string, weight: number, need?: number): void =>
    void parts.push({ way, text, weight, ...(need === undefined ? {} : { need }) });
  const fromBrief = [
    ...prompt.sentences,
    ...prompt.points.map((point) => {
      const object = asObject(point);
      return object === null ? `${brand}: ${point}.` : `With ${brand} you get ${object}.`;
    }),
  ];
  for (const [index, text] of fromBrief.entries()) add('brief', text, 10 - index * 0.5);
  const [first, second] = fromBrief;
  if (first !== undefined && second !== undefined) add('briefs', `${first} ${second}`, 9.2);
  for (const [index, need] of needs.entries())
    frameQuestions(
      add,
      brand,
      [...pageSentences.slice(0, 3), ...fromBrief.slice(0, 2)],
      need,
      index,
    );
  for (const [index, need] of needs.entries())
    add('place', placeOf(need, brand), 3 - index * 0.5, index);
  const [need] = needs;
  if (need !== undefined)
    add(
      'start',
      need.kind === 'thing'
        ? `Compare what ${brand} offers with what you have in mind.`
        : `A look at ${brand} may be a good place to start.`,
      2.8,
    );
  if (need !== undefined)
    add(
      'look',
      need.kind === 'thing'
        ? `See what ${brand} has to offer, and take your time to decide.`
        : `See how ${brand} can help, and take it from there.`,
      3.2,
    );
  if (said.crowd !== null) frameCrowd(add, brand, said.crowd);
  framePlainly(add, brand, host);
  return parts;
}

/** A question somebody with the need asks, and what answers it. */
function frameQuestions(
  add: Add,
  brand: string,
  sentences: readonly string[],
  need: Need,
  index: number,
): void {
  const [question, other] = need.questions;
  if (question === undefined) return;
  for (const [place, sentence] of sentences.entries())
    if (!sentence.includes('?'))
      add('answer', `${question} ${sentence}`, 5.5 - index - place * 0.5, index);
  add(
    'invite',
    need.kind === 'thing'
      ? `${question} See what ${brand} has to offer.`
      : `${question} See how ${brand} can help.`,
    4.5 - index,
    index,
  );
  if (other !== undefined)
    add(
      'consider',
      `${other} Put ${brand} on your list and see how it compares.`,
      3.5 - index,
      index,
    );
}

/** To those the brief names, without saying that they are the reader. */
function frameCrowd(add: Add, brand: string, crowd: string): void {
  add('crowd', `See how ${brand} can help ${crowd}.`, 4);
  add('look', `See how ${brand} can help, and take it from there.`, 3.6);
  add('start', `A look at ${brand} may be a good place to start.`, 2.8);
}

/** What can be said of any brand. */
function framePlainly(add: Add, brand: string, host: string): void {
  add(
    'plain',
    brand === host ? `Find out more at ${host}.` : `Find out more about ${brand} at ${host}.`,
    1.5,
  );
  add('plain', `Visit ${brand} and see whether it is right for you.`, 1.2);
  add('plain', `Take a few minutes to look at ${brand} before you decide.`, 1);
  add('plain', `Have a look at ${brand} and compare it with what you know.`, 0.8);
  add('plain', `Curious about ${brand}? Look around and make up your own mind.`, 0.6);
}

function placeOf(need: Need, brand: string): string {
  if (need.object === null)
    return `${capitalize(need.topic)} on your mind? Visit ${brand} and look around.`;
  switch (need.kind) {
    case 'thing':
      return `For ${need.object}, ${brand} is one place to look.`;
    case 'activity':
      return `For anyone ${need.topic[0]?.toLowerCase() ?? ''}${need.topic.slice(1)}, ${brand} is worth a look.`;
    case 'task':
      return `If you want to ${need.topic.replace(/^how to /, '')}, take a look at ${brand}.`;
  }
}

export function neutralCtas(brand: string): string[] {
  const visit = brand.length <= 24 ? [`Visit ${brand}`] : ['Visit the website'];
  return ['Learn more', 'Take a look', ...visit, 'Find out more', 'See the details'];
}

export function localCtas(language: string): string[] {
  const { calls } = writingLists;
  return [...(isKnown(language) ? calls[language] : calls.en)];
}

function isKnown(language: string): language is keyof typeof writingLists.calls {
  return Object.hasOwn(writingLists.calls, language);
}
