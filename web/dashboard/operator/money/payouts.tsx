import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { longDay, moment, money } from '../../core/format.js';
import { useAct } from '../../core/hooks/use-act.js';
import { type Loaded, useLoad } from '../../core/hooks/use-load.js';
import { heard, named, t } from '../../core/language.js';
import { Clip } from '../../ui/tables/clip.js';
import { LoadedTable } from '../../ui/tables/loaded-table.js';
import { TextField } from '../../ui/forms/fields.js';
import { Badge, Confirm, Page } from '../../ui/parts.js';
import { trendColumn, useNetworkTrends } from '../trend-column.js';
import type { Column } from '../../ui/tables/data-table.js';

interface Earner {
  publisher_id: string;
  name: string;
  status: string;
  earned: number;
  held: number;
  payable: number;
  paid: number;
  held_because: { reason: string; amount: number }[];
}

const unprovenOf = (row: Earner): number =>
  row.held_because.find(({ reason }) => reason === 'unproven')?.amount ?? 0;

interface Payout {
  id: string;
  publisher_id: string;
  amount: number;
  through: string;
  approved_at: string;
  reference: string | null;
  method: string;
  status: string;
  problem: string | null;
}

/** What every publisher may be paid, the button that approves it, and what became of it. */
export function PayoutsPage(): JSX.Element {
  const load = useLoad<{ publishers: Earner[] }>('/operator/earnings');
  const payouts = useLoad<{ payouts: Payout[] }>('/operator/payouts');
  const nameOf = (id: string): string =>
    load.data?.publishers.find((one) => one.publisher_id === id)?.name ?? id;
  return (
    <Page
      title={t('Payouts')}
      lead={t(
        'Earnings are held while invalid traffic can still be detected, then become payable.',
      )}
    >
      <div class="stack">
        <PayableCard load={load} onPaid={payouts.reload} />
        <PaidCard load={payouts} nameOf={nameOf} onChange={load.reload} />
      </div>
    </Page>
  );
}

function PayableCard({
  load,
  onPaid,
}: {
  load: Loaded<{ publishers: Earner[] }>;
  onPaid: () => void;
}): JSX.Element {
  const path = '/operator/earnings';
  const { act, busy } = useAct();
  const earned = useNetworkTrends('publisher', publisherIds(load.data));
  const [paying, setPaying] = useState<Earner | null>(null);
  const [reference, setReference] = useState('');
  const pay = async (row: Earner): Promise<void> => {
    const isDone = await act(async () => {
      const { amount, status, problem } = await call<Payout>('/operator/payouts', {
        method: 'POST',
        body: {
          publisher_id: row.publisher_id,
          unproven: unprovenOf(row) > 0,
          ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
        },
      });
      return status === 'paid'
        ? t('{amount} approved for {name}.', { amount: money(amount), name: row.name })
        : t('{amount} approved for {name}, but not sent: {status}', {
            amount: money(amount),
            name: row.name,
            status: problem ?? status,
          });
    });
    setReference('');
    if (isDone) {
      load.reload();
      onPaid();
    }
  };
  return (
    <>
      <LoadedTable
        title={t('Payouts to approve')}
        path={path}
        load={load}
        rowsOf={(data) => data.publishers.filter((row) => row.earned !== 0 || row.paid !== 0)}
        rowKey={(row) => row.publisher_id}
        empty={t('No publisher has earned anything yet.')}
        columns={payableColumns(busy, setPaying, earned)}
      />
      {paying !== null && (
        <PayQuestion
          paying={paying}
          pay={pay}
          setPaying={setPaying}
          reference={reference}
          setReference={setReference}
        />
      )}
    </>
  );
}

function publisherIds(data: { publishers: Earner[] } | null | undefined): string[] {
  return (data?.publishers ?? []).map((row) => row.publisher_id);
}

function payableColumns(
  busy: boolean,
  setPaying: (value: Earner | null) => void,
  earned: ReturnType<typeof useNetworkTrends>,
): readonly Column<Earner>[] {
  return [
    {
      id: 'name',
      title: t('Publisher'),
      cell: (row) => <Clip text={row.name} />,
      sort: (row) => row.name,
    },
    trendColumn(
      earned,
      (row: Earner) => row.publisher_id,
      () => t('Revenue'),
    ),
    {
      id: 'held',
      title: t('Held'),
      numeric: true,
      cell: (row) => money(row.held),
      sort: (row) => row.held,
    },
    {
      id: 'why',
      title: t('Because'),
      cell: (row) => (
        <span class="wide-cell">
          {row.held_because.map(({ reason }) => whyHeld(reason)).join(', ')}
        </span>
      ),
    },
    {
      id: 'payable',
      title: t('Payable'),
      numeric: true,
      cell: (row) => money(row.payable),
      sort: (row) => row.payable,
    },
    { id: 'paid', title: t('Paid'), numeric: true, cell: (row) => money(row.paid) },
    {
      id: 'act',
      title: t('Actions'),
      cell: (row) =>
        row.payable + unprovenOf(row) > 0 &&
        row.status !== 'blocked' && (
          <button
            type="button"
            class="button small"
            aria-label={t('Pay {name}', { name: row.name })}
            disabled={busy}
            onClick={() => setPaying(row)}
          >
            {t('Pay')}
          </button>
        ),
    },
  ];
}

function whyHeld(reason: string): string {
  return reason === 'recent' ? t('earned recently') : named(reason);
}

