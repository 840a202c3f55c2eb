import { isStopWord } from '../text/stop-words.js';
import { tokenize } from '../text/tokenize.js';

/** The model's work grows with every word; eight hold what most requests are about. */
const enoughWords = 8;
/** A story is read whole: without its small words, the side remarks in it would outweigh the need. */
const storyWords = 20;

/** The words that say least, left out first. */
const grammar = new Set(`
a an the please just really very so some any that this there it its also then
is are am be was were been im i id ill ive we you your my me our us will would could can should do does did have has had
to of in on at for and or with from by as but if about because
`.trim().split(/\s+/));

/** A request in fewer words for the model: it loses as many of its small words as it has too many, the emptiest first. */
export function gist(text: string): string {
  let words = tokenize(text);
  if (words.length <= enoughWords || words.length > storyWords) return text;
  for (const saysLittle of [(word: string) => grammar.has(word), isStopWord]) {
    let spare = words.length - enoughWords;
    words = words.filter((word) => spare <= 0 || !saysLittle(word) || spare-- <= 0);
  }
  return words.join(' ');
}
