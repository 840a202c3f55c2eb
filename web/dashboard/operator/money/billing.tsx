import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { OperatorInvoiceView } from '../../../../src/surfaces/billing/schema.js';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { count, money, moment } from '../../core/format.js';
import { rich, t } from '../../core/language.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { usePages, type PagedList } from '../../core/hooks/use-pages.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Choice, TextField } from '../../ui/forms/fields.js';
import { Badge, Card, Confirm, Dialog, Page } from '../../ui/parts.js';
import { Empty, Listed, Problem } from '../../ui/states.js';
import { ReasonForm } from './reason-form.js';
import { HoldsCard, ReversalsCard } from './holds.js';

export function OperatorBillingPage(): JSX.Element {
  const { zone, say } = useApp();
  const accounts = useLoad<{ accounts: { id: string; name: string; kind: string }[] }>(
    '/operator/accounts',
  );
  // Pages of the invoice route hold this list.
  const invoices = usePages<OperatorInvoiceView>(
    '/operator/invoices?limit=100',
    (page) => page['invoices'] as OperatorInvoiceView[],
  );
  const act = useInvoiceAct(say, invoices);
  const [billing, setBilling] = useState(false);
  const [paying, setPaying] = useState<OperatorInvoiceView | null>(null);
  const [voiding, setVoiding] = useState<OperatorInvoiceView | null>(null);

  return (
    <Page
      title={t('Billing')}
      actions={
        <button type="button" class="button" onClick={() => setBilling(true)}>
          {t('Bill what was spent')}
        </button>
      }
    >
      <div class="stack">
        {accounts.error !== undefined && (
          <Problem
            message={t('The advertisers could not be loaded. {message}', {
              message: accounts.error.message,
            })}
            retry={accounts.reload}
          />
        )}
        <GrantCard
          advertisers={(accounts.data?.accounts ?? []).filter((one) => one.kind === 'advertiser')}
          onGrant={(body) =>
            void act(
              async () => (
                await call('/operator/credits', { method: 'POST', body }),
                t('Credit granted.')
              ),
            )
          }
        />
        <InvoicesCard
          invoices={invoices}
          zone={zone}
          setPaying={setPaying}
          setVoiding={setVoiding}
        />
        <HoldsCard />
        <ReversalsCard />
      </div>
      {billing && <BillQuestion act={act} run={run} setBilling={setBilling} />}
      {paying !== null && <PaidQuestion paying={paying} act={act} setPaying={setPaying} />}
      {voiding !== null && <VoidQuestion voiding={voiding} setVoiding={setVoiding} act={act} />}
    </Page>
  );
}

function useInvoiceAct(
  say: (message: string, kind?: 'good' | 'bad') => void,
  invoices: PagedList<OperatorInvoiceView>,
): (work: () => Promise<string>) => Promise<void> {
  const act = async (work: () => Promise<string>): Promise<void> => {
    try {
      say(await work());
      invoices.reload();
    } catch (error) {
      say(error instanceof ApiError ? error.message : t('That did not work.'), 'bad');
    }
  };
  return act;
}

const run = (): Promise<string> =>
  call<{ invoices: unknown[] }>('/operator/billing/run', { method: 'POST', body: {} }).then(
    (done) => t('{invoices} invoices issued.', { invoices: count(done.invoices.length) }),
  );

function InvoicesCard({
  invoices,
  zone,
  setPaying,
  setVoiding,
}: {
  invoices: PagedList<OperatorInvoiceView>;
  zone: string;
  setPaying: (value: OperatorInvoiceView | null) => void;
  setVoiding: (value: OperatorInvoiceView | null) => void;
}): JSX.Element {
  return (
    <Card title={t('Invoices')} actions={<InvoicesCsv invoices={invoices} />}>
      <Listed list={invoices} empty={<Empty title={t('No invoices yet.')} />}>
        {(items) => (
          <DataTable
            label={t('Invoices')}
            rows={items}
            rowKey={(row) => row.id}
            columns={invoiceColumns(zone, setPaying, setVoiding)}
          />
        )}
      </Listed>
    </Card>
  );
}

function InvoicesCsv({ invoices }: { invoices: PagedList<OperatorInvoiceView> }): JSX.Element {
  return (
    <CsvButton
      what={t('Invoices')}
      from={() => [
        [
          'number',
          'issued_at',
          'advertiser',
          'campaigns',
          'total_dollars',
          'due_dollars',
          'status',
        ],
        ...invoices.items.map((row) => [
          row.number,
          row.issued_at,
          row.advertiser_name,
          row.lines.map((line) => line.campaign_name).join('; '),
          row.total_dollars,
          row.due_dollars,
          row.status,
        ]),
      ]}
    />
  );
}

function invoiceColumns(
  zone: string,
  setPaying: (value: OperatorInvoiceView | null) => void,
  setVoiding: (value: OperatorInvoiceView | null) => void,
): readonly Column<OperatorInvoiceView>[] {
  return [
    {
      id: 'number',
      title: t('Invoice'),
      cell: (row) => row.number,
      sort: (row) => row.number,
    },
    {
      id: 'at',
      title: t('Issued'),
      cell: (row) => <span class="nowrap">{moment(row.issued_at, zone)}</span>,
      sort: (row) => row.issued_at,
    },
    {
      id: 'advertiser',
      title: t('Advertiser'),
      cell: (row) => (
        <span class="clip" title={row.advertiser_name}>
          {row.advertiser_name}
        </span>
      ),
      sort: (row) => row.advertiser_name,
    },
    {
      id: 'for',
      title: t('For'),
      cell: (row) => (
        <span class="clip">{row.lines.map((line) => line.campaign_name).join(', ')}</span>
      ),
    },
    {
      id: 'due',
      title: t('Due'),
      numeric: true,
      cell: (row) => money(row.due_dollars),
      sort: (row) => row.due_dollars,
    },
    {
      id: 'status',
      title: t('Status'),
      cell: (row) => <Badge value={row.status} />,
      sort: (row) => row.status,
    },
    {
      id: 'act',
      title: t('Actions'),
      cell: (row) =>
        row.status === 'open' && (
          <InvoiceActions row={row} setPaying={setPaying} setVoiding={setVoiding} />
        ),
    },
  ];
}

