import type { Offer } from '../inventory/inventory.js';

export interface GroupBudget {
  readonly id: string;
  readonly campaignId: string;
  readonly dailyBudgetMicros: number;
}

/**
 * The daily budgets of ad groups that have one. A group that served without is given its first one
 * while it serves: until money is held for
 * it, it goes on as before, so that the edit is no pause. A new group waits for its money.
 */
export function createGroupBudgets() {
  const budgets = new Map<string, GroupBudget>();
  const groupOfSlot = new Map<number, string>();
  const introduced = new Set<string>();
  let version = 0;

  function forget(slot: number): void {
    version += 1;
    const group = groupOfSlot.get(slot);
    if (group === undefined) return;
    groupOfSlot.delete(slot);
    budgets.delete(group);
    introduced.delete(group);
  }

  function note(slot: number, { group }: Offer): void {
    const isIntroduced = introduced.has(group?.id ?? '');
    forget(slot);
    if (group === null || group.dailyBudgetMicros === null) return;
    budgets.set(group.id, {
      id: group.id,
      campaignId: group.campaignId,
      dailyBudgetMicros: group.dailyBudgetMicros,
    });
    groupOfSlot.set(slot, group.id);
    if (isIntroduced) introduced.add(group.id);
  }

  return {
    forget,
    note,
    /** The same for a group that is being served. */
    noteLive(slot: number, offer: Offer): void {
      const hadBudget = groupOfSlot.has(slot);
      note(slot, offer);
      if (!hadBudget && groupOfSlot.has(slot)) introduced.add(offer.group?.id ?? '');
      version += 1;
    },
    all: () => budgets.values(),
    /** Another one whenever something else may bind a group. */
    get version() {
      return version;
    },
    /** What binds the group now; null for none. */
    of: (groupId: string): number | null =>
      budgets.size === 0 || introduced.has(groupId)
        ? null
        : (budgets.get(groupId)?.dailyBudgetMicros ?? null),
    /** Runs what takes holds: the budgets there were when it began bind from then on. */
    async bindAfter(holding: () => Promise<void>): Promise<void> {
      const held = [...introduced];
      await holding();
      for (const group of held) introduced.delete(group);
      if (held.length > 0) version += 1;
    },
  };
}
