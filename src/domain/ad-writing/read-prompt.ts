// What an advertiser wants said, out of how they tell it to a writer: "Highlight free shipping.
// Friendly tone." says "free shipping".
import {
  calmText,
  capitalize,
  cleanText,
  isBalanced,
  splitSentences,
  withStop,
} from './clean-text.js';
import { phraseKind } from './noun-phrase.js';
import { termsOf } from '../text/terms.js';
import { trimEndSigns } from '../text/trim-signs.js';
import { writingLists } from './writing-lists.js';

export interface PromptFacts {
  /** Noun phrases to name: "free shipping and 30-day returns". */
  readonly points: readonly string[];
  /** Sentences that can stand as they are. */
  readonly sentences: readonly string[];
  /** The wording asked for on the button. */
  readonly cta: string | null;
}

const refusal = new RegExp(String.raw`^(?:please\s+)?(?:${writingLists.refusals})\s+`, 'i');
/** What a refusal says of the writing itself rules no subject out. */
const aboutManner = new RegExp(String.raw`\b(?:${writingLists.wordsAboutManner})\b`, 'i');

/** What must not be spoken of, each as the stems that name it: "Avoid prices and discounts." */
export function readAvoided(prompt: string): string[][] {
  return prompt
    .slice(0, 3000)
    .split(/[\n;•]+/)
    .flatMap((raw) => splitSentences(cleanText(raw)))
    .flatMap((sentence) => {
      const told = refusal.exec(sentence);
      return told === null ? [] : sentence.slice(told[0].length).split(/,| or | and |\//i);
    })
    .filter((subject) => !aboutManner.test(subject))
    .map((subject) => termsOf(subject))
    .filter((terms) => terms.length > 0 && terms.length <= 6)
    .slice(0, 20);
}

const instruction = new RegExp(
  String.raw`^(?:please\s+)?(?:also\s+|always\s+)?(?:${writingLists.instructions})\s+(?:the fact\s+)?`,
  'i',
);
const beforePoint = new RegExp(String.raw`^(?:${writingLists.beforePoints})\s+`, 'i');
const aboutWriting = new RegExp(String.raw`\b(?:${writingLists.wordsAboutWriting})\b`, 'i');
const finite = new RegExp(String.raw`\b(?:${writingLists.verbs})\b`, 'i');

export function readPrompt(prompt: string): PromptFacts {
  const points: string[] = [];
  const sentences: string[] = [];
  for (const raw of prompt.slice(0, 3000).split(/[\n;•]+/)) {
    for (const whole of splitSentences(
      calmText(cleanText(raw)).replace(/^[-–\d.)\s]+(?=\p{L})/u, ''),
    )) {
      const told = instruction.exec(whole);
      const rest = (told === null ? whole : whole.slice(told[0].length)).replace(/^[:\s]+/, '');
      if (
        !isBalanced(rest) ||
        !/^[\p{L}\p{N}$€£]/u.test(rest) ||
        rest.length > 200 ||
        rest.length < 4 ||
        /[@=/]|https?:/.test(rest)
      )
        continue;
      if (told === null && aboutWriting.test(whole))
        for (const asked of askedBeside(whole)) sort(asked, true, points, sentences);
      else sort(rest, told !== null, points, sentences);
    }
  }
  return {
    points: points.slice(0, 4),
    sentences: sentences.slice(0, 4),
    cta: wordedButton(prompt),
  };
}

/** "Friendly tone, mention free returns": what is asked for beside how to write. */
function askedBeside(sentence: string): string[] {
  return sentence.split(/,\s(?:and\s)?|\sand\s(?=\p{Ll})/u).flatMap((part) => {
    const told = instruction.exec(part);
    return told === null || aboutWriting.test(part) ? [] : [part.slice(told[0].length)];
  });
}

function sort(rest: string, wasTold: boolean, points: string[], sentences: string[]): void {
  const bare = trimEndSigns(rest, /[.!?…]/);
  const clause = /^(how|why|what|where)\s/i.exec(bare);
  const that = /^(?:that\s+)?(we|you|it|they|there)\s/i.exec(bare);
  if (clause !== null)
    return void (wasTold && sentences.push(`See ${bare[0]?.toLowerCase() ?? ''}${bare.slice(1)}.`));
  if (that !== null)
    return void sentences.push(withStop(capitalize(bare.replace(/^that\s+/i, ''))));
  const sentence = /^that\s/i.test(bare) ? bare.replace(/^that\s+/i, '') : bare;
  const isSentence =
    !wasTold &&
    finite.test(sentence) &&
    sentence.split(' ').length >= 4 &&
    /^\p{Lu}/u.test(sentence);
  if (isSentence || sentence !== bare) return void sentences.push(withStop(capitalize(sentence)));
  const point = bare.replace(beforePoint, '').replace(/\b(?:our|their)\s+/gi, '');
  // A loose remark is a point only when it surely names something: "Warm and inviting" is about the
  // tone.
  if (!wasTold && phraseKind(point) !== 'ready' && !/^\d/.test(point)) return;
  if (
    point.length <= 110 &&
    point.split(' ').length <= 16 &&
    !finite.test(point) &&
    !aboutWriting.test(point)
  )
    points.push(decapitalized(point));
}

/** For the middle of a sentence; names and abbreviations keep their capitals. */
function decapitalized(text: string): string {
  return /^\p{Lu}\p{Ll}+(?:[\s-]\p{Ll}|$)/u.test(text) || /^\p{Lu}\p{Ll}+ing\b/u.test(text)
    ? `${text[0]?.toLowerCase() ?? ''}${text.slice(1)}`
    : text;
}

function wordedButton(prompt: string): string | null {
  const [, quoted] =
    /(?:cta|call[- ]to[- ]action|button)\b[^"“'.\n]{0,30}["“']([^"”'\n]{2,40})["”']/i.exec(
      prompt,
    ) ??
    /["“']([^"”'\n]{2,40})["”'] as (?:the |a )?(?:cta|call[- ]to[- ]action|button)/i.exec(prompt) ??
    [];
  const [, plain] =
    /(?:^|[\n.;])[^\S\n]{0,20}(?:cta|call[- ]to[- ]action)\s{0,20}[:=]\s{0,20}([\p{L}][^\n.;"]{1,39})/iu.exec(
      prompt,
    ) ?? [];
  const text = cleanText(quoted ?? plain ?? '');
  return text.length >= 2 && /^\p{L}/u.test(text) ? capitalize(text) : null;
}
