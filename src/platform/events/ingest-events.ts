import type { Db } from '../db/db.js';
import { chargeInserted } from '../budgets/charge-budgets.js';
import { claimBudgets, unclaimBudgets } from '../budgets/claim-budget.js';
import { type EventRecord, eventRow } from './event.js';
import { EventKeys } from './event-keys.js';
import {
  conversionKinds,
  countedFrom,
  totalColumns,
  totalsQuery,
  type TotalTable,
  totalTables,
  totalUpdates,
} from './total-tables.js';

const columns = {
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
  request_id: 'uuid',
  record: 'text',
  data: 'jsonb',
} as const;
/** Read, not stored. */
const heldColumns = {
  serve_id: 'uuid',
  held_campaign: 'boolean',
  held_ad_group: 'boolean',
  held_advertiser: 'boolean',
  claimed: 'boolean',
} as const;

const defaults: Readonly<Record<string, string>> = {
  test: 'false',
  spend_micros: '0',
  revenue_micros: '0',
  value_micros: '0',
};
/** What a beacon cannot know, it takes from the ad that was served: above all the user. */
const fromWin = new Set([
  'publisher_id',
  'advertiser_id',
  'campaign_id',
  'ad_group_id',
  'ad_id',
  'placement',
  'device',
  'country',
  'user_id',
]);

/** Sent as one type, stored as another. */
const converted: Readonly<Record<string, string>> = { record: `decode(b.record, 'base64')` };

const everyStatement = buildIngestStatement(totalTables);
// Planning and running the totals that a batch cannot touch costs as much as those it does.
const rareKinds: ReadonlySet<string> = new Set([...conversionKinds, 'pixel']);
const deliveryStatement = buildIngestStatement(
  totalTables.filter(
    ({ kinds }) => kinds === undefined || kinds.some((kind) => !rareKinds.has(kind)),
  ),
);
const conversionStatement = buildIngestStatement(
  totalTables.filter(
    ({ kinds }) => kinds === undefined || kinds.some((kind) => conversionKinds.includes(kind)),
  ),
);

function statementFor(events: readonly EventRecord[]): string {
  if (!events.some((event) => rareKinds.has(event.kind))) return deliveryStatement;
  return events.every((event) => conversionKinds.includes(event.kind))
    ? conversionStatement
    : everyStatement;
}

export interface IngestedEvent {
  id: string;
  kind: string;
}

/**
 * Stores events and adds them to every total, each only if it is new, in one statement. Returns the
 * new ones. Rows are
 * ordered by their whole key everywhere, or concurrent batches would lock each other out.
 */
export async function ingestEvents(
  tx: Db,
  appended: readonly EventRecord[],
): Promise<IngestedEvent[]> {
  if (appended.length === 0) return [];
  const events = withoutRepeats(appended);
  const charged = events.some((event) => event.claimsBudget === true)
    ? await claimBudgets(tx, events)
    : events;
  const inserted = await tx.query<IngestedEvent>(statementFor(events), [
    JSON.stringify(charged.map(eventRow)),
  ]);
  if (charged !== events) await unclaimBudgets(tx, charged, inserted);
  return inserted;
}

/** The first of each: a repeat inside one batch must not claim budget a second time. */
function withoutRepeats(events: readonly EventRecord[]): readonly EventRecord[] {
  if (events.length === 1) return events;
  const seen = new EventKeys();
  return events.filter((event) => seen.add(event));
}

function buildIngestStatement(tables: readonly TotalTable[]): string {
  const types = Object.entries({ ...columns, ...heldColumns }).map(
    ([name, type]) => `${name} ${type}`,
  );
  const names = Object.keys(columns);
  const selected = names.map((name) =>
    fromWin.has(name)
      ? `coalesce(w.${name}, b.${name})`
      : name in defaults
        ? `coalesce(b.${name}, ${defaults[name]})`
        : (converted[name] ?? `b.${name}`),
  );
  return `
    with batch as materialized (
        select distinct on (day, id, kind) *
        from json_to_recordset($1::text::json) as r (${types.join(', ')})
        order by day, id, kind
      ),
      inserted as (
        insert into events (${names.join(', ')})
        select ${selected.join(', ')}
        from batch b
        left join lateral (${winOf('b', 'coalesce(b.serve_id, b.id)', [...fromWin].join(', '))}) w
          on true
        order by b.day, b.id, b.kind
        on conflict do nothing
        returning *
      ), counted as (${countedFrom('inserted')}), ${tables.map(upsertTotals).join(', ')},
      ${chargeInserted}, ${viewerLinkUpsert()}
    select id::text as id, kind
    from inserted`;
}

/**
 * The ad a beacon belongs to, one look-up by primary key each. As a plain join it would be planned
 * once for all, while the day is empty,
 * as a scan of the whole day; a limit leaves no choice.
 */
function winOf(beacon: string, id: string, selected: string): string {
  return `
    select ${selected}
    from events win
    where win.day = ${beacon}.day and win.id = ${id} and win.kind = 'win'
      and ${beacon}.kind in ('impression', 'viewable', 'disclosed', 'click')
    limit 1`;
}

export function upsertTotals(total: TotalTable): string {
  return `added_${total.table} as (${insertTotals(total)})`;
}

export function insertTotals(total: TotalTable): string {
  const { keys, values } = totalColumns(total);
  return `
    insert into ${total.table} (${[...keys, ...values].join(', ')}) ${totalsQuery(total)}
    order by ${keys.map((_, index) => index + 1).join(', ')}
    on conflict (${keys.join(', ')}) do update set ${totalUpdates(total).join(', ')}`;
}

function viewerLinkUpsert(): string {
  return `linked as (
  insert into viewer_links (advertiser_id, identity, click_id, clicked_at, view_id, viewed_at)
  select i.advertiser_id, w.data ->> 'identity',
    (array_agg(i.id order by i.at desc) filter (where i.kind = 'click'))[1], max(i.at)
      filter (where i.kind = 'click'),
    (array_agg(i.id order by i.at desc) filter (where i.kind = 'impression'))[1], max(i.at)
      filter (where i.kind = 'impression')
  from inserted i cross join lateral (${winOf('i', 'i.id', 'data')}) w
  where i.kind in ('impression', 'click') and i.invalid is null and not i.test
    and i.advertiser_id is not null and w.data ->> 'identity' is not null
  group by 1, 2 order by 1, 2
  on conflict (advertiser_id, identity) do update set
    click_id = case when excluded.clicked_at is not null and (viewer_links.clicked_at is null
      or excluded.clicked_at >= viewer_links.clicked_at) then excluded.click_id
      else viewer_links.click_id end,
    clicked_at = greatest(viewer_links.clicked_at, excluded.clicked_at),
    view_id = case when excluded.viewed_at is not null and (viewer_links.viewed_at is null
      or excluded.viewed_at >= viewer_links.viewed_at) then excluded.view_id
      else viewer_links.view_id end,
    viewed_at = greatest(viewer_links.viewed_at, excluded.viewed_at)
)`;
}
