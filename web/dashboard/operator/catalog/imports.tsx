import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../../core/boot.js';
import { count, moment } from '../../core/format.js';
import { t } from '../../core/language.js';
import { type Loaded, useLoad } from '../../core/hooks/use-load.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Badge, Card, Dialog } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';
import type { Catalog, Run } from './feeds.js';

/** What each import read, wrote and could not read. */
export function ImportsCard({ catalog }: { catalog: Loaded<Catalog> }): JSX.Element {
  const { zone } = useApp();
  const [open, setOpen] = useState<Run | null>(null);
  return (
    <Card title={t('Product imports')} actions={<ImportsCsv catalog={catalog} />}>
      <Shown load={catalog}>
        {(data) =>
          data.runs.length === 0 ? (
            <Empty title={t('No imports were recorded.')}>
              <p>{t('They appear here while and after a feed is read.')}</p>
            </Empty>
          ) : (
            <DataTable
              label={t('Product imports')}
              rows={data.runs}
              rowKey={(run) => run.id}
              columns={importColumns(zone, setOpen)}
            />
          )
        }
      </Shown>
      {open !== null && <ErrorsDialog run={open} onClose={() => setOpen(null)} />}
    </Card>
  );
}

function ImportsCsv({ catalog }: { catalog: Loaded<Catalog> }): JSX.Element {
  return (
    <CsvButton
      what={t('Product imports')}
      from={() => [
        [
          'merchant',
          'source',
          'format',
          'status',
          'started_at',
          'finished_at',
          'rows_read',
          'rows_written',
          'rows_unchanged',
          'rows_failed',
          'rows_removed',
          'shown',
        ],
        ...(catalog.data?.runs ?? []).map((run) => [
          run.merchant,
          run.source,
          run.format,
          run.status,
          run.started_at,
          run.finished_at,
          run.rows_read,
          run.rows_written,
          run.rows_unchanged,
          run.rows_failed,
          run.rows_removed,
          run.shown,
        ]),
      ]}
    />
  );
}

function importColumns(zone: string, setOpen: (value: Run | null) => void): readonly Column<Run>[] {
  return [
    {
      id: 'merchant',
      title: t('Merchant'),
      cell: (run) => (
        <>
          <span class="clip" title={run.merchant}>{run.merchant}</span>
          <br />
          <small class="clip" title={run.source}>
            {run.source}
          </small>
        </>
      ),
      sort: (run) => run.merchant,
    },
    {
      id: 'status',
      title: t('Status'),
      cell: (run) => (
        <>
          <Badge value={run.status} />
          {[run.problem, run.shown].map(
            (why) =>
              why !== null && (
                <>
                  <br />
                  <small>{why}</small>
                </>
              ),
          )}
        </>
      ),
      sort: (run) => run.status,
    },
    {
      id: 'at',
      title: t('Started'),
      cell: (run) => <span class="nowrap">{moment(run.started_at, zone)}</span>,
      sort: (run) => run.started_at,
    },
    ...countColumns(),
    {
      id: 'failed',
      title: t('Not read'),
      numeric: true,
      cell: (run) => <FailedRows run={run} setOpen={setOpen} />,
      sort: (run) => run.rows_failed,
    },
  ];
}

function countColumns(): Column<Run>[] {
  return [
    {
      id: 'read',
      title: t('Read'),
      numeric: true,
      cell: (run) => count(run.rows_read),
      sort: (run) => run.rows_read,
    },
    {
      id: 'written',
      title: t('Changed'),
      numeric: true,
      cell: (run) => count(run.rows_written),
      sort: (run) => run.rows_written,
    },
    {
      id: 'removed',
      title: t('Removed'),
      numeric: true,
      cell: (run) => count(run.rows_removed),
      sort: (run) => run.rows_removed,
    },
  ];
}

function FailedRows({
  run,
  setOpen,
}: {
  run: Run;
  setOpen: (value: Run | null) => void;
}): JSX.Element | '0' {
  return run.rows_failed === 0 ? (
    '0'
  ) : (
    <button
      type="button"
      class="button small"
      aria-label={t('Rows of {merchant} that could not be read', {
        merchant: run.merchant,
      })}
      onClick={() => setOpen(run)}
    >
      {count(run.rows_failed)}
    </button>
  );
}

function ErrorsDialog({ run, onClose }: { run: Run; onClose: () => void }): JSX.Element {
  const load = useLoad<{ errors: { row_number: number; item: string; message: string }[] }>(
    `/operator/catalog/runs/${run.id}/errors`,
  );
  return (
    <Dialog title={t('Not read: {merchant}', { merchant: run.merchant })} onClose={onClose}>
      <Shown load={load}>
        {(data) => (
          <DataTable
            label={t('Rows that could not be read')}
            rows={data.errors}
            rowKey={(row) => `${row.row_number} ${row.message}`}
            columns={[
              {
                id: 'row',
                title: t('Row'),
                numeric: true,
                cell: (row) => row.row_number,
                sort: (row) => row.row_number,
              },
              {
                id: 'item',
                title: t('Item'),
                cell: (row) => (
                  <span class="clip" title={row.item}>
                    {row.item}
                  </span>
                ),
              },
              {
                id: 'why',
                title: t('Why'),
                cell: (row) => <span class="wide-cell">{row.message}</span>,
                sort: (row) => row.message,
              },
            ]}
          />
        )}
      </Shown>
    </Dialog>
  );
}
