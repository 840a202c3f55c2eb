import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { moment, words } from '../core/format.js';
import { useLoad } from '../core/use-load.js';
import { DataTable } from '../ui/data-table.js';
import { Card, Dialog, Page } from '../ui/parts.js';
import { Empty, Shown } from '../ui/states.js';

interface Entry {
  id: string;
  at: string;
  actor_kind: string;
  actor_id: string;
  account_id: string | null;
  action: string;
  entity: string;
  entity_id: string;
  before: unknown;
  after: unknown;
}

export function AuditPage(): JSX.Element {
  const { zone } = useApp();
  const [account, setAccount] = useState('');
  const [open, setOpen] = useState<Entry | null>(null);
  const accounts = useLoad<{ accounts: { id: string; name: string }[] }>('/operator/accounts');
  const audit = useLoad<{ entries: Entry[] }>(`/operator/audit${query({ account_id: account, limit: 500 })}`);
  const nameOf = (id: string | null): string => (id === null ? '—' : (accounts.data?.accounts.find((one) => one.id === id)?.name ?? id));
  return (
    <Page title="Audit trail" lead="Who changed what, with the state before and after. Nothing here can be edited.">
      <Card title="Newest entries" actions={
        <select aria-label="Account" value={account} onChange={(event) => setAccount(event.currentTarget.value)}>
          <option value="">Every account</option>
          {(accounts.data?.accounts ?? []).map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}
        </select>
      }>
        <Shown load={audit}>
          {(data) => data.entries.length === 0 ? <Empty title="Nothing was changed yet." /> : (
            <DataTable label="Audit trail" rows={data.entries} rowKey={(row) => row.id} columns={[
              { id: 'at', title: 'When', cell: (row) => <span class="nowrap">{moment(row.at, zone)}</span>, sort: (row) => row.at },
              { id: 'what', title: 'What', cell: (row) => `${words(row.action)} ${row.entity.replaceAll('_', ' ')}`, sort: (row) => row.action },
              { id: 'account', title: 'Account', cell: (row) => <span class="clip">{nameOf(row.account_id)}</span> },
              { id: 'by', title: 'By', cell: (row) => row.actor_kind },
              { id: 'more', title: 'Change', cell: (row) => <button type="button" class="button small" aria-label={`Show change of ${row.entity} at ${moment(row.at, zone)}`} onClick={() => setOpen(row)}>Show</button> },
            ]} />
          )}
        </Shown>
      </Card>
      {open !== null && (
        <Dialog title={`${words(open.action)} ${open.entity}`} onClose={() => setOpen(null)}>
          <p class="quiet">{moment(open.at, zone)} by {open.actor_kind} {open.actor_id}, {open.entity} {open.entity_id}</p>
          <h3>Before</h3><pre class="diff" tabIndex={0}>{JSON.stringify(open.before, null, 2)}</pre>
          <h3>After</h3><pre class="diff" tabIndex={0}>{JSON.stringify(open.after, null, 2)}</pre>
        </Dialog>
      )}
    </Page>
  );
}
