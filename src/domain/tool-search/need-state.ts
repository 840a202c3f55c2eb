import { type Constraints, failedBy, noConstraints } from './constraints.js';
import type { Mention } from './find-mentions.js';
import type { NeedContext, Reading } from './read-need.js';
import { readContext } from './read-need.js';
import { frameworkLanguages, readStack, type Stack } from './read-stack.js';
import type { Base, NamedTool, Tool, ToolCategory } from './tool.js';
import type { MakerWish, Wishes } from './read-wishes.js';
import { isFiller, toolTerms } from './tool-terms.js';
import { phraseLists } from './phrase-lists.js';

/**
 * A need as understood after all that was said: what is stored between the turns of a conversation.
 */
export interface NeedState {
  /** What the tool is for, in the words used. */
  text: string;
  constraints: Constraints;
  cheap: boolean;
  /** Recommended so far, in order; never again unless asked for by name. */
  shown: readonly string[];
  /** Refused by name. */
  refused: readonly string[];
  /** Tools the wanted one should be like. */
  like: readonly string[];
  /** What is wanted instead of them is said: they only tell its kind. */
  isSaid?: boolean;
  /** Tools the need only happens beside. */
  beside: readonly string[];
  /** Words the tool should not be about; searches of before had none. */
  unwanted?: readonly string[];
  /** What is there that some tools keep their data in; searches of before had none. */
  bases?: readonly Base[];
  /** Those of them nobody asks for; searches of before had none. */
  basesThere?: readonly Base[];
  /** Those that are to be left; searches of before had none. */
  basesLeft?: readonly Base[];
  /** Languages and frameworks that are refused; searches of before had none. */
  stackRefused?: readonly string[];
  /** Where the maker should be, or should not; searches of before had none. */
  maker?: MakerWish | null;
  category: ToolCategory | null;
}

export interface Turn {
  state: NeedState;
  /** The tool asked for by name. */
  named: string | null;
  /** It is only mentioned, in the category of the need. */
  isGuess: boolean;
  /** What to look for. A stack that only the context names is no part of it. */
  text: string;
  /** The conversation moved to another need. */
  isNewNeed: boolean;
  /** Cheaper than this tool, asked in this message. */
  cheaperThan: Tool | null;
  /**
   * The stack, and what this message itself sets as a condition: all that binds a new need when
   * nothing meets the earlier ones too.
   */
  essential: Constraints;
  /** Only the caller's surroundings name a stack: it chooses among tools, it rules none out. */
  isStackAside: boolean;
}

/** What a text is about. */
export type TopicOf = (text: string) => { category: ToolCategory; certainty: number };

export interface ToolLookup {
  find(slug: string): Tool | undefined;
  /** Also what is only known by name. */
  named(slug: string): NamedTool | undefined;
  topicOf: TopicOf;
}

const emptyState: NeedState = {
  text: '',
  constraints: noConstraints,
  cheap: false,
  shown: [],
  refused: [],
  like: [],
  beside: [],
  category: null,
};
/** What another need does not take over. */
const nothingSaid: Partial<NeedState> = {
  like: [],
  beside: [],
  unwanted: [],
  bases: [],
  basesThere: [],
  basesLeft: [],
  text: '',
};
const longestText = 600;
/** Below this the tool index does not know what a text is about. */
const sure = 0.35;
/** Enough where a tool that is refused or to be left says the same. */
const hinted = 0.1;
/** Above this it does, whatever tool is to be left. */
const certain = 0.6;
/** Above this nothing else counts. */
const undoubted = 0.85;
const alsoNeeds = new RegExp(
  String.raw`^\W*(?:(?:${phraseLists.thanks})\W+)*(?:${phraseLists.alsoNeeds})\b`,
  'i',
);

/** Adds a message and its context to what was understood before. */
export function takeTurn(
  before: NeedState | null,
  reading: Reading,
  context: NeedContext,
  lookup: ToolLookup,
): Turn {
  const known = before ?? emptyState;
  const outside = readContext(context);
  const { asked, guessed, left, refused, beside } = sortMentions(reading, lookup, before !== null);
  const { text, isNewNeed, like, isSaid } = mergeTexts(before, reading, lookup, {
    left,
    refused: reading.mentions.flatMap(({ slug, role }) => (role === 'unwanted' ? [slug] : [])),
  });
  const fresh = isNewNeed ? { ...known, ...nothingSaid } : known;
  const last = known.shown.at(-1);
  const cheaperThan =
    reading.wishes.cheaper && last !== undefined && !isNewNeed ? (lookup.find(last) ?? null) : null;
  const constraints = mergeConstraints(
    mergeConstraints(fresh.constraints, outside.stack, outside.wishes, before === null),
    reading.stack,
    reading.wishes,
    false,
  );
  // Who asks outright gets the tool whatever else was said; a guess must not break a constraint.
  const named =
    asked ??
    (guessed !== undefined && failedBy(guessed, constraints).length === 0 ? guessed.slug : null);
  return {
    named,
    isGuess: asked === null && named !== null,
    text,
    isNewNeed,
    cheaperThan,
    isStackAside:
      reading.stack.languages.length + reading.stack.frameworks.length === 0 &&
      outside.stack.languages.length + outside.stack.frameworks.length > 0,
    essential: mergeConstraints(
      { ...noConstraints, languages: constraints.languages, frameworks: constraints.frameworks },
      reading.stack,
      reading.wishes,
      false,
    ),
    state: {
      text,
      constraints,
      cheap: fresh.cheap || reading.wishes.cheap || reading.wishes.cheaper || outside.wishes.cheap,
      shown: known.shown,
      refused: unique([...known.refused, ...refused, ...left]).filter((slug) => slug !== named),
      like: unique([...fresh.like, ...like]),
      isSaid,
      beside: unique([...fresh.beside, ...beside]),
      ...addedUp(fresh, reading),
      maker: reading.wishes.maker ?? outside.wishes.maker ?? fresh.maker ?? null,
      category: known.category,
    },
  };
}

