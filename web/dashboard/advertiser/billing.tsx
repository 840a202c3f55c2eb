import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { BillingView, EntryView, InvoiceView } from '../../../src/surfaces/billing/schema.js';
import { ApiError, call, downloadCsv } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { money, moment, words } from '../core/format.js';
import { useLoad } from '../core/use-load.js';
import { usePages } from '../core/use-pages.js';
import { DataTable } from '../ui/data-table.js';
import { TextField } from '../ui/fields.js';
import { Badge, Card, Page, Stat } from '../ui/parts.js';
import { Empty, Loading, Problem, Shown } from '../ui/states.js';

export function BillingPage(): JSX.Element {
  const { zone, say } = useApp();
  const billing = useLoad<BillingView>('/advertiser-dashboard/billing');
  // Pages of the invoice and ledger routes hold these lists.
  const invoices = usePages<InvoiceView>('/advertiser-dashboard/invoices?limit=50', (page) => page['invoices'] as InvoiceView[]);
  const ledger = usePages<EntryView>('/advertiser-dashboard/ledger?limit=100', (page) => page['entries'] as EntryView[]);
  return (
    <Page title="Billing">
      <Shown load={billing}>
        {(data) => (
          <>
            {!data.billing_enabled && data.credits_dollars <= 0 && <Problem message="Billing is not enabled and there is no credit: campaigns cannot be activated. Buy credit below or ask the operator of this server." />}
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
          {invoices.error !== undefined && <Problem message={invoices.error.message} retry={invoices.reload} />}
          {invoices.items.length === 0 ? (invoices.loading ? <Loading /> : <Empty title="No invoices yet."><p>They are made from spend that was not billed.</p></Empty>) : (
            <DataTable label="Invoices" rows={invoices.items} rowKey={(row) => row.id} columns={[
              { id: 'number', title: 'Invoice', cell: (row) => row.number, sort: (row) => row.number },
              { id: 'at', title: 'Issued', cell: (row) => <span class="nowrap">{moment(row.issued_at, zone)}</span>, sort: (row) => row.issued_at },
              { id: 'total', title: 'Total', numeric: true, cell: (row) => money(row.total_dollars), sort: (row) => row.total_dollars },
              { id: 'credits', title: 'From credit', numeric: true, cell: (row) => money(row.credits_dollars) },
              { id: 'due', title: 'Due', numeric: true, cell: (row) => money(row.due_dollars), sort: (row) => row.due_dollars },
              { id: 'status', title: 'Status', cell: (row) => <Badge value={row.status} /> },
              { id: 'pdf', title: 'Document', cell: (row) => <span class="row"><a href={`/advertiser-dashboard/invoices/${row.id}.pdf`}>PDF</a>{row.payment_url !== null && row.status === 'open' && row.payment_url.startsWith('https:') && <a href={row.payment_url} rel="noopener">Pay</a>}</span> },
            ]} />
          )}
          {invoices.hasMore && <div class="actions"><button type="button" class="button" onClick={invoices.more}>Load more</button></div>}
        </Card>
        <BuyCredit />
        <Card title="Ledger" actions={<button type="button" class="button small" onClick={() => void downloadCsv('/advertiser-dashboard/ledger?limit=100', 'ledger').catch(() => say('The download failed.', 'bad'))}>CSV</button>}>
          {ledger.error !== undefined && <Problem message={ledger.error.message} retry={ledger.reload} />}
          {ledger.items.length === 0 ? (ledger.loading ? <Loading /> : <Empty title="Nothing booked yet." />) : (
            <DataTable label="Ledger" rows={ledger.items} rowKey={(row) => row.id} columns={[
              { id: 'at', title: 'When', cell: (row) => <span class="nowrap">{moment(row.at, zone)}</span>, sort: (row) => row.at },
              { id: 'kind', title: 'Entry', cell: (row) => words(row.kind), sort: (row) => row.kind },
              { id: 'reason', title: 'Reason', cell: (row) => <span class="clip" title={row.reason}>{row.reason}</span> },
              { id: 'amount', title: 'Amount', numeric: true, cell: (row) => money(row.amount_dollars), sort: (row) => row.amount_dollars },
            ]} />
          )}
          {ledger.hasMore && <div class="actions"><button type="button" class="button" onClick={ledger.more}>Load more</button></div>}
        </Card>
      </div>
    </Page>
  );
}

function BuyCredit(): JSX.Element {
  const [amount, setAmount] = useState('100');
  const [problem, setProblem] = useState<string | null>(null);
  const buy = async (event: Event): Promise<void> => {
    event.preventDefault();
    setProblem(null);
    try {
      const { payment_url: url } = await call<{ payment_url: string }>('/advertiser-dashboard/credits', { method: 'POST', body: { amount_dollars: Number(amount) } });
      if (url.startsWith('https:')) location.assign(url);
    } catch (error) {
      setProblem(error instanceof ApiError ? (error.status === 409 ? 'This server sells no credit online: its operator grants it.' : error.message) : 'That did not work.');
    }
  };
  return (
    <Card title="Buy credit">
      <form class="row" onSubmit={(event) => void buy(event)}>
        <TextField label="Amount in dollars" value={amount} onInput={setAmount} type="number" min="5" step="0.01" required />
        <button class="button">Continue to payment</button>
      </form>
      {problem !== null && <p class="hint" role="status">{problem}</p>}
    </Card>
  );
}
