import type { Scope } from '../../domain/billing/paying-scopes.js';
import { uuidDay } from '../../domain/uuid.js';
import type { Db } from '../db/db.js';
import { paidBeacons } from './billing-sql.js';
import { keysOf, lockBudgets } from './lock-budgets.js';

export interface HoldRequest extends Scope {
  readonly amountMicros: number;
}

/** Of what is asked for this much is needed, though the share of a node be smaller. */
export interface HoldAsked extends HoldRequest {
  readonly needMicros: number;
}

/** More than anybody spends: the limit of a budget that has none. */
const unlimited = 9_000_000_000_000_000;

/**
 * What a scope may spend on a day: a campaign's or group's daily budget, a prepaid advertiser's
 * credit; none means no limit.
 */
const limitOfScope = `coalesce(
  (select c.daily_budget_micros from campaigns c where c.id = w.scope_id),
  (select coalesce(g.daily_budget_micros, ${unlimited}) from ad_groups g where g.id = w.scope_id),
  (select case when a.billing_enabled then ${unlimited} else a.credit_micros end from advertisers a
    where a.id = w.scope_id),
  0)`;

/**
 * Moves room of budgets into this node's holds, as much of each request as `hold-policy` grants,
 * and says how much. What is held here nobody else can spend, so serving may promise it without
 * asking again.
 */
export async function takeHolds(
  db: Db,
  node: number,
  requests: readonly HoldAsked[],
  liveNodes: number,
): Promise<HoldRequest[]> {
  if (requests.length === 0) return [];
  const arrays = [
    ...keysOf(requests),
    requests.map((request) => request.amountMicros),
    requests.map((request) => request.needMicros),
  ];
  return db.transaction(async (tx) => {
    await lockBudgets(tx, requests);
    const taken = await tx.query<HoldRequest>(
      `with wanted as (
           select w.scope_id, w.day,
             greatest(
               0,
               least(
                 w.amount, w.left_micros - b.held_micros,
                 greatest(w.left_micros / (2 * $5::bigint) - coalesce(h.held_micros, 0), w.need)
               )
             ) as amount
           from (
               select u.*,
                 ${limitOfScope.replaceAll('w.scope_id', 'u.scope_id')} - s.spent_micros as
                   left_micros
               from unnest($1::uuid[], $2::date[], $3::bigint[], $4::bigint[]) as u (
                   scope_id, day, amount, need
                 )
               join budgets s on s.scope_id = u.scope_id and s.day = u.day
             ) w
           join budgets b on b.scope_id = w.scope_id and b.day = w.day
           left join budget_holds h on h.node = $6 and h.scope_id = w.scope_id and h.day = w.day
         )
       update budgets b
       set held_micros = b.held_micros + w.amount
       from wanted w
       where b.scope_id = w.scope_id and b.day = w.day and w.amount > 0
       returning b.scope_id as "scopeId", b.day, w.amount as "amountMicros"`,
      [...arrays, liveNodes, node],
    );
    await addToHolds(tx, node, taken);
    return taken;
  });
}

/** What budgets have left that nobody holds. */
export async function loadRooms(db: Db, scopes: readonly Scope[]): Promise<HoldRequest[]> {
  if (scopes.length === 0) return [];
  return db.query<HoldRequest>(
    `select w.scope_id as "scopeId", w.day,
       ${limitOfScope} - coalesce(b.spent_micros + b.held_micros, 0) as "amountMicros"
     from unnest($1::uuid[], $2::date[]) as w (scope_id, day)
     left join budgets b on b.scope_id = w.scope_id and b.day = w.day`,
    keysOf(scopes),
  );
}

/** Gives unused room back. */
export async function returnHolds(
  db: Db,
  node: number,
  requests: readonly HoldRequest[],
): Promise<void> {
  if (requests.length === 0) return;
  const arrays = [...keysOf(requests), requests.map((request) => request.amountMicros)];
  await db.transaction(async (tx) => {
    await lockBudgets(tx, requests);
    // Never more than this node holds: the rest would be taken from what others do.
    await tx.query(
      `update budgets b
       set held_micros = greatest(0, b.held_micros - least(w.amount, h.held_micros))
       from unnest($1::uuid[], $2::date[], $3::bigint[]) as w (scope_id, day, amount)
       join budget_holds h on h.node = $4 and h.scope_id = w.scope_id and h.day = w.day
       where b.scope_id = w.scope_id and b.day = w.day`,
      [...arrays, node],
    );
    await tx.query(
      `update budget_holds h
       set held_micros = greatest(0, h.held_micros - w.amount)
       from unnest($1::uuid[], $2::date[], $3::bigint[]) as w (scope_id, day, amount)
       where h.node = $4 and h.scope_id = w.scope_id and h.day = w.day`,
      [...arrays, node],
    );
  });
}

