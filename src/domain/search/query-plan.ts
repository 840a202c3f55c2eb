// From the words of a query to what the engine is asked for: each wanted word with its other
// spellings, compounds and synonyms.
import type { Alternative, Bm25f, QueryGroup } from './bm25f.js';
import { zone } from './scored.js';
import { equalMeasures, isNumber } from './measures.js';
import { isEverydayWord } from './known-words.js';
import { hasPhrase } from './has-phrase.js';
import { isProductWord, namesProductKind } from './product-categories.js';
import { isSlight, type ParsedQuery, type WantedWord } from './product-query.js';
import { gluedForm, negatedMark } from './product-terms.js';
import type { RaggedStore } from './ragged-store.js';
import { colorsAnswering } from './colors.js';
import { repairSpelling } from './spelling.js';
import type { SynonymPhrase } from './synonyms.js';
import { stemOf, type TermDictionary } from './term-dictionary.js';

export interface PlannedGroup extends QueryGroup {
  words: string[];
  /** Terms that count as this group when a title is read word by word. */
  terms: number[];
  /** Rarity of the group, its share of the whole query. */
  rarity: number;
  aside: boolean;
  detail: boolean;
  joinsNext: boolean;
  repaired: boolean;
  unknown: boolean;
  /** Spelling number as typed, or -1. */
  spelling: number;
}

export interface QueryPlan {
  groups: PlannedGroup[];
  /** Each entry: term numbers that together must not be in a product. */
  unwanted: number[][];
  /** Marks a product carries when it says it is without the unwanted thing. */
  refusals: number[];
  corrected: string | null;
  excluded: string[];
}

export interface Lexicon {
  dictionary: TermDictionary;
  engine: Bm25f;
  titles: RaggedStore;
  docCount: number;
  synonyms: ReadonlyMap<string, readonly SynonymPhrase[]>;
}

const repairWeight = 0.85;
const manyGroups = 4;
const mostGroups = 24;
const tellingRarity = 2;
const supportShare = 0.35;
const detailRarity = 0.2;
const detailWeight = 0.2;

export function rarityOf(frequency: number, docCount: number): number {
  return Math.log(1 + (docCount - Math.min(frequency, docCount) + 0.5) / (frequency + 0.5));
}

export function planQuery(parsed: ParsedQuery, lexicon: Lexicon): QueryPlan {
  const groups: PlannedGroup[] = [];
  const wanted = parsed.wanted.slice(0, 60);
  for (let at = 0; at < wanted.length; at++) {
    const one = wanted[at];
    if (one === undefined) continue;
    if (one.absent !== undefined) {
      groups.push(...planAbsence(one, one.absent, lexicon));
      continue;
    }
    const joined = joinedAt(wanted, at, lexicon);
    groups.push(...(joined ?? [planWord(one, lexicon)]));
    if (joined !== null) at += joined.length - 1;
  }
  const found = mergeRepeats(withSynonyms(groups, lexicon));
  const merged = parsed.long ? quieterDetails(found) : found;
  const wantedTerms = new Set(merged.flatMap((group) => group.terms));
  const unwanted: number[][] = [];
  const refusals: number[] = [];
  const excluded: string[] = [];
  for (const phrase of parsed.unwanted) {
    const terms = phrase.map((word) => lexicon.dictionary.lookup(word));
    const mark = lexicon.dictionary.lookupMark(negatedMark(phrase.at(-1) ?? ''));
    if (mark >= 0) refusals.push(mark);
    if (terms.some((term) => term < 0 || wantedTerms.has(term))) continue;
    unwanted.push(terms);
    excluded.push(phrase.join(' '));
  }
  const repaired = merged.filter((group) => group.repaired);
  return {
    groups: withSupport(merged),
    unwanted,
    refusals,
    excluded,
    corrected: repaired.length === 0 ? null : merged.map((group) => group.words[0]).join(' '),
  };
}