function PayQuestion({
  paying,
  pay,
  setPaying,
  reference,
  setReference,
}: {
  paying: Earner;
  pay: (row: Earner) => Promise<void>;
  setPaying: (value: Earner | null) => void;
  reference: string;
  setReference: (value: string) => void;
}): JSX.Element {
  return (
    <Confirm
      title={t('Approve a payout to {name}?', { name: paying.name })}
      action={t('Approve')}
      onYes={() => void pay(paying)}
      onClose={() => setPaying(null)}
    >
      <p>
        {unprovenOf(paying) > 0
          ? t(
              '{amount} is on hold until purchases show that real people are behind the traffic. Only pay it if you know this publisher: money paid out cannot be recovered.',
              { amount: money(unprovenOf(paying)) },
            )
          : t(
              '{amount} is free to be paid. Where a provider is set and the publisher has an account there, it is sent at once; otherwise send it yourself, this records it.',
              { amount: money(paying.payable) },
            )}
      </p>
      <TextField
        label={t('Reference')}
        value={reference}
        onInput={setReference}
        maxLength={200}
        hint={t('Optional: what your bank calls it. The publisher sees it.')}
      />
    </Confirm>
  );
}

function PaidCard({
  load,
  nameOf,
  onChange,
}: {
  load: Loaded<{ payouts: Payout[] }>;
  nameOf: (id: string) => string;
  onChange: () => void;
}): JSX.Element {
  const { zone } = useApp();
  const { act, busy } = useAct();
  const [voiding, setVoiding] = useState<Payout | null>(null);
  const change = async (row: Payout, action: 'send' | 'void'): Promise<void> => {
    await act(async () => {
      const { status, problem } = await call<Payout>(`/operator/payouts/${row.id}`, {
        method: 'POST',
        body: { action },
      });
      return status === 'paid'
        ? t('{amount} sent.', { amount: money(row.amount) })
        : status === 'void'
          ? t('Taken back: it is payable again.')
          : t('Not sent: {status}', { status: problem ?? status });
    });
    load.reload();
    onChange();
  };
  return (
    <>
      <LoadedTable
        title={t('Approved payouts')}
        path="/operator/payouts"
        load={load}
        rowsOf={(data) => data.payouts}
        rowKey={(row) => row.id}
        empty={t('Nothing was approved yet.')}
        columns={paidColumns({ zone, nameOf, busy, change, setVoiding })}
      />
      {voiding !== null && (
        <VoidQuestion voiding={voiding} change={change} setVoiding={setVoiding} />
      )}
    </>
  );
}

function paidColumns({
  zone,
  nameOf,
  busy,
  change,
  setVoiding,
}: {
  zone: string;
  nameOf: (id: string) => string;
  busy: boolean;
  change: (row: Payout, action: 'send' | 'void') => Promise<void>;
  setVoiding: (value: Payout | null) => void;
}): readonly Column<Payout>[] {
  return [
    {
      id: 'at',
      title: t('Approved'),
      cell: (row) => <span class="nowrap">{moment(row.approved_at, zone)}</span>,
      sort: (row) => row.approved_at,
    },
    {
      id: 'publisher',
      title: t('Publisher'),
      cell: (row) => <Clip text={nameOf(row.publisher_id)} />,
      sort: (row) => nameOf(row.publisher_id),
    },
    {
      id: 'amount',
      title: t('Amount'),
      numeric: true,
      cell: (row) => money(row.amount),
      sort: (row) => row.amount,
    },
    { id: 'through', title: t('Earned until'), cell: (row) => longDay(row.through) },
    { id: 'reference', title: t('Reference'), cell: (row) => row.reference ?? '—' },
    {
      id: 'status',
      title: t('Status'),
      cell: (row) => (
        <span class="wide-cell">
          <Badge value={row.status} /> {heard(row.problem ?? '')}
        </span>
      ),
    },
    {
      id: 'act',
      title: t('Actions'),
      cell: (row) =>
        (row.status === 'failed' || row.status === 'approved') && (
          <PayoutActions
            busy={busy}
            row={row}
            nameOf={nameOf}
            change={change}
            setVoiding={setVoiding}
          />
        ),
    },
  ];
}

function PayoutActions({
  busy,
  row,
  nameOf,
  change,
  setVoiding,
}: {
  busy: boolean;
  row: Payout;
  nameOf: (id: string) => string;
  change: (row: Payout, action: 'send' | 'void') => Promise<void>;
  setVoiding: (value: Payout | null) => void;
}): JSX.Element {
  return (
    <span class="row">
      <button
        type="button"
        class="button small"
        disabled={busy}
        aria-label={t('Send again: {amount} to {name}', {
          amount: money(row.amount),
          name: nameOf(row.publisher_id),
        })}
        onClick={() => void change(row, 'send')}
      >
        {t('Send again')}
      </button>
      {row.status === 'failed' && (
        <button
          type="button"
          class="button small danger"
          disabled={busy}
          aria-label={t('Take {amount} to {name} back', {
            amount: money(row.amount),
            name: nameOf(row.publisher_id),
          })}
          onClick={() => setVoiding(row)}
        >
          {t('Take back')}
        </button>
      )}
    </span>
  );
}

function VoidQuestion({
  voiding,
  change,
  setVoiding,
}: {
  voiding: Payout;
  change: (row: Payout, action: 'send' | 'void') => Promise<void>;
  setVoiding: (value: Payout | null) => void;
}): JSX.Element {
  return (
    <Confirm
      title={t('Take {amount} back?', { amount: money(voiding.amount) })}
      action={t('Take back')}
      danger
      onYes={() => void change(voiding, 'void')}
      onClose={() => setVoiding(null)}
    >
      <p>{t('The provider refused it, so nothing was sent. The amount becomes payable again.')}</p>
    </Confirm>
  );
}
