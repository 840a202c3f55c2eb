import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../core/api.js';
import { money } from '../core/format.js';
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
      return `${money(amount)} approved for ${row.name}.`;
    });
    if (isDone) load.reload();
  };
  return (
    <>
      <LoadedTable
        title="Publishers’ earnings"
        path={path}
        load={load}
        rowsOf={(data) => data.publishers.filter((row) => row.earned !== 0 || row.paid !== 0)}
        rowKey={(row) => row.publisher_id}
        empty="No publisher has earned anything yet."
        columns={[
          {
            id: 'name',
            title: 'Publisher',
            cell: (row) => <span class="clip">{row.name}</span>,
            sort: (row) => row.name,
          },
          {
            id: 'held',
            title: 'Held',
            numeric: true,
            cell: (row) => money(row.held),
            sort: (row) => row.held,
          },
          {
            id: 'why',
            title: 'Because',
            cell: (row) => (
              <span class="wide-cell">
                {row.held_because.map(({ reason }) => reason.replaceAll('_', ' ')).join(', ')}
              </span>
            ),
          },
          {
            id: 'payable',
            title: 'Payable',
            numeric: true,
            cell: (row) => money(row.payable),
            sort: (row) => row.payable,
          },
          { id: 'paid', title: 'Paid', numeric: true, cell: (row) => money(row.paid) },
          {
            id: 'act',
            title: 'Actions',
            cell: (row) =>
              row.payable + unprovenOf(row) > 0 &&
              row.status !== 'blocked' && (
                <button
                  type="button"
                  class="button small"
                  aria-label={`Pay ${row.name}`}
                  disabled={busy}
                  onClick={() => setPaying(row)}
                >
                  Pay
                </button>
              ),
          },
        ]}
      />
      {paying !== null && (
        <Confirm
          title={`Approve a payout to ${paying.name}?`}
          action="Approve"
          onYes={() => void pay(paying)}
          onClose={() => setPaying(null)}
        >
          <p>
            {unprovenOf(paying) > 0
              ? `${money(unprovenOf(paying))} waits until purchases show that people stand behind the traffic. Pay it only if you know this publisher: money once paid is gone.`
              : `${money(paying.payable)} is free to be paid. Send the money yourself; this records it.`}
          </p>
        </Confirm>
      )}
    </>
  );
}