/**
 * Two or three words the catalog also writes as one ("flash light"): the pair, and the compound
 * as another way to say each part.
 */
function joinedAt(
  wanted: readonly WantedWord[],
  at: number,
  lexicon: Lexicon,
): PlannedGroup[] | null {
  for (const length of [3, 2]) {
    const parts = wanted.slice(at, at + length);
    if (
      parts.length < length ||
      parts.some(
        (part, index) =>
          part.measure || part.absent !== undefined || (index < length - 1 && !part.joinsNext),
      )
    )
      continue;
    const whole = gluedForm(parts.map((part) => part.word).join(''));
    if (whole.length < 4 || parts.every((part) => isNumber(part.word))) continue;
    const term = lexicon.dictionary.lookup(whole);
    if (term < 0) continue;
    const frequency = lexicon.engine.frequency(term);
    if (frequency === 0) continue;
    return parts.map((part) => {
      const group = planWord(part, lexicon);
      return withAlternative(
        group,
        { term, weight: 1 },
        term,
        group.unknown
          ? rarityOf(frequency, lexicon.docCount)
          : Math.min(group.rarity, rarityOf(frequency, lexicon.docCount)),
      );
    });
  }
  return null;
}

/**
 * "Nonslip" is that word, or any listing that says it does not slip; nothing when the catalog
 * speaks of neither.
 */
function planAbsence(wanted: WantedWord, absent: string, lexicon: Lexicon): PlannedGroup[] {
  const { dictionary, engine, docCount } = lexicon;
  let group = emptyGroup(wanted, dictionary);
  for (const term of [dictionary.lookup(wanted.word), dictionary.lookupMark(negatedMark(absent))]) {
    const frequency = term > 0 ? engine.frequency(term) : 0;
    if (frequency > 0)
      group = withAlternative(
        group,
        { term, weight: 1 },
        term,
        group.unknown
          ? rarityOf(frequency, docCount)
          : Math.min(group.rarity, rarityOf(frequency, docCount)),
      );
  }
  return group.unknown ? [] : [group];
}

function emptyGroup(wanted: WantedWord, dictionary: TermDictionary): PlannedGroup {
  return {
    words: [wanted.word],
    terms: [],
    alternatives: [],
    rarity: 0,
    weight: 0,
    aside: wanted.aside,
    detail: wanted.detail,
    joinsNext: wanted.joinsNext,
    repaired: false,
    unknown: true,
    spelling: dictionary.lookupSpelling(wanted.word),
  };
}

function withAlternative(
  group: PlannedGroup,
  alternative: Alternative,
  term: number,
  rarity: number,
): PlannedGroup {
  const terms = term > 0 ? [...group.terms, term] : group.terms;
  return {
    ...group,
    alternatives: [...group.alternatives, alternative],
    terms,
    rarity,
    weight: rarity,
    unknown: false,
  };
}

function planWord(wanted: WantedWord, lexicon: Lexicon): PlannedGroup {
  const { word } = wanted;
  const { dictionary, engine, docCount } = lexicon;
  const term = dictionary.lookup(word);
  const frequency = term < 0 ? 0 : engine.frequency(term);
  let group = emptyGroup(wanted, dictionary);
  if (frequency > 0)
    group = withAlternative(group, { term, weight: 1 }, term, rarityOf(frequency, docCount));
  if (wanted.measure) return withMeasures(group, word, lexicon);
  group = withPhrases(group, word, lexicon);
  if (group.unknown && !isProductWord(word) && !isEverydayWord(word))
    group = withRepairs(group, word, lexicon);
  return isSlight(word)
    ? { ...group, rarity: group.rarity * 0.6, weight: group.rarity * 0.6 }
    : group;
}

