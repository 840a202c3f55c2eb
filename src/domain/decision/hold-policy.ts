// How much of a budget each node keeps at hand. While there is plenty every node has an even share
// of half of what is left, so that traffic may go where it likes and late clicks find room. As
// money runs out shares shrink with it; once a node is refused what it needs for the next ads, all
// keep only what they need and pieces too small for an ad go back, so that they come together
// somewhere.

import { COVER } from './reservations.js';

export type HoldState = {
  limitMicros: number;
  /** Nodes that share the budget. */
  nodes: number;
  /** Held here and not reserved. */
  availableMicros: number;
  /** What lately was asked of it here will need soon. */
  neededMicros: number;
  /** What an ad of it might have cost at most that was asked for here lately; fades. */
  adMicros: number;
  /** What the last one was sold for here; 0 before the first. */
  lastMicros: number;
  /** A few ads at the most they are expected to cost. */
  usualMicros: number;
  /** Somebody was refused what it needs. */
  isShort: boolean;
};

/** Of the amount at least the need should be had, though the share be smaller. */
export type HoldAsk = { amountMicros: number; needMicros: number };

/** What to ask for; null when there is enough at hand. */
export function askFor(state: HoldState): HoldAsk | null {
  const { limitMicros, nodes, availableMicros: available, isShort } = state;
  const least = isShort ? neededWhenShort(state) : Math.max(state.neededMicros, state.usualMicros);
  const share = Math.ceil(limitMicros / nodes);
  const hasEnough = isShort
    ? available >= Math.min(least, Math.max(priceOf(state), least / 2))
    : available * 2 >= least && available * 4 >= share;
  if (hasEnough) return null;
  const target = isShort ? least : Math.max(share, least);
  return {
    amountMicros: Math.max(0, target - (nodes === 1 && !isShort ? 0 : available)),
    needMicros: Math.max(0, (isShort ? least : needBefore(state, share)) - available),
  };
}

export type GrantState = HoldAsk & {
  /** Of the budget, not spent. */
  leftMicros: number;
  /** Of that, by all nodes and by the one that asks, reserved or not. */
  heldMicros: number;
  ownHeldMicros: number;
  nodes: number;
};

/** What the store grants: never more than is free, beyond the share only what is needed. */
export function grantOf(state: GrantState): number {
  const { amountMicros, needMicros, leftMicros, heldMicros, ownHeldMicros, nodes } = state;
  const share = Math.trunc(leftMicros / (2 * nodes)) - ownHeldMicros;
  const free = leftMicros - heldMicros;
  return Math.max(0, Math.min(amountMicros, free, Math.max(share, needMicros)));
}

/** What to keep of what is at hand; `excessMicros` is how far a lowered budget is overdrawn. */
export function keepOf(state: HoldState & { excessMicros: number }): number {
  const { availableMicros: available, excessMicros, isShort } = state;
  const share = Math.ceil(state.limitMicros / state.nodes);
  const kept = Math.max(0, available - excessMicros);
  if (!isShort) return Math.min(kept, Math.max(share, state.usualMicros));
  return available < leastPiece(state) ? 0 : Math.min(kept, neededWhenShort(state));
}

/**
 * Before anybody came no more than the share, or the first to ask would have all of a small budget.
 */
function needBefore(state: HoldState, share: number): number {
  return Math.max(state.neededMicros, priceOf(state), Math.min(state.usualMicros, share));
}

/** A scope nobody asked for here in a while: what was wanted then has faded to this part. */
const idleShare = 0.02;

const priceOf = ({ usualMicros }: HoldState): number => Math.ceil(usualMicros / COVER);

/**
 * With less no ad can be sold, as far as is known: mostly they cost less than they might. One node
 * alone keeps what it has, because pieces of it come together nowhere else.
 */
function leastPiece(state: HoldState): number {
  if (state.nodes === 1) return 0;
  const most = Math.min(priceOf(state), state.limitMicros);
  return state.lastMicros === 0 ? most : Math.min(state.lastMicros, most);
}

/** At least an ad wherever somebody may come, for as long as it is likely that somebody does. */
function neededWhenShort(state: HoldState): number {
  const price = priceOf(state);
  return state.adMicros < price * idleShare
    ? 0
    : Math.max(Math.ceil(state.neededMicros / COVER), price);
}

const mostRounds = 8;

/**
 * A budget that had nothing to give several times in a row is asked less and less often: at the end
 * of a day most are spent, and asking costs the store a lock each.
 */
export function roundsToWait(refusals: number): number {
  return Math.min(mostRounds, Math.max(0, refusals - 2));
}
