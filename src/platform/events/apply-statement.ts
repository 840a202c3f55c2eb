import { releaseStatement, spendStatement } from '../budgets/charge-budgets.js';
import { insertEvents } from './event-lists.js';
import { totalColumns, type TotalTable, totalTables, totalUpdates } from './total-tables.js';
import { fromUserLists, userName } from './user-lists.js';

/** What a batch brings: rows of one table, as one JSON parameter or as a list a column. */
export interface BatchPart {
  /**
   * `events:` and the columns it has, `budgets`, `holds`, `viewers`, `position`, or a table of
   * totals.
   */
  readonly name: string;
  readonly values: readonly (string | Buffer)[];
}

/**
 * One statement that stores events and adds what they add up to, already one row a key, to every
 * total they touch. An event that is there already fails the whole of it: nothing is counted twice.
 */
export function applyStatement(names: readonly string[]): string {
  let next = 1;
  const ctes = names.map((name) => {
    const { text, parameters } = cteOf(name, next);
    next += parameters;
    return text;
  });
  return `
    with ${ctes.join(',\n    ')}
    select 1`;
}

function cteOf(name: string, first: number): { text: string; parameters: number } {
  if (name.startsWith('events:')) {
    const { text, parameters } = insertEvents(name, first);
    return { text: `stored as (${text})`, parameters };
  }
  if (name === 'budgets') return { text: spendStatement(first), parameters: 1 };
  if (name === 'holds') return { text: releaseStatement(first), parameters: 1 };
  if (name === 'viewers') return { text: viewers(first), parameters: 1 };
  if (name === 'position') return { text: position(first), parameters: 1 };
  const total = totalTables.find(({ table }) => table === name);
  if (total === undefined) throw new Error(`no total ${name}`);
  if (name === 'publisher_users') {
    const { text, parameters } = fromUserLists(first);
    return { text: addTotals(total, text, '', userName), parameters };
  }
  const rows = `json_populate_recordset(null::${name}, $${first}::json)`;
  const order = `order by ${totalColumns(total).keys.join(', ')}`;
  return { text: addTotals(total, rows, order), parameters: 1 };
}

function addTotals(
  total: TotalTable,
  source: string,
  order: string,
  more?: { column: string; update: string },
): string {
  const { keys, values } = totalColumns(total);
  const columns = [...keys, ...values, ...(more === undefined ? [] : [more.column])].join(', ');
  const updates = [...totalUpdates(total), ...(more === undefined ? [] : [more.update])];
  return `added_${total.table} as (
    insert into ${total.table} (${columns})
    select ${columns}
    from ${source}
    ${order}
    on conflict (${keys.join(', ')}) do update set ${updates.join(', ')}
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