function InvoiceActions({
  row,
  setPaying,
  setVoiding,
}: {
  row: OperatorInvoiceView;
  setPaying: (value: OperatorInvoiceView | null) => void;
  setVoiding: (value: OperatorInvoiceView | null) => void;
}): JSX.Element {
  return (
    <span class="row">
      <button
        type="button"
        class="button small"
        aria-label={t('Mark paid: invoice {number}', { number: row.number })}
        onClick={() => setPaying(row)}
      >
        {t('Mark paid')}
      </button>
      <button
        type="button"
        class="button small"
        aria-label={t('Void: invoice {number}', { number: row.number })}
        onClick={() => setVoiding(row)}
      >
        {t('Void')}
      </button>
    </span>
  );
}

function BillQuestion({
  act,
  run,
  setBilling,
}: {
  act: (work: () => Promise<string>) => Promise<void>;
  run: () => Promise<string>;
  setBilling: (value: boolean) => void;
}): JSX.Element {
  return (
    <Confirm
      title={t('Bill what was spent?')}
      action={t('Bill now')}
      onYes={() => void act(run)}
      onClose={() => setBilling(false)}
    >
      <p>
        {t(
          'Every advertiser with spend that was not billed yet gets an invoice, and credit is used up first. An invoice can be voided, but not deleted.',
        )}
      </p>
    </Confirm>
  );
}

function PaidQuestion({
  paying,
  act,
  setPaying,
}: {
  paying: OperatorInvoiceView;
  act: (work: () => Promise<string>) => Promise<void>;
  setPaying: (value: OperatorInvoiceView | null) => void;
}): JSX.Element {
  return (
    <Confirm
      title={t('Mark invoice {number} as paid?', { number: paying.number })}
      action={t('Mark as paid')}
      onYes={() =>
        void act(async () => {
          await call(`/operator/invoices/${paying.id}/paid`, { method: 'POST', body: {} });
          return t('Invoice {number} is paid.', { number: paying.number });
        })
      }
      onClose={() => setPaying(null)}
    >
      <p>
        {rich('{due_dollars} from {advertiser_name}. It cannot be voided afterwards.', {
          due_dollars: money(paying.due_dollars),
          advertiser_name: paying.advertiser_name,
        })}
      </p>
    </Confirm>
  );
}

function VoidQuestion({
  voiding,
  setVoiding,
  act,
}: {
  voiding: OperatorInvoiceView;
  setVoiding: (value: OperatorInvoiceView | null) => void;
  act: (work: () => Promise<string>) => Promise<void>;
}): JSX.Element {
  return (
    <VoidDialog
      invoice={voiding}
      onClose={() => setVoiding(null)}
      onVoid={(reason) => {
        setVoiding(null);
        void act(
          async () => (
            await call(`/operator/invoices/${voiding.id}/void`, {
              method: 'POST',
              body: { reason },
            }),
            t('Invoice {number} is void.', { number: voiding.number })
          ),
        );
      }}
    />
  );
}

function VoidDialog({
  invoice,
  onClose,
  onVoid,
}: {
  invoice: OperatorInvoiceView;
  onClose: () => void;
  onVoid: (reason: string) => void;
}): JSX.Element {
  return (
    <Dialog title={t('Void invoice {number}', { number: invoice.number })} onClose={onClose}>
      <ReasonForm
        hint={t('What it billed will be on the next invoice.')}
        action={t('Void invoice')}
        onReason={onVoid}
      />
    </Dialog>
  );
}

function GrantCard({
  advertisers,
  onGrant,
}: {
  advertisers: { id: string; name: string }[];
  onGrant: (body: { advertiser_id: string; amount_dollars: number; reason: string }) => void;
}): JSX.Element {
  const [form, setForm] = useState({ advertiser: '', amount: '100', reason: '' });
  const set = (change: Partial<typeof form>): void =>
    setForm((before) => ({ ...before, ...change }));
  return (
    <Card title={t('Grant credit')}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (form.advertiser !== '')
            onGrant({
              advertiser_id: form.advertiser,
              amount_dollars: Number(form.amount),
              reason: form.reason,
            });
        }}
      >
        <div class="form-row">
          <Choice
            label={t('Advertiser')}
            value={form.advertiser}
            options={[['', t('Choose…')], ...advertisers.map((one) => [one.id, one.name] as const)]}
            onChange={(advertiser) => set({ advertiser })}
          />
          <TextField
            label={t('Amount in dollars')}
            value={form.amount}
            onInput={(amount) => set({ amount })}
            type="number"
            step="0.01"
            required
          />
          <TextField
            label={t('Reason')}
            value={form.reason}
            onInput={(reason) => set({ reason })}
            required
            maxLength={500}
          />
        </div>
        <div>
          <button class="button primary">{t('Grant credit')}</button>
        </div>
      </form>
    </Card>
  );
}
