import { releaseStatement, spendStatement } from '../budgets/charge-budgets.js';
import { totalColumns, type TotalTable, totalTables, totalUpdates } from './total-tables.js';

/** Columns of `events` with the type each is read as. */
const eventColumns = {
  day: 'date',
  id: 'uuid',
  kind: 'text',
  at: 'timestamptz',
  publisher_id: 'uuid',
  advertiser_id: 'uuid',
  campaign_id: 'uuid',
  ad_group_id: 'uuid',
  ad_id: 'uuid',
  placement: 'text',
  device: 'text',
  country: 'text',
  user_id: 'text',
  test: 'boolean',
  invalid: 'text',
  unbilled: 'text',
  attribution: 'text',
  spend_micros: 'bigint',
  revenue_micros: 'bigint',
  value_micros: 'bigint',
  node: 'smallint',
  budget_day: 'date',
  data: 'jsonb',
} as const;
const filled = new Set(['spend_micros', 'revenue_micros', 'value_micros']);

/** What a batch brings beside its events; each is a parameter holding JSON rows. */
export type BatchPart = 'budgets' | 'holds' | 'viewers' | 'position' | (string & {});

/**
 * One statement that stores events and adds what they add up to, already one row a key, to every
 * total they touch. An event that is there already fails the whole of it: nothing is counted twice.
 */
export function applyStatement(parts: readonly BatchPart[]): string {
  const ctes = parts.map((part, index) => cteOf(part, index + 2));
  return `
    with stored as (${insertEvents()})${ctes.map((cte) => `,\n    ${cte}`).join('')}
    select 1`;
}

function insertEvents(): string {
  const names = Object.keys(eventColumns);
  const types = Object.entries(eventColumns).map(([name, type]) => `${name} ${type}`);
  const values = names.map((name) =>
    name === 'test' ? 'coalesce(test, false)' : filled.has(name) ? `coalesce(${name}, 0)` : name,
  );
  return `
    insert into events (${names.join(', ')})
    select ${values.join(', ')}
    from json_to_recordset($1::json) as r (${types.join(', ')})
    order by day, id, kind`;
}

function cteOf(part: BatchPart, parameter: number): string {
  if (part === 'budgets') return spendStatement(parameter);
  if (part === 'holds') return releaseStatement(parameter);
  if (part === 'viewers') return viewers(parameter);
  if (part === 'position') return position(parameter);
  const total = totalTables.find(({ table }) => table === part);
  if (total === undefined) throw new Error(`no total ${part}`);
  return addTotals(total, parameter);
}

function addTotals(total: TotalTable, parameter: number): string {
  const { keys, values } = totalColumns(total);
  const columns = [...keys, ...values].join(', ');
  return `added_${total.table} as (
    insert into ${total.table} (${columns})
    select ${columns}
    from json_populate_recordset(null::${total.table}, $${parameter}::json)
    order by ${keys.join(', ')}
    on conflict (${keys.join(', ')}) do update set ${totalUpdates(total).join(', ')}
  )`;
}

function viewers(parameter: number): string {
  const newer = (at: string): string =>
    `excluded.${at} is not null and (v.${at} is null or excluded.${at} >= v.${at})`;
  return `linked as (
    insert into viewer_links as v (advertiser_id, identity, click_id, clicked_at, view_id, viewed_at)
    select advertiser_id, identity, click_id, clicked_at, view_id, viewed_at
    from json_populate_recordset(null::viewer_links, $${parameter}::json)
    order by 1, 2
    on conflict (advertiser_id, identity)
      do update set click_id = case when ${newer('clicked_at')} then excluded.click_id
        else v.click_id end, clicked_at = greatest(v.clicked_at, excluded.clicked_at),
        view_id = case when ${newer('viewed_at')} then excluded.view_id
        else v.view_id end, viewed_at = greatest(v.viewed_at, excluded.viewed_at)
  )`;
}

/**
 * A database that is not where the batch begins has lost what came before, or has it already: no
 * position may be null, so the whole statement fails.
 */
function position(parameter: number): string {
  return `reached as (
    insert into journal_positions (journal_id, segment, position, updated_at)
    select r.journal_id, r.segment, case
      when p.segment is not distinct from r.from_segment
        and p.position is not distinct from r.from_position then r.position end, now()
    from json_to_recordset($${parameter}::json) as r (
        journal_id uuid, segment bigint, position bigint, from_segment bigint, from_position bigint
      )
    left join journal_positions p on p.journal_id = r.journal_id
    on conflict (journal_id) do update set segment = excluded.segment,
      position = excluded.position, updated_at = excluded.updated_at
  )`;
}
