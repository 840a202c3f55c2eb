// Facts that a description lists as "Name: value". They say what a listing is, as attributes do,
// and are read as such. Their names say little of it: "Battery type: none" is about no battery, and
// "Game controllers included: gamepad" no controller. Only where the value is a number or a yes does
// the name say what there is ("Bluetooth version: 4.0").

/** So many in one text are a list; fewer are a manner of speaking. */
const fewest = 3;
/** What is longer is a sentence under a heading ("Comfort: designed with layers of foam…"). */
const longestFact = 60;
const wordsOfName = 5;
/** A value that has a word before any number names something itself. */
const namesSomething = /^\P{N}*?\p{L}{4}/u;
const endsFact = new Set('.;|,•·\n!?');

export interface DescriptionParts {
  prose: string;
  facts: string;
  /** What the facts are called whose values name nothing: still found, though it says little. */
  names: string;
}

interface Span {
  name: number;
  value: number;
}

export function readStatedFacts(description: string): DescriptionParts {
  const spans = findNames(description);
  const endOf = (at: number): number => spans[at + 1]?.name ?? description.length;
  const isFact = spans.map(({ value }, at) => endOf(at) - value <= longestFact);
  if (isFact.filter(Boolean).length < fewest) return { prose: description, facts: '', names: '' };
  const prose = [description.slice(0, spans[0]?.name ?? 0)];
  const facts: string[] = [];
  const names: string[] = [];
  for (const [at, { name, value }] of spans.entries())
    if (isFact[at] === true) {
      const said = description.slice(value, endOf(at));
      facts.push(said);
      if (!namesSomething.test(said)) names.push(description.slice(name, value));
    } else prose.push(description.slice(name, endOf(at)));
  return { prose: prose.join(' '), facts: facts.join(' , '), names: names.join(' ') };
}

/** Each colon before a space, with where the name in front of it begins. */
function findNames(text: string): Span[] {
  const spans: Span[] = [];
  let after = 0;
  for (let colon = text.indexOf(': '); colon >= 0; colon = text.indexOf(': ', colon + 2)) {
    const name = nameBefore(text, colon, after);
    if (name < colon) spans.push({ name, value: colon + 2 });
    after = colon + 2;
  }
  return spans;
}

/** Back to a capital letter or to what ends the fact before, at most so many words. */
function nameBefore(text: string, colon: number, after: number): number {
  let start = colon;
  for (let words = 0; words < wordsOfName && start > after; words++) {
    const space = Math.max(text.lastIndexOf(' ', start - 2), text.lastIndexOf('\n', start - 2));
    const from = Math.max(space + 1, after);
    if (start < colon && endsFact.has(text.charAt(start - 2))) return start;
    start = from;
    const letter = text.charAt(start);
    if (letter !== letter.toLowerCase()) return start;
  }
  return start;
}
