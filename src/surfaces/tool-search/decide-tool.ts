import { type ConstraintName, describeConstraint } from '../../domain/tool-search/constraints.js';
import { explainChoice } from '../../domain/tool-search/explain-choice.js';
import { clausesOf } from '../../domain/tool-search/mention-roles.js';
import { type NeedState, takeTurn, type Turn } from '../../domain/tool-search/need-state.js';
import {
  type RankedTool,
  type RankOptions,
  rankTools,
} from '../../domain/tool-search/rank-tools.js';
import { type NeedContext, readContext, type Reading } from '../../domain/tool-search/read-need.js';
import type { Evidence } from '../../domain/tool-search/tool-index.js';
import type { Tool } from '../../domain/tool-search/tool.js';
import type { ToolReading } from '../../domain/tool-search/tool-reading.js';
import { writeOut } from '../../domain/tool-search/tool-terms.js';
import { surePlace, trustReading } from '../../domain/tool-search/trust-reading.js';
import type { Llm } from '../../platform/llm/llm.js';
import { askLlm } from './ask-llm.js';
import type { ToolCampaigns } from './follow-campaigns.js';
import type { StoredTurn } from './queries.js';
import {
  lookupFor,
  type MessageReaders,
  noNeed,
  readingOf,
  toolsReadIn,
  vectorOf,
} from './read-message.js';

export interface DecidingDeps extends MessageReaders {
  llm?: Llm | null;
  campaigns: Pick<ToolCampaigns, 'favoured'>;
}

export interface Decision {
  state: NeedState;
  chosen: RankedTool | null;
  reasoning: string;
  answer: StoredTurn['answer'];
  category: string | null;
  /** What the message is about, be there a tool for it or not; null where it names tools. */
  topic: string | null;
}

/** So many parts of a message that says nothing as a whole are asked alone. */
const mostParts = 3;
/** Above this the index knows what a message is about. */
const sureTopic = 0.5;

/**
 * A message that answers nothing as a whole may have one part that says the need, beside why and
 * for whom: the last such part that is about the same is asked alone.
 */
export async function decideTool(
  deps: DecidingDeps,
  before: NeedState | null,
  asWritten: string,
  context: NeedContext,
  isBoosted: boolean,
): Promise<Decision> {
  const whole = await decideOn(deps, before, asWritten, context, isBoosted);
  if (whole.chosen !== null || whole.topic === null || before !== null) return whole;
  // It is understood and nothing meets its conditions: a part without them would break them.
  if (whole.category !== null) return whole;
  const parts = clausesOf(asWritten).map(({ start, end }) => asWritten.slice(start, end).trim());
  if (parts.length < 2) return whole;
  for (const part of parts
    .filter((one) => one !== '')
    .slice(-mostParts)
    .reverse()) {
    const decision = await decideOn(deps, null, part, context, isBoosted);
    if (decision.answer === 'good' && decision.category === whole.topic) return decision;
  }
  return whole;
}

/**
 * Conditions of another need bind this one only where something meets them, and so does a stack
 * that is only the surroundings.
 */
function settle(
  turn: Turn,
  failed: readonly ConstraintName[] | null,
): { unmet: readonly ConstraintName[] | null; state: NeedState } {
  const isStackOnly =
    turn.isStackAside &&
    failed?.every((name) => name === 'languages' || name === 'frameworks') === true;
  const unmet = turn.isNewNeed || isStackOnly ? failed : null;
  const state =
    unmet === null
      ? turn.state
      : {
          ...turn.state,
          constraints: isStackOnly
            ? { ...turn.state.constraints, languages: [], frameworks: [] }
            : turn.essential,
        };
  return { unmet, state };
}

/** The tool the model surely means by a message, if it may be recommended, and what holds then. */
function sureOf(
  tools: readonly Tool[],
  turn: Turn,
  read: ToolReading | null,
  context: NeedContext,
): { place: number; state: NeedState } | null {
  const place = surePlace(read);
  const tool = tools[place];
  if (tool === undefined || read === null) return null;
  const state = trustReading(turn, tool, read, readContext(context));
  return state === null ? null : { place, state };
}

async function decideOn(
  deps: DecidingDeps,
  before: NeedState | null,
  asWritten: string,
  context: NeedContext,
  isBoosted: boolean,
): Promise<Decision> {
  const query = writeOut(asWritten);
  const { reading, read: readAsAsked } = await readingOf(deps, query);
  const turn = takeTurn(before, reading, context, await lookupFor(deps, reading));
  const { named, cheaperThan, text } = turn;
  // A follow-up is read as the need that was understood.
  const [vector, read] = await Promise.all([
    vectorOf(deps, text),
    before === null ? readAsAsked : toolsReadIn(deps, text),
  ]);
  const evidence = deps.index.evidenceFor(text, vector, read);
  const sure = before === null ? sureOf(deps.index.tools, turn, read, context) : null;
  const options: RankOptions = {
    named,
    sureAt: sure?.place ?? -1,
    isGuess: turn.isGuess,
    cheaperThan,
    isStackAside: turn.isStackAside,
    establishedIn: turn.isNewNeed ? null : (before?.category ?? null),
    ...(isBoosted ? { favoured: deps.campaigns.favoured() } : {}),
  };
  const strict = rankTools(deps.index, sure?.state ?? turn.state, evidence, options);
  const failed = strict.ranked.length === 0 ? (strict.nearMiss?.failed ?? null) : null;
  const { unmet, state } = settle(sure === null ? turn : { ...turn, state: sure.state }, failed);
  const ranking = unmet === null ? strict : rankTools(deps.index, state, evidence, options);
  const setAside = (unmet ?? []).map((name) => describeConstraint(name, turn.state.constraints));
  const asked =
    deps.llm == null || named !== null || ranking.ranked.length < 2
      ? null
      : await askLlm(deps.llm, ranking.ranked, state, query, deps);
  const final = asked === null ? ranking : { ...ranking, ranked: asked.ranked };
  const chosen = final.ranked[0] ?? null;
  const previous = deps.index.find(state.shown.at(-1) ?? '') ?? null;
  return {
    state: chosen === null ? state : withShown(state, chosen.tool),
    chosen,
    reasoning:
      asked?.reasoning ?? explainChoice(final, state, { named, cheaperThan, previous, setAside }),
    answer: ranking.answer,
    category: chosen?.tool.category ?? (ranking.nearMiss === null ? null : ranking.category),
    topic: topicOf(evidence, reading),
  };
}

function withShown(state: NeedState, { slug, category }: Tool): NeedState {
  return { ...state, shown: [...state.shown.filter((one) => one !== slug), slug], category };
}

function topicOf({ certainty, need, category }: Evidence, { mentions }: Reading): string | null {
  return certainty < sureTopic || mentions.length > 0 || (need !== null && need < noNeed)
    ? null
    : category;
}
