// The store's side of budgets, as small as it gets: what is spent and what is held, never more than
// the limit.
import { grantOf, type HoldAsk } from '../../src/domain/decision/hold-policy.js';

export type BudgetStore = {
  spent(scope: string): number;
  /** What nobody has spent or holds. */
  room(scope: string, limit: number): number;
  /** Sets aside for a node what the policy grants. */
  take(node: number, scope: string, limit: number, asked: HoldAsk & { nodes: number }): number;
  giveBack(node: number, scope: string, amount: number): void;
  /** A reserved ad was paid: out of the node's hold into spend. */
  settle(node: number, scope: string, amount: number): void;
  /** An ad whose reservation is gone is paid only if there is room. */
  payLate(scope: string, limit: number, amount: number): boolean;
  /** A dead node's holds go back. */
  reclaim(node: number): void;
};

export function createBudgetStore(): BudgetStore {
  const spent = new Map<string, number>();
  const held = new Map<string, number>();
  const heldBy = new Map<number, Map<string, number>>();
  const add = (map: Map<string, number>, key: string, amount: number) =>
    map.set(key, (map.get(key) ?? 0) + amount);

  function hold(node: number, scope: string, amount: number): void {
    const own = heldBy.get(node) ?? new Map<string, number>();
    heldBy.set(node, own);
    add(own, scope, amount);
    add(held, scope, amount);
    if ((own.get(scope) ?? 0) < 0) throw new Error('a node gave back more than it held');
  }

  const left = (scope: string, limit: number) =>
    limit - (spent.get(scope) ?? 0) - (held.get(scope) ?? 0);

  return {
    spent: (scope) => spent.get(scope) ?? 0,
    room: left,
    take(node, scope, limit, asked) {
      const granted = grantOf({
        ...asked,
        leftMicros: limit - (spent.get(scope) ?? 0),
        heldMicros: held.get(scope) ?? 0,
        ownHeldMicros: heldBy.get(node)?.get(scope) ?? 0,
      });
      hold(node, scope, granted);
      return granted;
    },
    giveBack: (node, scope, amount) => hold(node, scope, -amount),
    settle(node, scope, amount) {
      hold(node, scope, -amount);
      add(spent, scope, amount);
    },
    payLate(scope, limit, amount) {
      if (left(scope, limit) < amount) return false;
      add(spent, scope, amount);
      return true;
    },
    reclaim(node) {
      for (const [scope, amount] of heldBy.get(node) ?? []) add(held, scope, -amount);
      heldBy.delete(node);
    },
  };
}
