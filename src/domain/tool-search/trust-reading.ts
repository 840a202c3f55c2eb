import { type ConstraintName, failedBy } from './constraints.js';
import { maybeHeard } from './doubt-wishes.js';
import type { NeedState, Turn } from './need-state.js';
import { isRefusedBase, type readContext } from './read-need.js';
import type { Tool } from './tool.js';
import type { ToolReading } from './tool-reading.js';
import { wishNames } from './weigh-wishes.js';

type Outside = ReturnType<typeof readContext>;

/** Of all that may answer a message, a tool with this share is what the model surely means. */
const sureShare = 0.8;

/** The place of the tool the model is sure of; −1 where it is not, or no tool is wanted. */
export function surePlace(read: ToolReading | null): number {
  if (read === null || read.need < 0) return -1;
  const whole = read.likeness.reduce((sum, one) => sum + Math.exp(one), 0);
  return 1 / whole >= sureShare ? read.likeness.indexOf(0) : -1;
}

/**
 * The model has read the same message as the phrases and heads that find conditions in it, and
 * knows what it says of tools. Where it is sure of one, a condition this tool fails was misheard
 * ("only Postgres is allowed" refuses no Postgres), unless the model hears it too or the caller set
 * it; a stack that is named always holds. Null where the tool may not be recommended whatever the
 * model says: it is refused, to be left or was shown before, or another one is asked for by name.
 */
export function trustReading(
  { state, named }: Turn,
  tool: Tool,
  { outright }: ToolReading,
  outside: Outside,
): NeedState | null {
  if (named !== null) return null;
  if ([state.refused, state.shown, state.like].some((slugs) => slugs.includes(tool.slug)))
    return null;
  const failed = failedBy(tool, state.constraints);
  const isHeard = (name: ConstraintName): boolean => {
    const wish = wishOf(name, state);
    return wish === undefined || (outright.get(wish) ?? 0) >= maybeHeard;
  };
  if (failed.some((name) => isSetBy(outside, name) || isHeard(name))) return null;
  const constraints = { ...state.constraints };
  for (const name of failed)
    Object.assign(constraints, { [name]: name === 'region' ? null : false });
  const bases = tool.facts.requires?.flat() ?? [];
  return {
    ...state,
    constraints,
    unwanted: (state.unwanted ?? []).filter(
      (word) => !bases.some((base) => isRefusedBase(base, [word])),
    ),
    stackRefused: (state.stackRefused ?? []).filter(
      (name) => !tool.facts.languages.some((language) => language === name),
    ),
  };
}

/** How the model calls a condition; it has no name for stacks. */
function wishOf(name: ConstraintName, { constraints }: NeedState): string | undefined {
  if (name === 'region') return constraints.region ?? undefined;
  return wishNames.find(([wish]) => wish === name)?.[1];
}

function isSetBy({ wishes }: Outside, name: ConstraintName): boolean {
  if (name === 'languages' || name === 'frameworks') return true;
  return name === 'region' ? wishes.region !== null : wishes.wanted[name] === true;
}