function withMeasures(group: PlannedGroup, word: string, lexicon: Lexicon): PlannedGroup {
  let out = group;
  for (const equal of equalMeasures(word)) {
    const term = lexicon.dictionary.lookup(equal);
    if (term > 0)
      out = withAlternative(
        out,
        { term, weight: 0.9 },
        term,
        rarityOf(lexicon.engine.frequency(term), lexicon.docCount),
      );
  }
  const bare = lexicon.dictionary.lookup(/^[\d./]+/.exec(word)?.[0] ?? '');
  if (bare > 0)
    out = withAlternative(
      out,
      { term: bare, weight: 0.4 },
      bare,
      out.unknown ? rarityOf(lexicon.engine.frequency(bare), lexicon.docCount) * 0.6 : out.rarity,
    );
  return out;
}

function withPhrases(group: PlannedGroup, word: string, lexicon: Lexicon): PlannedGroup {
  let out = group;
  if (!group.unknown && knownTo(group, lexicon) > Math.max(50, lexicon.docCount / 50)) return group;
  for (const parts of splitsOf(word, lexicon)) {
    const exact = phraseDocs(parts, 0, lexicon);
    const docs = exact.length > 0 && !group.unknown ? exact : phraseDocs(parts, 1, lexicon);
    if (docs.length === 0) continue;
    out = withAlternative(
      out,
      { docs, strength: 0.8, zones: zone.name, weight: 1 },
      parts[1] ?? 0,
      out.unknown
        ? rarityOf(docs.length, lexicon.docCount)
        : Math.min(out.rarity, rarityOf(docs.length, lexicon.docCount)),
    );
  }
  return out;
}

function knownTo(group: PlannedGroup, { engine }: Lexicon): number {
  return Math.max(0, ...group.terms.map((term) => engine.frequency(term)));
}

/** Ways to read one word as two known ones, the likeliest two. */
function splitsOf(word: string, { dictionary, engine }: Lexicon): number[][] {
  if (word.length < 6) return [];
  const found: { parts: number[]; least: number }[] = [];
  for (let at = 2; at <= word.length - 2; at++) {
    const first = dictionary.lookup(word.slice(0, at));
    const second = first < 0 ? -1 : dictionary.lookup(word.slice(at));
    if (second < 0 || first === second) continue;
    const least = Math.min(engine.frequency(first), engine.frequency(second));
    if (least >= 1) found.push({ parts: [first, second], least });
  }
  return found
    .sort((a, b) => b.least - a.least)
    .slice(0, 2)
    .map((each) => each.parts);
}

export function phraseDocs(
  parts: readonly number[],
  between: number,
  { engine, titles, dictionary }: Lexicon,
): number[] {
  const [rarest] = [...parts].sort((a, b) => engine.frequency(a) - engine.frequency(b));
  const docs: number[] = [];
  if (rarest !== undefined)
    engine.visit(rarest, (doc, zones) => {
      if (
        (zones & zone.name) !== 0 &&
        hasPhrase(titles.get(doc), parts, between, (spelling) =>
          dictionary.termOfSpelling(spelling),
        )
      )
        docs.push(doc);
    });
  return docs;
}

function withRepairs(group: PlannedGroup, word: string, lexicon: Lexicon): PlannedGroup {
  // A colour nobody sells is no slip for something else.
  if (colorsAnswering(word) !== null) return group;
  let out = group;
  for (const repair of repairSpelling(word, lexicon.dictionary.spellings(), (term) =>
    lexicon.engine.frequency(term),
  )) {
    const rarity = rarityOf(lexicon.engine.frequency(repair.term), lexicon.docCount);
    out = {
      ...withAlternative(
        out,
        { term: repair.term, weight: repairWeight },
        repair.term,
        out.unknown ? rarity : Math.min(out.rarity, rarity),
      ),
      repaired: true,
      words: out.repaired ? out.words : [repair.word],
    };
  }
  return out;
}

/**
 * The same word twice is one wish; in a long query, words that stand in every eighth listing decide
 * nothing, unless they name the thing.
 */
