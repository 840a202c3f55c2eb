import type { JSX } from 'preact';
import { placementName } from '../../core/placements.js';
import { useState } from 'preact/hooks';
import { ApiError, call, query } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { count, fixed, percent, words } from '../../core/format.js';
import { rich, t } from '../../core/language.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { ReadingView } from '../../playground/reading-view.js';
import { Bars } from '../../ui/charts/charts.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { TextField } from '../../ui/forms/fields.js';
import { Card, Page } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';

interface Report {
  totals: Record<string, number>;
  requests: number;
  unread_share: number;
  frozen: boolean;
  offsets: {
    publisher_id: string;
    placement: string | null;
    offset: number;
    signals: number;
    frozen: boolean;
  }[];
}

/** What becomes of requests, what was learned of places, and how a conversation is read. */
export function ReadingPage(): JSX.Element {
  const { say } = useApp();
  const [turn, setTurn] = useState(0);
  const [draft, setDraft] = useState('');
  const report = useLoad<Report>(`/operator/reading${query({ days: 7, turn })}`);
  const freeze = async (body: Record<string, unknown>): Promise<void> => {
    try {
      await call('/operator/reading', { method: 'PATCH', body });
      setTurn(turn + 1);
    } catch (error) {
      say(error instanceof ApiError ? error.message : t('Nothing was changed.'), 'bad');
    }
  };
  return (
    <Page
      title={t('Reading')}
      lead={t('How conversations are read, and what people’s reactions have taught the system.')}
    >
      <div class="stack">
        <Shown load={report}>
          {(data) => (
            <div class="stack">
              <OutcomesCard data={data} />
              <LearnedCard freeze={freeze} data={data} />
            </div>
          )}
        </Shown>
        <Card title={t('How a message is read')}>
          <TextField label={t('Message')} value={draft} onInput={setDraft} />
          {draft.trim() !== '' && (
            <ReadingView url="/operator/reading" messages={[{ role: 'user', content: draft }]} />
          )}
        </Card>
      </div>
    </Page>
  );
}

function OutcomesCard({ data }: { data: Report }): JSX.Element {
  return (
    <Card title={t('What happened to requests, last 7 days')}>
      {data.requests === 0 ? (
        <Empty title={t('No requests yet.')} />
      ) : (
        <>
          <Bars
            label={t('Requests by outcome')}
            rows={Object.entries(data.totals)
              .sort((a, b) => b[1] - a[1])
              .map(([name, value]) => ({ name: words(name), value }))}
            format={count}
          />
          <p class="quiet">
            {rich('In a language the model does not read: {unread_share}', {
              unread_share: percent(data.unread_share * 100),
            })}
          </p>
        </>
      )}
    </Card>
  );
}

function LearnedCard({
  freeze,
  data,
}: {
  freeze: (body: Record<string, unknown>) => Promise<void>;
  data: Report;
}): JSX.Element {
  return (
    <Card
      title={t('Learned on the job')}
      actions={
        <button
          type="button"
          class="button small"
          onClick={() => void freeze({ frozen: !data.frozen })}
        >
          {data.frozen ? t('Learn again') : t('Freeze everything')}
        </button>
      }
    >
      {data.offsets.length === 0 ? (
        <Empty title={t('Nothing learned yet.')} />
      ) : (
        <DataTable
          label={t('Offsets')}
          rows={data.offsets}
          rowKey={(row) => `${row.publisher_id} ${row.placement ?? ''}`}
          columns={offsetColumns(freeze)}
        />
      )}
    </Card>
  );
}

function offsetColumns(freeze: (body: Record<string, unknown>) => Promise<void>): readonly Column<{
  publisher_id: string;
  placement: string | null;
  offset: number;
  signals: number;
  frozen: boolean;
}>[] {
  return [
    { id: 'publisher', title: t('Publisher'), cell: (row) => row.publisher_id },
    {
      id: 'placement',
      title: t('Placement'),
      cell: (row) => (row.placement === null ? t('all') : placementName(row.placement)),
    },
    {
      id: 'offset',
      title: t('Log-odds'),
      numeric: true,
      cell: (row) => fixed(row.offset, 3),
    },
    {
      id: 'signals',
      title: t('Signals'),
      numeric: true,
      cell: (row) => count(row.signals),
    },
    {
      id: 'frozen',
      title: t('Learning'),
      cell: (row) => (
        <button
          type="button"
          class="button small"
          onClick={() =>
            void freeze({
              publisher_id: row.publisher_id,
              ...(row.placement === null ? {} : { placement: row.placement }),
              frozen: !row.frozen,
            })
          }
        >
          {row.frozen ? t('Release') : t('Freeze')}
        </button>
      ),
    },
  ];
}
