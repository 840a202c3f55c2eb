import type { JSX } from 'preact';
import { useApp } from '../core/boot.js';
import { money, moment, words } from '../core/format.js';
import { useLoad } from '../core/use-load.js';
import { usePages } from '../core/use-pages.js';
import { DataTable } from '../ui/data-table.js';
import { Badge, Card, Page, Stat } from '../ui/parts.js';
import { Empty, Loading, Problem, Shown } from '../ui/states.js';

interface Billing {
  total_spend_dollars: number;
  total_billed_dollars: number;
  unbilled_dollars: number;
  credits_dollars: number;
  billing_enabled: boolean;
  last_spend_sync_at: string | null;
  last_billed_at: string | null;
}

type Row = Record<string, unknown>;
const text = (row: Row, ...names: string[]): string => String(names.map((name) => row[name]).find((value) => value !== undefined && value !== null) ?? '');
const amount = (row: Row): number => Number(row['amount_dollars'] ?? row['total_dollars'] ?? row['amount'] ?? row['total'] ?? 0);

export function BillingPage(): JSX.Element {
  const { zone } = useApp();
  const billing = useLoad<Billing>('/advertiser-dashboard/billing');
  const invoices = useLoad<{ invoices: Row[] }>('/advertiser-dashboard/invoices');
  const ledger = usePages<Row>('/advertiser-dashboard/ledger', (page) => (Array.isArray(page['entries']) ? (page['entries'] as Row[]) : []));
  return (
    <Page title="Billing">
      <Shown load={billing}>
        {(data) => (
          <>
            {!data.billing_enabled && data.credits_dollars <= 0 && <Problem message="Billing is not enabled and there is no credit: campaigns cannot be activated. Ask the operator of this server." />}
            <dl class="stats">
              <Stat label="Spend" value={money(data.total_spend_dollars)} />
              <Stat label="Billed" value={money(data.total_billed_dollars)} />
              <Stat label="Not billed yet" value={money(data.unbilled_dollars)} />
              <Stat label="Credit" value={money(data.credits_dollars)} />
              <Stat label="Billing" value={data.billing_enabled ? 'On' : 'Off'} />
            </dl>
            <p class="hint">Spend counted until {moment(data.last_spend_sync_at, zone)}; last invoice {moment(data.last_billed_at, zone)}.</p>
          </>
        )}
      </Shown>
      <div class="stack">
        <Card title="Invoices">
          {invoices.error?.status === 404 ? <Empty title="No invoices." /> : (
            <Shown load={invoices}>
              {(data) => data.invoices.length === 0 ? <Empty title="No invoices yet."><p>They are made from unbilled spend.</p></Empty> : (
                <DataTable label="Invoices" rows={data.invoices} rowKey={(row) => text(row, 'id', 'invoice_id')} columns={[
                  { id: 'number', title: 'Invoice', cell: (row) => text(row, 'number', 'id', 'invoice_id') },
                  { id: 'at', title: 'Date', cell: (row) => moment(text(row, 'issued_at', 'created_at'), zone) },
                  { id: 'amount', title: 'Amount', numeric: true, cell: (row) => money(amount(row)), sort: amount },
                  { id: 'status', title: 'Status', cell: (row) => <Badge value={text(row, 'status')} /> },
                  { id: 'pdf', title: 'Document', cell: (row) => <a href={`/advertiser-dashboard/invoices/${encodeURIComponent(text(row, 'id', 'invoice_id'))}.pdf`}>PDF</a> },
                ]} />
              )}
            </Shown>
          )}
        </Card>
        <Card title="Ledger">
          {ledger.items.length === 0 ? (ledger.loading ? <Loading /> : <Empty title="Nothing booked yet." />) : (
            <DataTable label="Ledger" rows={ledger.items} rowKey={(row) => text(row, 'id', 'entry_id')} columns={[
              { id: 'at', title: 'When', cell: (row) => moment(text(row, 'at', 'created_at'), zone) },
              { id: 'kind', title: 'Entry', cell: (row) => words(text(row, 'kind', 'type')) },
              { id: 'note', title: 'Note', cell: (row) => <span class="clip">{text(row, 'note', 'description', 'reason')}</span> },
              { id: 'amount', title: 'Amount', numeric: true, cell: (row) => money(amount(row)), sort: amount },
            ]} />
          )}
          {ledger.hasMore && <div class="actions"><button type="button" class="button" onClick={ledger.more}>Load more</button></div>}
        </Card>
      </div>
    </Page>
  );
}
