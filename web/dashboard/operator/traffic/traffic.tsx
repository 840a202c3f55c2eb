import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { query } from '../../core/api.js';
import { count, words } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { Bars } from '../../ui/charts/charts.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Card, Page } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';
import { DisclosureCard } from './disclosure.js';
import { FindingsCard } from './findings.js';
import { RefundCard, RefundsCard } from '../money/refunds.js';

interface Filtered {
  reason: string;
  kind: string;
  publisherId: string | null;
  events: number;
}

export function TrafficPage(): JSX.Element {
  const [days, setDays] = useState(7);
  const [turn, setTurn] = useState(0);
  const traffic = useLoad<{ rows: Filtered[] }>(`/operator/invalid-traffic${query({ days })}`);
  const accounts = useLoad<{ accounts: { id: string; name: string; kind: string }[] }>(
    '/operator/accounts',
  );
  const known = accounts.data?.accounts ?? [];
  const nameOf = (id: string | null): string =>
    id === null ? '—' : (known.find((one) => one.id === id)?.name ?? id);
  return (
    <Page
      title={t('Invalid traffic')}
      lead={t('Filtered traffic is kept, never charged and never counted.')}
      actions={<DaysChoice days={days} setDays={setDays} />}
    >
      <div class="split">
        <div class="stack">
          <ReasonsCard traffic={traffic} />
          <ByPublisherCard traffic={traffic} nameOf={nameOf} />
        </div>
        <RefundCard accounts={known} onRefunded={() => setTurn(turn + 1)} />
      </div>
      <div class="stack">
        <FindingsCard nameOf={nameOf} />
        <DisclosureCard />
        <RefundsCard key={turn} nameOf={nameOf} />
      </div>
    </Page>
  );
}

function DaysChoice({
  days,
  setDays,
}: {
  days: number;
  setDays: (value: number) => void;
}): JSX.Element {
  return (
    <select
      aria-label={t('Range')}
      value={String(days)}
      onChange={(event) => setDays(Number(event.currentTarget.value))}
    >
      {[1, 7, 30, 90].map((value) => (
        <option key={value} value={value}>
          {value === 1 ? t('Last day') : t('Last {value} days', { value })}
        </option>
      ))}
    </select>
  );
}

function ReasonsCard({ traffic }: { traffic: Loaded<{ rows: Filtered[] }> }): JSX.Element {
  return (
    <Card title={t('Filtered, by reason')}>
      <Shown load={traffic}>
        {(data) => {
          const reasons = new Map<string, number>();
          for (const row of data.rows)
            reasons.set(row.reason, (reasons.get(row.reason) ?? 0) + row.events);
          return reasons.size === 0 ? (
            <Empty title={t('Nothing was filtered.')}>
              <p>
                {t('Robots, repeats and clicks faster than any person could make appear here.')}
              </p>
            </Empty>
          ) : (
            <Bars
              label={t('Filtered events by reason')}
              rows={[...reasons]
                .sort((a, b) => b[1] - a[1])
                .map(([name, value]) => ({ name: words(name), value }))}
              format={count}
            />
          );
        }}
      </Shown>
    </Card>
  );
}

function ByPublisherCard({
  traffic,
  nameOf,
}: {
  traffic: Loaded<{ rows: Filtered[] }>;
  nameOf: (id: string | null) => string;
}): JSX.Element {
  return (
    <Card
      title={t('By publisher')}
      actions={
        <CsvButton
          what={t('Filtered traffic')}
          from={() => [
            ['publisher', 'event', 'reason', 'events'],
            ...(traffic.data?.rows ?? []).map((row) => [
              nameOf(row.publisherId),
              row.kind,
              row.reason,
              row.events,
            ]),
          ]}
        />
      }
    >
      <Shown load={traffic}>
        {(data) =>
          data.rows.length === 0 ? (
            <Empty title={t('No publisher had any.')} />
          ) : (
            <DataTable
              label={t('Filtered traffic')}
              rows={data.rows}
              rowKey={(row) => `${row.reason} ${row.kind} ${row.publisherId ?? ''}`}
              columns={filteredColumns(nameOf)}
            />
          )
        }
      </Shown>
    </Card>
  );
}

function filteredColumns(nameOf: (id: string | null) => string): readonly Column<Filtered>[] {
  return [
    {
      id: 'publisher',
      title: t('Publisher'),
      cell: (row) => (
        <span class="clip" title={nameOf(row.publisherId)}>
          {nameOf(row.publisherId)}
        </span>
      ),
      sort: (row) => nameOf(row.publisherId),
    },
    {
      id: 'kind',
      title: t('Event'),
      cell: (row) => words(row.kind),
      sort: (row) => row.kind,
    },
    {
      id: 'reason',
      title: t('Reason'),
      cell: (row) => words(row.reason),
      sort: (row) => row.reason,
    },
    {
      id: 'events',
      title: t('Events'),
      numeric: true,
      cell: (row) => count(row.events),
      sort: (row) => row.events,
    },
  ];
}
