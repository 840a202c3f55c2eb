import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { BillingView, EntryView, InvoiceView } from '../../../src/surfaces/billing/schema.js';
import { allPages } from '../core/all-pages.js';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { day, money, moment, words } from '../core/format.js';
import { rich, t } from '../core/language.js';
import { type Loaded, useLoad } from '../core/hooks/use-load.js';
import { usePages } from '../core/hooks/use-pages.js';
import { CsvButton } from '../ui/tables/csv-button.js';
import { DataTable, type Column } from '../ui/tables/data-table.js';
import { TextField } from '../ui/forms/fields.js';
import { Badge, Card, Page, Stat } from '../ui/parts.js';
import { Empty, Listed, Problem, Shown } from '../ui/states.js';
import { TakenBack } from '../ui/taken-back.js';

const invoicePath = '/advertiser-dashboard/invoices?limit=50';
const ledgerPath = '/advertiser-dashboard/ledger?limit=100';
// Pages of these two routes hold these lists.
const invoicesOf = (page: Record<string, unknown>): InvoiceView[] =>
  page['invoices'] as InvoiceView[];
const entriesOf = (page: Record<string, unknown>): EntryView[] => page['entries'] as EntryView[];

export function BillingPage(): JSX.Element {
  const { zone } = useApp();
  const billing = useLoad<BillingView>('/advertiser-dashboard/billing');
  const isSold = billing.data?.credit_for_sale;
  return (
    <Page title={t('Billing')}>
      <Summary zone={zone} billing={billing} />
      <div class="stack">
        <InvoicesCard zone={zone} />
        {isSold === true && <BuyCredit />}
        {isSold === false && <GrantedCredit />}
        <LedgerCard zone={zone} />
        <TakenBack kind="advertiser" />
      </div>
    </Page>
  );
}

/** Said where people look for a way to pay. */
function GrantedCredit(): JSX.Element {
  return (
    <Card title={t('Credit')}>
      <p class="hint">{t('Credit is not sold online here. Ask the operator to grant it.')}</p>
    </Card>
  );
}

function Summary({ zone, billing }: { zone: string; billing: Loaded<BillingView> }): JSX.Element {
  return (
    <Shown load={billing}>
      {(data) => (
        <>
          {!data.billing_enabled && data.credits_dollars <= 0 && (
            <Problem
              message={
                data.credit_for_sale
                  ? t(
                      'Billing is not enabled and there is no credit: campaigns cannot be activated. Buy credit below or ask the operator of this server.',
                    )
                  : t(
                      'Billing is not enabled and there is no credit: campaigns cannot be activated. Ask the operator of this server.',
                    )
              }
            />
          )}
          <HoldNotice />
          <dl class="stats">
            <Stat label={t('Spend')} value={money(data.total_spend_dollars)} />
            <Stat label={t('Billed')} value={money(data.total_billed_dollars)} />
            <Stat label={t('Not billed yet')} value={money(data.unbilled_dollars)} />
            <Stat label={t('Credit')} value={money(data.credits_dollars)} />
            <Stat label={t('Billing')} value={data.billing_enabled ? t('On') : t('Off')} />
          </dl>
          {data.last_spend_sync_at !== null && (
            <p class="hint">
              {rich('Spend counted until {last_spend_sync_at}.', {
                last_spend_sync_at: moment(data.last_spend_sync_at, zone),
              })}
            </p>
          )}
        </>
      )}
    </Shown>
  );
}

function InvoicesCard({ zone }: { zone: string }): JSX.Element {
  const invoices = usePages(invoicePath, invoicesOf);
  return (
    <Card
      title={t('Invoices')}
      actions={
        <CsvButton
          what={t('Invoices')}
          from={async () => [
            ['number', 'issued_at', 'total_dollars', 'credits_dollars', 'due_dollars', 'status'],
            ...(await allPages(invoicePath, invoicesOf)).map((row) => [
              row.number,
              row.issued_at,
              row.total_dollars,
              row.credits_dollars,
              row.due_dollars,
              row.status,
            ]),
          ]}
        />
      }
    >
      <Listed
        list={invoices}
        empty={
          <Empty title={t('No invoices yet.')}>
            <p>{t('Invoices are created from unbilled spend.')}</p>
          </Empty>
        }
      >
        {(items) => (
          <DataTable
            label={t('Invoices')}
            rows={items}
            rowKey={(row) => row.id}
            columns={invoiceColumns(zone)}
          />
        )}
      </Listed>
    </Card>
  );
}

/** Less than a cent is not charged: rounded up, the total would not be what is due. */
const wholeCents = (dollars: number): number =>
  Math.floor(Number((dollars * 100).toFixed(4))) / 100;

