import type { JSX } from 'preact';
import { useApp } from '../core/boot.js';
import { count, money, moment, words } from '../core/format.js';
import { t } from '../core/language.js';
import { useLoad } from '../core/hooks/use-load.js';
import { findingWords } from './finding-words.js';
import { LoadedTable } from './tables/loaded-table.js';
import { Badge } from './parts.js';
import type { Column } from './tables/data-table.js';

interface Found {
  rule: string;
  explanation: string;
  rate: number;
  usual: number;
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
  const amount = kind === 'advertiser' ? t('Credited') : t('No longer earned');
  return (
    <>
      <LoadedTable
        title={t('Invalid traffic found later')}
        path={`${base}/traffic-findings`}
        load={findings}
        rowsOf={(data) => data.findings}
        rowKey={(row) => `${row.found_at} ${row.rule} ${row.amount}`}
        empty={t('Nothing was found.')}
        columns={findingColumns(zone, amount)}
      />
      <LoadedTable
        title={t('Not counted in 30 days')}
        path={`${base}/invalid-traffic?days=30`}
        load={filtered}
        rowsOf={(data) => data.rows}
        rowKey={(row) => `${row.reason} ${row.kind}`}
        empty={t('Everything was counted.')}
        columns={filteredColumns(amount)}
      />
      <LoadedTable
        title={t('Cancelled orders')}
        path={`${base}/reversals`}
        load={reversals}
        rowsOf={(data) => data.reversals}
        rowKey={(row) => row.conversion_id}
        empty={t('None were cancelled.')}
        columns={reversalColumns(zone, kind, amount)}
      />
    </>
  );
}

function findingColumns(zone: string, amount: string): readonly Column<Found>[] {
  return [
    {
      id: 'at',
      title: t('Found'),
      cell: (row) => <span class="nowrap">{moment(row.found_at, zone)}</span>,
      sort: (row) => row.found_at,
    },
    {
      id: 'why',
      title: t('Why'),
      cell: (row) => <span class="wide-cell">{findingWords(row)}</span>,
    },
    {
      id: 'events',
      title: t('Events'),
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
  ];
}

function filteredColumns(amount: string): readonly Column<Filtered>[] {
  return [
    { id: 'reason', title: t('Reason'), cell: (row) => words(row.reason) },
    { id: 'kind', title: t('Event'), cell: (row) => words(row.kind) },
    {
      id: 'events',
      title: t('Events'),
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
  ];
}

function reversalColumns(
  zone: string,
  kind: 'advertiser' | 'publisher',
  amount: string,
): readonly Column<Reversed>[] {
  return [
    {
      id: 'at',
      title: t('Requested'),
      cell: (row) => <span class="nowrap">{moment(row.requested_at, zone)}</span>,
      sort: (row) => row.requested_at,
    },
    ...(kind === 'advertiser'
      ? [{ id: 'order', title: t('Order'), cell: (row: Reversed) => row.order_id ?? '—' }]
      : []),
    {
      id: 'why',
      title: t('Why'),
      cell: (row) => (
        <span class="wide-cell">
          {[row.reason, row.note].filter((text) => text !== null).join('. ')}
        </span>
      ),
    },
    { id: 'status', title: t('Status'), cell: (row) => <Badge value={row.status} /> },
    { id: 'amount', title: amount, numeric: true, cell: (row) => money(row.amount) },
  ];
}
