import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { moment } from '../core/format.js';
import { useAct } from '../core/use-act.js';
import { useLoad } from '../core/use-load.js';
import { Choice, TextField } from '../ui/fields.js';
import { LoadedTable } from '../ui/loaded-table.js';
import { Card, Code, Page } from '../ui/parts.js';

interface Receipt {
  receipt_id: string;
  kind: string;
  at: string;
  asked_by: string;
  subject: string;
  found: Record<string, number>;
}

const doors = {
  advertiser: '/advertiser-dashboard/privacy-requests',
  publisher: '/publisher-dashboard/privacy-requests',
  operator: '/operator/privacy-requests',
};
const names = {
  advertiser: [
    ['em', 'E-mail'],
    ['ph', 'Phone'],
    ['external_id', 'Customer id'],
    ['visitor_id', 'Visitor id'],
  ],
  publisher: [
    ['user_id', 'User id'],
    ['session_id', 'Session id'],
    ['em', 'E-mail'],
  ],
  operator: [
    ['user_id', 'User id of a publisher'],
    ['em', 'E-mail'],
    ['ph', 'Phone'],
    ['external_id', 'Customer id'],
    ['visitor_id', 'Visitor id'],
  ],
} as const;

/** Showing and erasing what is kept of somebody, and the receipts of it. */
export function PrivacyRequestsPage({ kind }: { kind: keyof typeof doors }): JSX.Element {
  const { zone } = useApp();
  const path = doors[kind];
  const load = useLoad<{ requests: Receipt[] }>(path);
  const { act, busy } = useAct();
  const [what, setWhat] = useState('access');
  const [by, setBy] = useState<string>(names[kind][0][0]);
  const [who, setWho] = useState('');
  const [shown, setShown] = useState<unknown>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (what === 'erase' && !confirm('Erase everything kept of this person? This is for good.'))
      return;
    await act(async () => {
      const receipt = await call<Receipt & { data?: unknown }>(path, {
        method: 'POST',
        body: { kind: what, [by]: who },
      });
      setShown(receipt.data ?? receipt.found);
      load.reload();
      return `Receipt ${receipt.receipt_id}`;
    });
  };
  return (
    <Page title="Privacy requests">
      <Card title="Somebody asks what is kept of them">
        <form class="row" onSubmit={(event) => void submit(event)}>
          <Choice
            label="Request"
            value={what}
            onChange={setWhat}
            options={[
              ['access', 'Show what is kept'],
              ['erase', 'Erase what is kept'],
            ]}
          />
          <Choice label="Known by" value={by} onChange={setBy} options={names[kind]} />
          <TextField label="Which one" value={who} onInput={setWho} required maxLength={500} />
          <button class="button primary" disabled={busy}>
            Go
          </button>
        </form>
        {shown !== null && <Code label="What there is" text={JSON.stringify(shown, null, 2)} />}
      </Card>
      <LoadedTable
        title="Receipts"
        path={path}
        load={load}
        rowsOf={(data) => data.requests}
        rowKey={(row) => row.receipt_id}
        empty="Nobody has asked yet."
        columns={[
          {
            id: 'at',
            title: 'When',
            cell: (row) => <span class="nowrap">{moment(row.at, zone)}</span>,
            sort: (row) => row.at,
          },
          { id: 'kind', title: 'Request', cell: (row) => row.kind, sort: (row) => row.kind },
          {
            id: 'found',
            title: 'Found',
            cell: (row) =>
              Object.entries(row.found)
                .filter(([, number]) => number > 0)
                .map(([name, number]) => `${number} ${name.replaceAll('_', ' ')}`)
                .join(', ') || 'nothing',
          },
          { id: 'id', title: 'Receipt', cell: (row) => <code>{row.receipt_id}</code> },
        ]}
      />
    </Page>
  );
}
