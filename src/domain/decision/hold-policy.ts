// How much of a budget each node keeps at hand. While there is plenty every node has an even share of
// half of what is left, so that traffic may go where it likes and late clicks find room. As money
// runs out shares shrink with it; once a node is refused what it needs for the next ads, all keep
// only what they need and pieces too small for an ad go back, so that they come together somewhere.

export type HoldState = {
  limitMicros: number;
  /** Nodes that share the budget. */
  nodes: number;
  /** Held here and not reserved. */
  availableMicros: number;
  /** What lately was asked of it here will need soon. */
  neededMicros: number;
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
  const least = isShort ? state.neededMicros : Math.max(state.neededMicros, state.usualMicros);
  const share = Math.ceil(limitMicros / nodes);
  const hasEnough = available * 2 >= least && (isShort || available * 4 >= share);
  if (hasEnough) return null;
  const target = isShort ? least : Math.max(share, least);
  return {
    amountMicros: Math.max(0, target - (nodes === 1 && !isShort ? 0 : available)),
    needMicros: Math.max(0, least - available),
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
export function keepOf(state: HoldState & { adMicros: number; excessMicros: number }): number {
  const { availableMicros: available, excessMicros, isShort } = state;
  const share = Math.ceil(state.limitMicros / state.nodes);
  const kept = Math.max(0, available - excessMicros);
  if (!isShort) return Math.min(kept, Math.max(share, state.usualMicros));
  return available < state.adMicros ? 0 : Math.min(kept, state.neededMicros);
}