/** What holds for the need, of before and of this message. */
function addedUp(fresh: NeedState, reading: Reading): Partial<NeedState> {
  return {
    unwanted: unique([...(fresh.unwanted ?? []), ...reading.unwanted]),
    bases: unique([...(fresh.bases ?? []), ...reading.bases]),
    basesThere: unique([...(fresh.basesThere ?? []), ...reading.basesThere]),
    basesLeft: unique([...(fresh.basesLeft ?? []), ...reading.basesLeft]),
    stackRefused: unique([...(fresh.stackRefused ?? []), ...reading.stackRefused]),
  };
}

interface SortedMentions {
  asked: string | null;
  /** In the category of the need, but not asked for outright. */
  guessed: Tool | undefined;
  left: string[];
  refused: string[];
  beside: string[];
}

function sortMentions(reading: Reading, lookup: ToolLookup, isFollowUp: boolean): SortedMentions {
  const of = (role: Mention['role']): string[] =>
    reading.mentions.filter((mention) => mention.role === role).map(({ slug }) => slug);
  const passing = of('beside');
  const alone = passing.length === 1 && reading.topicTerms().length === 0 ? passing[0] : undefined;
  const sorted = {
    asked: of('wanted')[0] ?? alone ?? null,
    guessed: undefined,
    left: of('like'),
    refused: [...of('unwanted'), ...reading.refused],
    beside: of('have'),
  };
  if (passing.length === 0 || alone !== undefined) return sorted;
  const topic = lookup.topicOf(reading.topicTerms().join(' '));
  // "Migrate from SendGrid to Postmark" says no more than that: it is about what is left.
  const category = topic.certainty < sure ? categoryLeft(sorted.left, lookup) : topic.category;
  if (category === undefined) return sorted;
  // "text people with Twilio" wants Twilio; "email from Vercel" does not want Vercel.
  const tools = passing.flatMap((slug) =>
    reading.refused.includes(slug) ? [] : (lookup.find(slug) ?? []),
  );
  const neighbours = new Set(
    reading.mentions.flatMap(({ slug, isNeighbour }) => (isNeighbour === true ? [slug] : [])),
  );
  const own = tools.filter((tool) => tool.category === category && !neighbours.has(tool.slug));
  return {
    ...sorted,
    guessed: own.length === 1 && !isFollowUp ? own[0] : undefined,
    beside: [
      ...sorted.beside,
      ...tools.filter((tool) => !own.includes(tool)).map(({ slug }) => slug),
    ],
  };
}

function categoryLeft([slug]: readonly string[], lookup: ToolLookup): ToolCategory | undefined {
  return slug === undefined ? undefined : lookup.find(slug)?.category;
}

/**
 * A follow-up that only sets conditions keeps the need; one that says what else is needed adds to
 * it, or replaces it when it is about something else.
 */
function mergeTexts(
  before: NeedState | null,
  reading: Reading,
  lookup: ToolLookup,
  named: { left: readonly string[]; refused: readonly string[] },
): { text: string; isNewNeed: boolean; like: readonly string[]; isSaid: boolean } {
  const { said, like, isSaid } = readTopic(before === null, reading, lookup, named);
  if (before === null) return { text: clip(said), isNewNeed: false, like, isSaid };
  // Another stack: the old one must not go on attracting its own tools.
  const kept =
    reading.stack.languages.length + reading.stack.frameworks.length > 0
      ? readStack(before.text).rest.replace(/\s+/g, ' ').trim()
      : before.text;
  if (said === reading.text && reading.topicTerms().length === 0)
    return { text: kept, isNewNeed: false, like, isSaid };
  const topic = lookup.topicOf(said);
  const isElsewhere =
    before.category !== null &&
    topic.category !== before.category &&
    topic.certainty >= (alsoNeeds.test(reading.text) ? sure / 2 : sure);
  if (isElsewhere) return { text: clip(said), isNewNeed: true, like, isSaid };
  return { text: clip(`${kept} ${said}`), isNewNeed: false, like, isSaid };
}

