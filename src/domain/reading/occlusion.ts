import { chance } from './calibration.js';
import type { Reading } from './reading.js';
import type { Turns } from './turns.js';

/** What a part of a conversation did to the reading: with it, the chance is so much higher. */
export type PartEffect = { part: string; need: number; sensitivity: number };

export type ReadingExplained = {
  need: number;
  sensitivity: number;
  foreign: number;
  /** The message before and what the assistant said. */
  turns: PartEffect[];
  /** Words of the newest message, those that moved most first. */
  words: PartEffect[];
};

const mostWords = 24;
const shownWords = 8;

/**
 * Reads it again without each turn and each word: what changes is what they did. Some thirty passes
 * of the model, so only when somebody asks why.
 */
export async function explainReading(
  turns: Turns,
  read: (turns: Turns) => Promise<Reading>,
): Promise<ReadingExplained> {
  const whole = await read(turns);
  const without = async (part: string, rest: Turns): Promise<PartEffect> => {
    const reading = await read(rest);
    return {
      part,
      need: rounded(chance(whole.need) - chance(reading.need)),
      sensitivity: rounded(chance(whole.never) - chance(reading.never)),
    };
  };
  const words = turns.newest.split(/\s+/).filter((word) => word !== '');
  const looked = words.slice(0, mostWords);
  const effects = await Promise.all(
    looked.map((word, at) =>
      without(word.slice(0, 60), {
        ...turns,
        newest: words.filter((_, other) => other !== at).join(' '),
      }),
    ),
  );
  const strength = ({ need, sensitivity }: PartEffect): number =>
    Math.max(Math.abs(need), Math.abs(sensitivity));
  return {
    need: rounded(chance(whole.need)),
    sensitivity: rounded(chance(whole.never)),
    foreign: rounded(chance(whole.foreign)),
    turns: await Promise.all([
      ...(turns.previous === null
        ? []
        : [without('the message before', { ...turns, previous: null })]),
      ...(turns.assistant === null
        ? []
        : [without('what the assistant said', { ...turns, assistant: null })]),
    ]),
    words: effects.sort((a, b) => strength(b) - strength(a)).slice(0, shownWords),
  };
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}
