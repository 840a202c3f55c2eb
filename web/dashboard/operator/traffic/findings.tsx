import type { JSX } from 'preact';
import { useApp } from '../../core/boot.js';
import { count, money, moment } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { findingWords } from '../../ui/finding-words.js';
import { LoadedTable } from '../../ui/tables/loaded-table.js';

interface Finding {
  publisher_id: string;
  rule: string;
  explanation: string;
  rate: number;
  usual: number;
  found_at: string;
  events: number;
  spend: number;
  revenue: number;
}

/** Publishers whose traffic was found out after it was counted, and taken back. */
export function FindingsCard({ nameOf }: { nameOf: (id: string) => string }): JSX.Element {
  const { zone } = useApp();
  const path = '/operator/traffic-findings';
  const load = useLoad<{ findings: Finding[] }>(path);
  return (
    <LoadedTable
      title={t('Detected later')}
      path={path}
      load={load}
      rowsOf={(data) => data.findings}
      rowKey={(row) => `${row.publisher_id} ${row.found_at} ${row.rule}`}
      empty={t('No publisher has been flagged.')}
      columns={[
        {
          id: 'at',
          title: t('Found'),
          cell: (row) => <span class="nowrap">{moment(row.found_at, zone)}</span>,
          sort: (row) => row.found_at,
        },
        {
          id: 'publisher',
          title: t('Publisher'),
          cell: (row) => (
            <span class="clip" title={nameOf(row.publisher_id)}>
              {nameOf(row.publisher_id)}
            </span>
          ),
          sort: (row) => nameOf(row.publisher_id),
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
          id: 'spend',
          title: t('Credited'),
          numeric: true,
          cell: (row) => money(row.spend),
          sort: (row) => row.spend,
        },
      ]}
    />
  );
}
