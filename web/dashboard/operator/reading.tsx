import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call, query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { count, words } from '../core/format.js';
import { useLoad } from '../core/use-load.js';
import { ReadingView } from '../playground/reading-view.js';
import { Bars } from '../ui/charts.js';
import { DataTable } from '../ui/data-table.js';
import { TextField } from '../ui/fields.js';
import { Card, Page } from '../ui/parts.js';
import { Empty, Shown } from '../ui/states.js';

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
      say(error instanceof ApiError ? error.message : 'Nothing was changed.', 'bad');
    }
  };
  return (
    <Page title="Reading" lead="How conversations are read, and what people’s answers taught.">
      <div class="stack">
        <Shown load={report}>
          {(data) => (
            <>
              <Card title="What became of requests, last 7 days">
                {data.requests === 0 ? (
                  <Empty title="No requests yet." />
                ) : (
                  <>
                    <Bars
                      label="Requests by outcome"
                      rows={Object.entries(data.totals)
                        .sort((a, b) => b[1] - a[1])
                        .map(([name, value]) => ({ name: words(name), value }))}
                      format={count}
                    />
                    <p class="quiet">
                      In a language the model does not read: {(data.unread_share * 100).toFixed(1)}%
                    </p>
                  </>
                )}
              </Card>
              <Card
                title="Learned on the job"
                actions={
                  <button
                    type="button"
                    class="button small"
                    onClick={() => void freeze({ frozen: !data.frozen })}
                  >
                    {data.frozen ? 'Learn again' : 'Freeze everything'}
                  </button>
                }
              >
                {data.offsets.length === 0 ? (
                  <Empty title="Nothing learned yet." />
                ) : (
                  <DataTable
                    label="Offsets"
                    rows={data.offsets}
                    rowKey={(row) => `${row.publisher_id} ${row.placement ?? ''}`}
                    columns={[
                      { id: 'publisher', title: 'Publisher', cell: (row) => row.publisher_id },
                      {
                        id: 'placement',
                        title: 'Placement',
                        cell: (row) => (row.placement === null ? 'all' : words(row.placement)),
                      },
                      {
                        id: 'offset',
                        title: 'Log-odds',
                        numeric: true,
                        cell: (row) => row.offset.toFixed(3),
                      },
                      {
                        id: 'signals',
                        title: 'Signals',
                        numeric: true,
                        cell: (row) => count(row.signals),
                      },
                      {
                        id: 'frozen',
                        title: 'Learning',
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
                            {row.frozen ? 'Release' : 'Freeze'}
                          </button>
                        ),
                      },
                    ]}
                  />
                )}
              </Card>
            </>
          )}
        </Shown>
        <Card title="How a message is read">
          <TextField label="Message" value={draft} onInput={setDraft} />
          {draft.trim() !== '' && (
            <ReadingView url="/operator/reading" messages={[{ role: 'user', content: draft }]} />
          )}
        </Card>
      </div>
    </Page>
  );
}
