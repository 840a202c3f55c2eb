import { tokenize } from '../text/tokenize.js';

export type PlainTalk = 'empty' | 'small_talk' | 'code' | 'foreign_script';

const longestTalk = 60;
const letters = /\p{L}/gu;
const latin = /\p{Script=Latin}/u;
const lettersLookedAt = 400;

/**
 * What is certain before any model reads it. `idle` are whole messages that ask for nothing. Null
 * leaves it to the reading.
 */
export function plainTalk(newest: string, idle: ReadonlySet<string>): PlainTalk | null {
  if (isCode(newest)) return 'code';
  if (isForeignScript(newest)) return 'foreign_script';
  if (newest.length > longestTalk) return null;
  const said = tokenize(newest).join(' ');
  if (said === '') return 'empty';
  return idle.has(said) ? 'small_talk' : null;
}

/** More than half of it stands between fences, and little is said around them. */
function isCode(text: string): boolean {
  const parts = text.split('```');
  if (parts.length < 2) return false;
  const fenced = parts.reduce((sum, part, at) => sum + (at % 2 === 1 ? part.length : 0), 0);
  return fenced > text.length / 2;
}

/** Most of its letters are of a script the model has hardly met. */
function isForeignScript(text: string): boolean {
  const found =
    text
      .slice(0, 4 * lettersLookedAt)
      .match(letters)
      ?.slice(0, lettersLookedAt) ?? [];
  const foreign = found.filter((letter) => !latin.test(letter)).length;
  return foreign > found.length / 2;
}
