import type { JSX } from 'preact';
import { useApp } from '../core/boot.js';
import { count, money, moment, words } from '../core/format.js';
import { useLoad } from '../core/use-load.js';
import { LoadedTable } from './loaded-table.js';
import { Badge } from './parts.js';

interface Found {
  rule: string;
  explanation: string;
  found_at: string;
  from: string;
  to: string;
  events: number;
  amount: number;
}
interface Filtered {
  reason: string;
  kind: string;
  events: number;
  amount: number;
}
interface Reversed {
  conversion_id: string;
  order_id: string | null;
  reason: string;
  amount: number;
  status: string;
  requested_at: string;
  note: string | null;
}

/**
 * What did not count, was found out later and was taken back, with the reasons: the same for who
 * paid for it and for who earned by it.
 */
export function TakenBack({ kind }: { kind: 'advertiser' | 'publisher' }): JSX.Element {
  const { zone } = useApp();
  const base = `/${kind}-dashboard`;
  const findings = useLoad<{ findings: Found[] }>(`${base}/traffic-findings`);
  const filtered = useLoad<{ rows: Filtered[] }>(`${base}/invalid-traffic?days=30`);
  const reversals = useLoad<{ reversals: Reversed[] }>(`${base}/reversals`);
  const amount = kind === 'advertiser' ? 'Credited' : 'No longer earned';
  return (
    <>
      <LoadedTable
        title="Traffic found out later"
        path={`${base}/traffic-findings`}
        load={findings}
        rowsOf={(data) => data.findings}
        rowKey={(row) => `${row.found_at} ${row.rule} ${row.amount}`}
        empty="Nothing was found."
        columns={[
          {
            id: 'at',
            title: 'Found',
            cell: (row) => <span class="nowrap">{moment(row.found_at, zone)}</span>,
            sort: (row) => row.found_at,
          },
          {
            id: 'why',
            title: 'Why',
            cell: (row) => <span class="wide-cell">{row.explanation}</span>,
          },
          {
            id: 'events',
            title: 'Events',
            numeric: true,
            cell: (row) => count(row.events),
            sort: (row) => row.events,
          },
          {
            id: 'amount',
            title: amount,
            numeric: true,
            cell: (row) => money(row.amount),
            sort: (row) => row.amount,
          },
        ]}
      />
      <LoadedTable
        title="Not counted in 30 days"
        path={`${base}/invalid-traffic?days=30`}
        load={filtered}
        rowsOf={(data) => data.rows}
        rowKey={(row) => `${row.reason} ${row.kind}`}
        empty="Everything counted."
        columns={[
          { id: 'reason', title: 'Reason', cell: (row) => words(row.reason) },
          { id: 'kind', title: 'Event', cell: (row) => words(row.kind) },
          {
            id: 'events',
            title: 'Events',
            numeric: true,
            cell: (row) => count(row.events),
            sort: (row) => row.events,
          },
          {
            id: 'amount',
            title: amount,
            numeric: true,
            cell: (row) => money(row.amount),
            sort: (row) => row.amount,
          },
        ]}
      />
      <LoadedTable
        title="Cancelled orders"
        path={`${base}/reversals`}
        load={reversals}
        rowsOf={(data) => data.reversals}
        rowKey={(row) => row.conversion_id}
        empty="None were cancelled."
        columns={[
          {
            id: 'at',
            title: 'Asked',
            cell: (row) => <span class="nowrap">{moment(row.requested_at, zone)}</span>,
            sort: (row) => row.requested_at,
          },
          ...(kind === 'advertiser'
            ? [{ id: 'order', title: 'Order', cell: (row: Reversed) => row.order_id ?? '—' }]
            : []),
          {
            id: 'why',
            title: 'Why',
            cell: (row) => (
              <span class="wide-cell">
                {[row.reason, row.note].filter((text) => text !== null).join('. ')}
              </span>
            ),
          },
          { id: 'status', title: 'Status', cell: (row) => <Badge value={row.status} /> },
          { id: 'amount', title: amount, numeric: true, cell: (row) => money(row.amount) },
        ]}
      />
    </>
  );
}
