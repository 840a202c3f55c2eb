import { keyOf, type Scope } from '../../../domain/billing/paying-scopes.js';
import { loadRooms } from '../../../platform/budgets/budget-holds.js';
import type { Db } from '../../../platform/db/db.js';
import type { Wanted } from './wanted-budgets.js';

/**
 * Budgets that were lowered: until spent and held fit into them again, nothing of them is kept
 * beyond what was promised.
 */
export class OverdrawnBudgets {
  private readonly db: Db;
  private readonly scopes = new Map<string, Scope>();
  private limitsBefore: ReadonlyMap<string, Wanted> = new Map();

  constructor(db: Db) {
    this.db = db;
  }

  /**
   * How much more than its limit a lowered budget has spent and held, on all nodes. Each gives back
   * what it can; what was too much is taken again.
   */
  async look(limits: ReadonlyMap<string, Wanted>): Promise<ReadonlyMap<string, number>> {
    for (const [key, { scopeId, day, limitMicros }] of limits)
      if (limitMicros < (this.limitsBefore.get(key)?.limitMicros ?? 0))
        this.scopes.set(key, { scopeId, day });
    this.limitsBefore = limits;
    if (this.scopes.size === 0) return new Map();
    const rooms = await loadRooms(this.db, [...this.scopes.values()]);
    const excess = new Map(rooms.map((room) => [keyOf(room), -room.amountMicros]));
    for (const [key, micros] of excess) if (micros <= 0) this.scopes.delete(key);
    return excess;
  }
}
