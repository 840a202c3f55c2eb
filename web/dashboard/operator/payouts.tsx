import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../core/api.js';
import { money } from '../core/format.js';
import { t } from '../core/language.js';
import { useAct } from '../core/use-act.js';
import { useLoad } from '../core/use-load.js';
import { LoadedTable } from '../ui/loaded-table.js';
import { Confirm } from '../ui/parts.js';

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

/** What every publisher may be paid, and the button that approves it. */
export function PayoutsCard(): JSX.Element {
  const path = '/operator/earnings';
  const load = useLoad<{ publishers: Earner[] }>(path);
  const { act, busy } = useAct();
  const [paying, setPaying] = useState<Earner | null>(null);
  const pay = async (row: Earner): Promise<void> => {
    const isDone = await act(async () => {
      const { amount } = await call<{ amount: number }>('/operator/payouts', {
        method: 'POST',
        body: { publisher_id: row.publisher_id, unproven: unprovenOf(row) > 0 },
      });
      return t('{amount} approved for {name}.', { amount: money(amount), name: row.name });
    });
    if (isDone) load.reload();
  };
  return (
    <>
      <LoadedTable
        title={t('Publishers’ earnings')}
        path={path}
        load={load}
        rowsOf={(data) => data.publishers.filter((row) => row.earned !== 0 || row.paid !== 0)}
        rowKey={(row) => row.publisher_id}
        empty={t('No publisher has earned anything yet.')}
        columns={[
          {
            id: 'name',
            title: t('Publisher'),
            cell: (row) => <span class="clip">{row.name}</span>,
            sort: (row) => row.name,
          },
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
                {row.held_because.map(({ reason }) => reason.replaceAll('_', ' ')).join(', ')}
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
        ]}
      />
      {paying !== null && (
        <Confirm
          title={t('Approve a payout to {name}?', { name: paying.name })}
          action={t('Approve')}
          onYes={() => void pay(paying)}
          onClose={() => setPaying(null)}
        >
          <p>
            {unprovenOf(paying) > 0
              ? t(
                  '{unprovenOf} is on hold until purchases show that real people are behind the traffic. Only pay it if you know this publisher: money paid out cannot be recovered.',
                  { unprovenOf: money(unprovenOf(paying)) },
                )
              : t(
                  '{payable} is ready to be paid. Send the money yourself; this records the payment.',
                  { payable: money(paying.payable) },
                )}
          </p>
        </Confirm>
      )}
    </>
  );
}
