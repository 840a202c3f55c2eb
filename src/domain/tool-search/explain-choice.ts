import { constraintsSet, describeConstraint, failedBy, regionNames } from './constraints.js';
import type { Constraints, ConstraintName } from './constraints.js';
import type { NeedState } from './need-state.js';
import type { RankedTool, Ranking } from './rank-tools.js';
import { frameworkNames, languageNames } from './read-stack.js';
import type { Tool } from './tool.js';

const priceWords = ['free', 'cheap', 'moderately priced', 'priced for enterprises'] as const;

/**
 * Why this tool: what matched, which conditions it meets, what speaks against it. Only facts of the
 * tool index.
 */
export function explainChoice(
  ranking: Ranking,
  state: NeedState,
  turn: {
    named: string | null;
    cheaperThan: Tool | null;
    previous: Tool | null;
    setAside?: readonly string[];
  },
): string {
  const [chosen, next] = ranking.ranked;
  if (chosen === undefined) return explainNothing(ranking, state);
  const { tool } = chosen;
  const sentences = [
    tool.slug === turn.named
      ? `You asked for ${tool.name}.`
      : `${tool.name} is the best match in ${tool.category}: it is made for needs like “${chosen.need()}”.`,
    meets(tool, state.constraints),
    priceRemark(tool, state, ranking, turn.cheaperThan),
    tradeOff(chosen, next, state, tool.slug === turn.named),
    turn.previous !== null && turn.named === null
      ? `${turn.previous.name} ${state.shown.length > 1 ? 'and the earlier suggestions are' : 'is'} left out.`
      : '',
    turn.setAside === undefined || turn.setAside.length === 0
      ? ''
      : `Nothing for this need is known to offer ${listOf(turn.setAside)}, so that earlier condition is set aside.`,
    ranking.answer === 'weak'
      ? 'The match is loose: say more about the need for a better one.'
      : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Conditions that were set, answered one by one with the fact behind each. */
function meets(tool: Tool, wanted: Constraints): string {
  const failed = new Set(failedBy(tool, wanted));
  const met = constraintsSet(wanted)
    .filter((name) => !failed.has(name))
    .map((name) => factFor(tool, name, wanted));
  const missed = constraintsSet(wanted)
    .filter((name) => failed.has(name))
    .map((name) => describeConstraint(name, wanted));
  return [
    met.length === 0 ? '' : `It ${listOf(met)}.`,
    missed.length === 0
      ? ''
      : `It is not known to offer ${listOf(missed)}, which you asked for earlier.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function factFor(
  { facts, name, install }: Tool,
  constraint: ConstraintName,
  wanted: Constraints,
): string {
  switch (constraint) {
    case 'freeTier':
      return facts.free_tier === true
        ? `has a free tier${facts.free_tier_note === null ? '' : ` (${facts.free_tier_note})`}`
        : 'is free to use';
    case 'openSource':
      return facts.license === null ? 'is open source' : `is open source (${facts.license})`;
    case 'selfHosted':
      return 'can be self-hosted';
    case 'managed':
      return 'is offered as a managed service';
    case 'region': {
      if (wanted.region === null) return `names no region for ${name}`;
      return facts.regions.includes(wanted.region)
        ? `can be hosted in ${regionNames[wanted.region]}`
        : `can be self-hosted in ${regionNames[wanted.region]}`;
    }
    case 'languages': {
      const official = wanted.languages
        .filter((language) => facts.languages.includes(language))
        .map((language) => languageNames[language]);
      return official.length > 0
        ? `has an SDK for ${listOf(official)}`
        : `works from ${listOf(wanted.languages.map((language) => languageNames[language]))} over a plain protocol`;
    }
    case 'frameworks': {
      const guided = wanted.frameworks
        .filter(
          (framework) =>
            facts.frameworks.includes(framework) ||
            install.some((variant) => variant.for.includes(framework)),
        )
        .map((framework) => frameworkNames[framework]);
      return guided.length > 0
        ? `documents ${listOf(guided)}`
        : `can be used with ${listOf(wanted.frameworks.map((framework) => frameworkNames[framework]))}`;
    }
  }
}

function priceRemark(
  tool: Tool,
  state: NeedState,
  ranking: Ranking,
  previous: Tool | null,
): string {
  const level = tool.facts.price_level;
  if (previous !== null) {
    const word = (of: number | null): string =>
      of === null ? 'of unknown price' : (priceWords[of] ?? '');
    return ranking.isPriceRelaxed
      ? `Nothing that fits is known to be cheaper than ${previous.name} (${word(previous.facts.price_level)}); this one is ${word(level)}.`
      : `It is ${word(level)}, ${previous.name} is ${word(previous.facts.price_level)}.`;
  }
  if (!state.cheap || level === null) return '';
  return `It is ${priceWords[level] ?? ''}${tool.facts.free_tier === true && level > 0 && !state.constraints.freeTier ? ' and has a free tier' : ''}.`;
}

/** What the runner-up has that the chosen one lacks; without one, what is missing at all. */
function tradeOff(
  { tool }: RankedTool,
  next: RankedTool | undefined,
  state: NeedState,
  isNamed: boolean,
): string {
  const wanted = state.constraints;
  const lacks: string[] = [];
  if (next !== undefined) {
    const other = next.tool;
    const better: string[] = [];
    if (other.facts.open_source && !tool.facts.open_source) better.push('is open source');
    else if (other.facts.self_hostable && !tool.facts.self_hostable)
      better.push('can be self-hosted');
    if (other.facts.free_tier === true && tool.facts.free_tier === false)
      better.push('has a free tier');
    if (
      other.facts.price_level !== null &&
      tool.facts.price_level !== null &&
      other.facts.price_level < tool.facts.price_level
    )
      better.push('costs less');
    if (
      tool.facts.self_hostable &&
      tool.facts.price_level === 0 &&
      other.credentials !== null &&
      !other.facts.self_hostable &&
      !wanted.selfHosted
    )
      better.push('needs no server of yours');
    if (isNamed)
      return better.length > 0
        ? `Traded off: ${other.name}, an alternative, ${listOf(better)}.`
        : '';
    return better.length > 0
      ? `Traded off: ${other.name}, the next best, ${listOf(better)}, but fits the need less closely.`
      : `${other.name} was the next best.`;
  }
  if (!tool.facts.self_hostable && !wanted.managed) lacks.push('self-hosting');
  if (tool.facts.free_tier === false) lacks.push('a free tier');
  return lacks.length === 0 ? '' : `Traded off: ${listOf(lacks)}.`;
}

/** Nothing to recommend, and why. */
function explainNothing({ nearMiss, category }: Ranking, state: NeedState): string {
  if (nearMiss === null)
    return state.shown.length > 0
      ? 'No other service in the index fits this need.'
      : 'No service in the index answers this need. It lists software and services for developers; say what the software should do.';
  const { tool, failed } = nearMiss;
  if (failed.length === 0) return `Nothing else in ${category} meets everything you asked for.`;
  const wanted = listOf(failed.map((name) => describeConstraint(name, state.constraints)));
  return `Nothing in ${category} that fits is known to offer ${listOf(constraintsSet(state.constraints).map((name) => describeConstraint(name, state.constraints)))}. The closest, ${tool.name}, is not known to offer ${wanted}; drop that condition to get it.`;
}

function listOf(words: readonly string[]): string {
  return words.length < 2
    ? (words[0] ?? '')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
