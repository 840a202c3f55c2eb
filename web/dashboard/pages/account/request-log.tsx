import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { query } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { fixed, moment, words } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { outcomeWords } from '../../reports/report-columns.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Card } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';

interface Noted {
  id: string;
  at: string;
  key_id: string;
  key_name: string;
  method: string;
  route: string;
  status: number;
  reason: string | null;
  latency_ms: number;
}

/** What was asked with the keys lately and what came of it, as it happens. */
export function RequestLog({
  keys,
}: {
  keys: readonly { id: string; name: string }[];
}): JSX.Element {
  const { session, zone } = useApp();
  const [keyId, setKeyId] = useState('');
  const door = session?.role === 'publisher' ? 'publisher' : 'advertiser';
  const path = `/${door}-dashboard/requests${query({ key_id: keyId, limit: 50 })}`;
  const load = useLoad<{ requests: Noted[] }>(path, { everyMs: 5000 });
  return (
    <Card
      title={t('Last requests')}
      actions={
        <>
          <select
            aria-label={t('Key')}
            value={keyId}
            onChange={(event) => setKeyId(event.currentTarget.value)}
          >
            <option value="">{t('All keys')}</option>
            {keys.map((key) => (
              <option key={key.id} value={key.id}>
                {key.name}
              </option>
            ))}
          </select>
          <CsvButton what={t('Last requests')} from={path} />
        </>
      }
    >
      <p class="hint">
        {t('Recent requests and how they were answered. What was sent in them is not stored here.')}
      </p>
      <Shown load={load}>
        {({ requests }) =>
          requests.length === 0 ? (
            <Empty title={t('No requests yet.')}>
              <p>{t('They appear here a few seconds after they were made.')}</p>
            </Empty>
          ) : (
            <DataTable
              label={t('Last requests')}
              rows={requests}
              rowKey={(row) => row.id}
              columns={requestColumns(zone)}
            />
          )
        }
      </Shown>
    </Card>
  );
}

function requestColumns(zone: string): readonly Column<Noted>[] {
  return [
    {
      id: 'at',
      title: t('When'),
      cell: (row) => <span class="nowrap">{moment(row.at, zone)}</span>,
      sort: (row) => row.id,
    },
    { id: 'key', title: t('Key'), cell: (row) => row.key_name },
    {
      id: 'route',
      title: t('Request'),
      cell: (row) => (
        <code>
          {row.method} {row.route}
        </code>
      ),
      sort: (row) => row.route,
    },
    {
      id: 'status',
      title: t('Answer'),
      numeric: true,
      cell: (row) => <span class={`badge ${row.status < 400 ? 'good' : 'bad'}`}>{row.status}</span>,
      sort: (row) => row.status,
    },
    {
      id: 'reason',
      title: t('Why'),
      cell: (row) => (row.reason === null ? '' : (outcomeWords[row.reason] ?? words(row.reason))),
    },
    {
      id: 'latency',
      title: t('Duration'),
      numeric: true,
      cell: (row) => t('{latency_ms} ms', { latency_ms: fixed(row.latency_ms, 1) }),
      sort: (row) => row.latency_ms,
    },
  ];
}
