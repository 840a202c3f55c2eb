import type { Db } from '../../platform/db/db.js';

export interface ExportFilter {
  account: 'advertiser' | 'publisher';
  accountId: string;
  kind: string | null;
  from: Date;
  to: Date;
}

/** Columns each side may see: an advertiser no publisher's users and earnings, a publisher no prices. */
export const exportColumns = {
  advertiser: {
    event_id: 'id', kind: 'kind', at: 'at', campaign_id: 'campaign_id', ad_group_id: 'ad_group_id', ad_id: 'ad_id', placement: 'placement', device: 'device', country: 'country',
    attribution: 'attribution', filtered_reason: 'invalid', unbilled_reason: 'unbilled', spend: 'spend_micros', conversion_value: 'value_micros',
  },
  publisher: {
    event_id: 'id', kind: 'kind', at: 'at', campaign_id: 'campaign_id', placement: 'placement', device: 'device', country: 'country', pub_user_id: 'user_id', filtered_reason: 'invalid', revenue: 'revenue_micros',
  },
} as const;

const exportedKinds = {
  advertiser: ['win', 'impression', 'viewable', 'click', 'conversion', 'impression_reversal', 'click_reversal', 'conversion_reversal'],
  publisher: ['request', 'win', 'impression', 'viewable', 'click', 'conversion', 'impression_reversal', 'click_reversal', 'conversion_reversal'],
} as const;

/** Days that have stored events, oldest first, within the given ones. */
export async function listEventDays(db: Db, firstDay: string, lastDay: string): Promise<string[]> {
  const rows = await db.query<{ day: string }>(
    `select to_char(to_date(substr(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{8}$' and substr(c.relname, 8) >= $1 and substr(c.relname, 8) <= $2 order by 1`,
    [firstDay.replaceAll('-', ''), lastDay.replaceAll('-', '')],
  );
  return rows.map((row) => row.day);
}

export type ExportedEvent = Record<string, string | number | Date | null>;

/** The next events of one day after the given key, in the order they are stored. */
export function listEvents(db: Db, day: string, after: { id: string; kind: string }, filter: ExportFilter, limit: number): Promise<ExportedEvent[]> {
  const columns = Object.entries(exportColumns[filter.account]).map(([name, column]) => `${column} as ${name}`);
  return db.query<ExportedEvent>(
    `select ${columns.join(', ')} from events
     where day = $1 and (id, kind) > ($2::uuid, $3) and ${filter.account}_id = $4 and not test and kind = any($5::text[]) and at >= $6 and at < $7
     order by id, kind limit $8`,
    [day, after.id, after.kind, filter.accountId, filter.kind === null ? exportedKinds[filter.account] : exportedKinds[filter.account].filter((kind) => kind === filter.kind), filter.from, filter.to, limit],
  );
}
