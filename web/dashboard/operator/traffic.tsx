import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call, query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { count, money, words } from '../core/format.js';
import { useLoad } from '../core/use-load.js';
import { Bars } from '../ui/charts.js';
import { DataTable } from '../ui/data-table.js';
import { TextField } from '../ui/fields.js';
import { Card, Page } from '../ui/parts.js';
import { Empty, Problem, Shown } from '../ui/states.js';

interface Filtered {
  reason: string;
  kind: string;
  publisherId: string | null;
  events: number;
}

export function TrafficPage(): JSX.Element {
  const [days, setDays] = useState(7);
  const traffic = useLoad<{ rows: Filtered[] }>(`/operator/invalid-traffic${query({ days })}`);
  const accounts = useLoad<{ accounts: { id: string; name: string }[] }>('/operator/accounts');
  const nameOf = (id: string | null): string => (id === null ? '—' : (accounts.data?.accounts.find((one) => one.id === id)?.name ?? id));
  return (
    <Page title="Invalid traffic" actions={<select aria-label="Range" value={String(days)} onChange={(event) => setDays(Number(event.currentTarget.value))}>{[1, 7, 30, 90].map((value) => <option key={value} value={value}>{value === 1 ? 'Last day' : `Last ${value} days`}</option>)}</select>}>
      <div class="grid">
        <Card title="Filtered, by reason">
          <Shown load={traffic}>
            {(data) => {
              const reasons = new Map<string, number>();
              for (const row of data.rows) reasons.set(row.reason, (reasons.get(row.reason) ?? 0) + row.events);
              return reasons.size === 0 ? <Empty title="Nothing was filtered." /> : <Bars label="Filtered events by reason" rows={[...reasons].sort((a, b) => b[1] - a[1]).map(([name, value]) => ({ name: words(name), value }))} format={count} />;
            }}
          </Shown>
        </Card>
        <RefundCard />
        <Card title="By publisher" wide>
          <Shown load={traffic}>
            {(data) => data.rows.length === 0 ? <Empty title="Nothing was filtered." /> : (
              <DataTable label="Filtered traffic" rows={data.rows} rowKey={(row) => `${row.reason} ${row.kind} ${row.publisherId ?? ''}`} columns={[
                { id: 'publisher', title: 'Publisher', cell: (row) => nameOf(row.publisherId) },
                { id: 'kind', title: 'Event', cell: (row) => words(row.kind), sort: (row) => row.kind },
                { id: 'reason', title: 'Reason', cell: (row) => words(row.reason), sort: (row) => row.reason },
                { id: 'events', title: 'Events', numeric: true, cell: (row) => count(row.events), sort: (row) => row.events },
              ]} />
            )}
          </Shown>
        </Card>
      </div>
    </Page>
  );
}

function RefundCard(): JSX.Element {
  const { say } = useApp();
  const [form, setForm] = useState({ advertiser_id: '', campaign_id: '', publisher_id: '', from: '', to: '', reason: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const set = (change: Partial<typeof form>): void => setForm((before) => ({ ...before, ...change }));
  const refund = async (event: Event): Promise<void> => {
    event.preventDefault();
    setProblem(null);
    try {
      const ids = Object.fromEntries((['advertiser_id', 'campaign_id', 'publisher_id'] as const).map((name) => [name, form[name].trim()]).filter(([, value]) => value !== ''));
      const done = await call<{ events: number; spend: number }>('/operator/refunds', { method: 'POST', body: { ...ids, from: new Date(form.from).toISOString(), to: new Date(form.to).toISOString(), reason: form.reason } });
      say(`${count(done.events)} events taken back, ${money(done.spend)} returned.`);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'Fill in both times.');
    }
  };
  return (
    <Card title="Refund traffic found invalid">
      <form class="form" onSubmit={(event) => void refund(event)}>
        {problem !== null && <Problem message={problem} />}
        <div class="form-row">
          <TextField label="Publisher id" value={form.publisher_id} onInput={(publisher_id) => set({ publisher_id })} />
          <TextField label="Advertiser id" value={form.advertiser_id} onInput={(advertiser_id) => set({ advertiser_id })} />
          <TextField label="Campaign id" value={form.campaign_id} onInput={(campaign_id) => set({ campaign_id })} />
        </div>
        <div class="form-row">
          <TextField label="From" type="datetime-local" value={form.from} onInput={(from) => set({ from })} required />
          <TextField label="To" type="datetime-local" value={form.to} onInput={(to) => set({ to })} required />
        </div>
        <TextField label="Reason" value={form.reason} onInput={(reason) => set({ reason })} required maxLength={200} hint="At least one id. Reports of those days are restated; doing it twice changes nothing." />
        <div><button class="button danger">Refund</button></div>
      </form>
    </Card>
  );
}
