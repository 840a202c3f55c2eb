import { keyOf, type Scope } from '../../domain/billing/paying-scopes.js';
import type { Db } from '../db/db.js';

/** Ids and days, as two parameters of a statement. */
export function keysOf(scopes: readonly Scope[]): [string[], string[]] {
  return [scopes.map((scope) => scope.scopeId), scopes.map((scope) => scope.day)];
}

/**
 * Locks budgets, made where there are none yet, in the order of their keys, so that nobody waits
 * for somebody who waits for him. Says what each has spent and promised.
 */
export async function lockBudgets(tx: Db, scopes: readonly Scope[]): Promise<Map<string, number>> {
  const distinct = [...new Map(scopes.map((scope) => [keyOf(scope), scope])).values()];
  if (distinct.length === 0) return new Map();
  await tx.query(
    `insert into budgets (scope_id, day)
     select scope_id, day
     from unnest($1::uuid[], $2::date[]) as s (scope_id, day)
     order by 1, 2
     on conflict do nothing`,
    keysOf(distinct),
  );
  const rows = await tx.query<Scope & { taken: number }>(
    `select scope_id as "scopeId", day, spent_micros + held_micros as taken
     from budgets
     where (scope_id, day) in (select * from unnest($1::uuid[], $2::date[]))
     order by 1, 2
     for update`,
    keysOf(distinct),
  );
  return new Map(rows.map((row) => [keyOf(row), row.taken]));
}