/**
 * Makes the holds of a node what it has promised and not a micro more, whatever the database knew
 * of them: after it went back it lacks some and has others that were given back. Where somebody
 * else was granted the money meanwhile there may not be room for all.
 */
export async function matchHolds(
  db: Db,
  node: number,
  promised: readonly HoldRequest[],
): Promise<void> {
  await db.transaction(async (tx) => {
    const held = await tx.query<Scope>(
      `select scope_id as "scopeId", day from budget_holds where node = $1`,
      [node],
    );
    await lockBudgets(tx, [...promised, ...held]);
    const changed = await tx.query<HoldRequest>(
      `with mine as (
           select coalesce(p.scope_id, h.scope_id) as scope_id, coalesce(p.day, h.day) as day,
             coalesce(p.amount, 0) - coalesce(h.held_micros, 0) as missing
           from unnest($1::uuid[], $2::date[], $3::bigint[]) as p (scope_id, day, amount)
           full join (select * from budget_holds where node = $4) h on h.scope_id = p.scope_id
             and h.day = p.day
         ),
         changed as (
           select w.scope_id, w.day, case
             when w.missing <= 0 then w.missing
             else greatest(
               0, least(w.missing, ${limitOfScope} - b.spent_micros - b.held_micros)
             ) end as amount
           from mine w
           join budgets b on b.scope_id = w.scope_id and b.day = w.day
         )
       update budgets b
       set held_micros = greatest(0, b.held_micros + c.amount)
       from changed c
       where b.scope_id = c.scope_id and b.day = c.day and c.amount <> 0
       returning b.scope_id as "scopeId", b.day, c.amount as "amountMicros"`,
      [...keysOf(promised), promised.map((hold) => hold.amountMicros), node],
    );
    await addToHolds(tx, node, changed);
  });
}

async function addToHolds(tx: Db, node: number, holds: readonly HoldRequest[]): Promise<void> {
  await tx.query(
    `insert into budget_holds (node, scope_id, day, held_micros)
     select $1, w.scope_id, w.day, w.amount
     from unnest($2::uuid[], $3::date[], $4::bigint[]) as w (scope_id, day, amount)
     order by 2, 3
     on conflict (node, scope_id, day)
       do update set held_micros = greatest(0, budget_holds.held_micros + excluded.held_micros)`,
    [node, ...keysOf(holds), holds.map((hold) => hold.amountMicros)],
  );
}

/**
 * Frees what dead nodes held, once no ad they served can still be paid from it. Who asks is alive,
 * whatever a clock that jumped makes of its last sign of life.
 */
export async function releaseDeadHolds(db: Db, node: number, deadSince: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const dead = await tx.query<HoldRequest & { node: number }>(
      `delete from budget_holds h
       where h.node <> $2
         and not exists (select 1 from nodes n where n.number = h.node and n.seen_at >= $1)
       returning h.node, h.scope_id as "scopeId", h.day, h.held_micros as "amountMicros"`,
      [deadSince, node],
    );
    const live = dead.filter((hold) => hold.amountMicros > 0);
    await lowerHeld(tx, live);
    return live.length;
  });
}

/** What was freed is no longer held of its budgets. */
export async function lowerHeld(tx: Db, freed: readonly HoldRequest[]): Promise<void> {
  if (freed.length === 0) return;
  await tx.query(
    `update budgets b
     set held_micros = greatest(0, b.held_micros - f.amount)
     from (
         select scope_id, day, sum(amount)::bigint as amount
         from unnest($1::uuid[], $2::date[], $3::bigint[]) as u (scope_id, day, amount)
         group by 1, 2
         order by 1, 2
       ) f
     where b.scope_id = f.scope_id and b.day = f.day`,
    [...keysOf(freed), freed.map((hold) => hold.amountMicros)],
  );
}

/** Which of these served ads were charged from a hold of this node. */
export async function settledServes(
  db: Db,
  node: number,
  serveIds: readonly string[],
): Promise<Set<string>> {
  if (serveIds.length === 0) return new Set();
  const rows = await db.query<{ id: string }>(
    `select e.id::text as id
     from unnest($1::uuid[], $2::date[]) as s (id, day)
     join events e on e.day = s.day and e.id = s.id
     where e.kind in ${paidBeacons} and e.spend_micros > 0 and e.node = $3`,
    [serveIds, serveIds.map(uuidDay), node],
  );
  return new Set(rows.map((row) => row.id));
}
