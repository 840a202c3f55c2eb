import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { money, moment, words } from '../../core/format.js';
import { heard, t } from '../../core/language.js';
import { useAct } from '../../core/hooks/use-act.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { LoadedTable } from '../../ui/tables/loaded-table.js';
import { Badge, Dialog } from '../../ui/parts.js';
import type { Column } from '../../ui/tables/data-table.js';
import { ReasonForm } from './reason-form.js';

interface Hold {
  reference: string;
  reason: string;
  since: string;
  advertiser_name: string;
}

/** Accounts that stand still because of a payment, and the way to let them run. */
export function HoldsCard(): JSX.Element {
  const { zone } = useApp();
  const path = '/operator/payment-holds';
  const load = useLoad<{ holds: Hold[] }>(path);
  const { act } = useAct();
  const [open, setOpen] = useState<Hold | null>(null);
  const release = async (hold: Hold, reason: string): Promise<void> => {
    setOpen(null);
    const isDone = await act(async () => {
      await call(`${path}/release`, {
        method: 'POST',
        body: { reference: hold.reference, reason },
      });
      return t('{advertiser_name} may run again.', { advertiser_name: hold.advertiser_name });
    });
    if (isDone) load.reload();
  };
  return (
    <>
      <LoadedTable
        title={t('Payment holds')}
        path={path}
        load={load}
        rowsOf={(data) => data.holds}
        rowKey={(row) => row.reference}
        empty={t('No account is held.')}
        columns={holdColumns(zone, setOpen)}
      />
      {open !== null && (
        <ReleaseDialog hold={open} onClose={() => setOpen(null)} onRelease={release} />
      )}
    </>
  );
}

function holdColumns(zone: string, setOpen: (value: Hold | null) => void): readonly Column<Hold>[] {
  return [
    { id: 'who', title: t('Advertiser'), cell: (row) => row.advertiser_name },
    { id: 'why', title: t('Why'), cell: (row) => words(row.reason) },
    {
      id: 'since',
      title: t('Since'),
      cell: (row) => <span class="nowrap">{moment(row.since, zone)}</span>,
      sort: (row) => row.since,
    },
    {
      id: 'act',
      title: t('Actions'),
      cell: (row) => (
        <button
          type="button"
          class="button small"
          aria-label={t('Release {advertiser_name}', {
            advertiser_name: row.advertiser_name,
          })}
          onClick={() => setOpen(row)}
        >
          {t('Release')}
        </button>
      ),
    },
  ];
}

function ReleaseDialog({
  hold,
  onClose,
  onRelease,
}: {
  hold: Hold;
  onClose: () => void;
  onRelease: (hold: Hold, reason: string) => Promise<void>;
}): JSX.Element {
  const { advertiser_name } = hold;
  return (
    <Dialog
      title={t('Release the hold on {advertiser_name}?', { advertiser_name })}
      onClose={onClose}
    >
      <ReasonForm
        hint={t('The advertiser sees this in the ledger. The debt itself remains.')}
        action={t('Release')}
        onReason={(reason) => void onRelease(hold, reason)}
      />
    </Dialog>
  );
}

interface Reversal {
  conversion_id: string;
  advertiser_name: string;
  order_id: string | null;
  reason: string;
  spend: number;
  status: string;
  requested_at: string;
}

/** Money shops ask back: what is beyond the limits waits here for a word. */
export function ReversalsCard(): JSX.Element {
  const { zone } = useApp();
  const path = '/operator/reversals';
  const load = useLoad<{ reversals: Reversal[] }>(path);
  const { act, busy } = useAct();
  const decide = async (row: Reversal, verdict: 'approve' | 'refuse'): Promise<void> => {
    const isDone = await act(async () => {
      await call(`${path}/${row.conversion_id}/${verdict}`, { method: 'POST', body: {} });
      return verdict === 'approve'
        ? t('{spend} refunded.', { spend: money(row.spend) })
        : t('Left unchanged.');
    });
    if (isDone) load.reload();
  };
  return (
    <LoadedTable
      title={t('Reversals of orders')}
      path={path}
      load={load}
      rowsOf={(data) => data.reversals}
      rowKey={(row) => row.conversion_id}
      empty={t('No shop has asked for money back.')}
      columns={reversalColumns(zone, busy, decide)}
    />
  );
}

function reversalColumns(
  zone: string,
  busy: boolean,
  decide: (row: Reversal, verdict: 'approve' | 'refuse') => Promise<void>,
): readonly Column<Reversal>[] {
  return [
    {
      id: 'at',
      title: t('Requested'),
      cell: (row) => <span class="nowrap">{moment(row.requested_at, zone)}</span>,
      sort: (row) => row.requested_at,
    },
    { id: 'who', title: t('Advertiser'), cell: (row) => row.advertiser_name },
    { id: 'order', title: t('Order'), cell: (row) => row.order_id ?? '—' },
    { id: 'why', title: t('Why'), cell: (row) => heard(row.reason) },
    { id: 'spend', title: t('Cost'), numeric: true, cell: (row) => money(row.spend) },
    { id: 'status', title: t('Status'), cell: (row) => <Badge value={row.status} /> },
    {
      id: 'act',
      title: t('Actions'),
      cell: (row) =>
        row.status !== 'applied' && (
          <span class="row">
            {(['approve', 'refuse'] as const)
              .filter((verdict) => verdict === 'approve' || row.status === 'waiting')
              .map((verdict) => (
                <button
                  key={verdict}
                  type="button"
                  class="button small"
                  disabled={busy}
                  aria-label={t('{verdict} order {order_id}', {
                    verdict: words(verdict),
                    order_id: row.order_id ?? row.conversion_id,
                  })}
                  onClick={() => void decide(row, verdict)}
                >
                  {words(verdict)}
                </button>
              ))}
          </span>
        ),
    },
  ];
}