/**
 * What a message is about. What is there already is no part of it. A tool that is refused or to be
 * left says what it was for, unless the rest of the message surely says something else.
 */
function readTopic(
  isFirst: boolean,
  reading: Reading,
  lookup: ToolLookup,
  { left, refused }: { left: readonly string[]; refused: readonly string[] },
): { said: string; like: readonly string[]; isSaid: boolean } {
  const categoryOf = (slug: string): ToolCategory | undefined => lookup.named(slug)?.category;
  const hasThere = reading.mentions.some(({ role }) => role === 'have');
  const whole =
    hasThere && toolTerms(reading.ahead).some((term) => !isFiller(term))
      ? reading.ahead
      : reading.text;
  const out = left.length > 0 ? left : isFirst ? refused : [];
  if (out.length === 0) return { said: whole, like: kindThere(reading, lookup), isSaid: false };
  const apart = lookup.topicOf(reading.apart);
  const aside = lookup.topicOf(reading.aside);
  const ofCategory = (slug: string): boolean => categoryOf(slug) === apart.category;
  const isSaidAside =
    aside.certainty >= sure && out.some((slug) => categoryOf(slug) === aside.category);
  if (!isSaidAside && apart.certainty >= (out.some(ofCategory) ? hinted : certain))
    return {
      said:
        aside.certainty >= sure && aside.category === apart.category
          ? `${reading.apart}, ${reading.aside}`
          : reading.apart,
      // Who refuses a tool in passing speaks of its kind, unless the rest is beyond doubt.
      like:
        apart.certainty >= undoubted || out.some(ofCategory)
          ? left.filter(ofCategory)
          : out.filter((slug) => !reading.houses.includes(slug)),
      isSaid: false,
    };
  const topic = lookup.topicOf(reading.topicTerms().join(' '));
  if (
    topic.certainty >= certain &&
    reading.topicTerms().length >= 3 &&
    left.some((slug) => categoryOf(slug) === topic.category)
  )
    return { said: reading.ahead, like: left, isSaid: true };
  // Nothing but a refusal: "we will not renew Mixpanel" wants another one of its kind.
  const like =
    left.length > 0
      ? left
      : refused.filter(
          (slug) =>
            topic.certainty < certain &&
            (reading.topicTerms().length === 0 || !reading.houses.includes(slug)),
        );
  const model =
    like.length > 0 &&
    (reading.topicTerms().length < 2 ||
      topic.certainty < sure ||
      !like.some((slug) => categoryOf(slug) === topic.category))
      ? like.map((slug) => lookup.named(slug)?.keywords.join(' ') ?? '')
      : [];
  return { said: [whole, ...model].join(' ').trim(), like, isSaid: false };
}

/**
 * "Our Joomla site is ancient, what now?": where nothing else says what is wanted, what is there
 * does, if it is not itself a tool of the index.
 */
function kindThere(reading: Reading, lookup: ToolLookup): string[] {
  const there = reading.mentions.filter(
    ({ role, slug }) => role === 'have' && lookup.find(slug) === undefined,
  );
  if (there.length === 0) return [];
  const isClear = lookup.topicOf(reading.topicTerms().join(' ')).certainty >= certain;
  return isClear ? [] : there.map(({ slug }) => slug);
}

/** The newest words stay when it gets long. */
function clip(text: string): string {
  return text.length <= longestText ? text : text.slice(-longestText).replace(/^\S*\s/, '');
}

function mergeConstraints(
  known: Constraints,
  stack: Stack,
  { wanted, region }: Omit<Wishes, 'rest'>,
  isFirst: boolean,
): Constraints {
  const pick = (
    wish: 'freeTier' | 'openSource' | 'selfHosted' | 'managed',
    opposite?: 'selfHosted' | 'managed',
  ): boolean =>
    wanted[wish] ?? (opposite !== undefined && wanted[opposite] === true ? false : known[wish]);
  // Naming a stack again replaces the one before: "for Python" leaves JavaScript behind.
  const renames = !isFirst && (stack.languages.length > 0 || stack.frameworks.length > 0);
  const frameworks = renames
    ? stack.frameworks
    : unique([...known.frameworks, ...stack.frameworks]);
  const languages = renames ? stack.languages : unique([...known.languages, ...stack.languages]);
  return {
    freeTier: pick('freeTier'),
    openSource: pick('openSource'),
    selfHosted: pick('selfHosted', 'managed'),
    managed: pick('managed', 'selfHosted'),
    region: region ?? known.region,
    frameworks:
      frameworks.length > 0 || !renames
        ? frameworks
        : known.frameworks.filter((framework) =>
            frameworkLanguages[framework].some((language) => languages.includes(language)),
          ),
    languages,
  };
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