function mergeRepeats(groups: readonly PlannedGroup[]): PlannedGroup[] {
  const kept: PlannedGroup[] = [];
  for (const group of groups) {
    const first = group.terms[0];
    if (first === undefined || !kept.some((each) => each.terms[0] === first)) kept.push(group);
  }
  const telling =
    kept.length > manyGroups
      ? kept.filter(
          (group) =>
            group.unknown ||
            group.rarity >= tellingRarity ||
            namesProductKind(group.words[0] ?? ''),
        )
      : kept;
  const chosen = telling.length >= manyGroups / 2 ? telling : kept;
  if (chosen.length <= mostGroups) return chosen;
  const least = chosen.map((group) => group.rarity).sort((a, b) => b - a)[mostGroups - 1] ?? 0;
  return chosen.filter((group) => group.rarity >= least).slice(0, mostGroups);
}

/**
 * A long text says what is wanted first and talks about it afterwards: the talk moves results, it
 * must not decide which they are.
 */
function quieterDetails(groups: readonly PlannedGroup[]): PlannedGroup[] {
  if (groups.every((group) => group.detail)) return [...groups];
  return groups.map((group) =>
    group.detail
      ? {
          ...group,
          rarity: group.rarity * detailRarity,
          weight: group.weight * detailWeight,
          supporting: true,
        }
      : group,
  );
}

/**
 * In a long query the commonest words, together no more than a third of what was said, only support
 * the others.
 */
function withSupport(groups: readonly PlannedGroup[]): PlannedGroup[] {
  if (groups.length <= manyGroups) return [...groups];
  let left = groups.reduce((sum, group) => sum + group.rarity, 0) * supportShare;
  const supporting = new Set<PlannedGroup>();
  for (const group of [...groups].sort((a, b) => a.rarity - b.rarity)) {
    left -= group.rarity;
    if (left < 0) break;
    if (!namesProductKind(group.words[0] ?? '')) supporting.add(group);
  }
  return groups.map((group) => ({
    ...group,
    supporting: group.supporting === true || supporting.has(group),
  }));
}

/**
 * Adds synonyms of one to three neighbouring words. The synonym of a pair counts for both its
 * words.
 */
function withSynonyms(groups: readonly PlannedGroup[], lexicon: Lexicon): PlannedGroup[] {
  const out = [...groups];
  for (let at = 0; at < out.length; at++) {
    for (const length of [3, 2, 1]) {
      const run = out.slice(at, at + length);
      if (run.length < length || run.some((group, index) => index < length - 1 && !group.joinsNext))
        continue;
      const key = run.map((group) => stemOf(group.words[0] ?? '')).join(' ');
      for (const phrase of lexicon.synonyms.get(key) ?? []) {
        for (let index = at; index < at + length; index++)
          out[index] = withSynonym(out[index] as PlannedGroup, phrase, lexicon); // within out
      }
    }
  }
  return out;
}

function withSynonym(group: PlannedGroup, phrase: SynonymPhrase, lexicon: Lexicon): PlannedGroup {
  const terms = phrase.words.map((word) => lexicon.dictionary.lookup(word));
  if (terms.some((term) => term < 0)) return group;
  const [only] = terms;
  const { weight } = phrase;
  if (only === undefined) return group;
  if (terms.length === 1) {
    const frequency = lexicon.engine.frequency(only);
    if (frequency === 0 || group.terms.includes(only)) return group;
    const rarity = rarityOf(frequency, lexicon.docCount);
    return withAlternative(
      group,
      { term: only, weight },
      only,
      group.unknown ? rarity : group.rarity,
    );
  }
  const docs = phraseDocs(terms, 0, lexicon);
  if (docs.length === 0) return group;
  return withAlternative(
    group,
    { docs, strength: 0.8, zones: zone.name, weight },
    0,
    group.unknown ? rarityOf(docs.length, lexicon.docCount) : group.rarity,
  );
}