function invoiceColumns(zone: string): readonly Column<InvoiceView>[] {
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
      id: 'total',
      title: t('Total'),
      numeric: true,
      cell: (row) => money(wholeCents(row.total_dollars)),
      sort: (row) => row.total_dollars,
    },
    {
      id: 'credits',
      title: t('From credit'),
      numeric: true,
      cell: (row) => money(wholeCents(row.credits_dollars)),
    },
    {
      id: 'due',
      title: t('Due'),
      numeric: true,
      cell: (row) => money(row.due_dollars),
      sort: (row) => row.due_dollars,
    },
    { id: 'status', title: t('Status'), cell: (row) => <Badge value={row.status} /> },
    {
      id: 'pdf',
      title: t('Document'),
      cell: (row) => (
        <span class="row">
          <a href={`/advertiser-dashboard/invoices/${row.id}.pdf`}>{t('PDF')}</a>
          {row.payment_url !== null &&
            row.status === 'open' &&
            row.payment_url.startsWith('https:') && (
              <a href={row.payment_url} rel="noopener">
                {t('Pay')}
              </a>
            )}
        </span>
      ),
    },
  ];
}

function LedgerCard({ zone }: { zone: string }): JSX.Element {
  const ledger = usePages(ledgerPath, entriesOf);
  return (
    <Card
      title={t('Ledger')}
      actions={
        <CsvButton
          what={t('Ledger')}
          from={async () => [
            ['id', 'at', 'kind', 'reason', 'amount_dollars'],
            ...(await allPages(ledgerPath, entriesOf)).map((row) => [
              row.id,
              row.at,
              row.kind,
              row.reason,
              row.amount_dollars,
            ]),
          ]}
        />
      }
    >
      <Listed list={ledger} empty={<Empty title={t('No entries yet.')} />}>
        {(items) => (
          <DataTable
            label={t('Ledger')}
            rows={items}
            rowKey={(row) => row.id}
            columns={[
              {
                id: 'at',
                title: t('When'),
                cell: (row) => <span class="nowrap">{moment(row.at, zone)}</span>,
                sort: (row) => row.at,
              },
              {
                id: 'kind',
                title: t('Entry'),
                cell: (row) => words(row.kind),
                sort: (row) => row.kind,
              },
              {
                id: 'reason',
                title: t('Reason'),
                cell: (row) => <span class="wide-cell">{reasonWords(row.reason)}</span>,
              },
              {
                id: 'amount',
                title: t('Amount'),
                numeric: true,
                cell: (row) => money(row.amount_dollars),
                sort: (row) => row.amount_dollars,
              },
            ]}
          />
        )}
      </Listed>
    </Card>
  );
}

/** Why the campaigns stand still, if a payment is the reason. */
function HoldNotice(): JSX.Element | null {
  const { zone } = useApp();
  const load = useLoad<{ holds: { reference: string; reason: string; since: string }[] }>(
    '/advertiser-dashboard/payment-holds',
  );
  const holds = load.data?.holds ?? [];
  if (holds.length === 0) return null;
  const why = holds.map(({ reason, since }) =>
    t('{reason} since {since}', { reason: words(reason), since: moment(since, zone) }),
  );
  return <Problem message={t('Your campaigns are on hold: {why}.', { why: why.join('; ') })} />;
}

function BuyCredit(): JSX.Element {
  const [amount, setAmount] = useState('100');
  const [problem, setProblem] = useState<string | null>(null);
  const buy = async (event: Event): Promise<void> => {
    event.preventDefault();
    setProblem(null);
    try {
      const { payment_url: url } = await call<{ payment_url: string }>(
        '/advertiser-dashboard/credits',
        { method: 'POST', body: { amount_dollars: Number(amount) } },
      );
      if (url.startsWith('https:')) location.assign(url);
    } catch (error) {
      setProblem(
        error instanceof ApiError
          ? error.status === 409
            ? t('Credit is not sold online here. Ask the operator to grant it.')
            : error.message
          : t('That did not work.'),
      );
    }
  };
  return (
    <Card title={t('Buy credit')}>
      <form class="row" onSubmit={(event) => void buy(event)}>
        <TextField
          label={t('Amount in dollars')}
          value={amount}
          onInput={setAmount}
          type="number"
          min="5"
          step="0.01"
          required
        />
        <button class="button">{t('Continue to payment')}</button>
      </form>
      {problem !== null && (
        <p class="hint" role="status">
          {problem}
        </p>
      )}
    </Card>
  );
}

/** What a charge is for, as the server writes it into the ledger; anything else people wrote. */
function reasonWords(reason: string): string {
  const [, days] = /^Spend of (\d{4}-.*)$/.exec(reason) ?? [];
  if (days === undefined) return reason;
  return t('Spend of {days}', { days: days.split(' to ').map(day).join(' – ') });
}
