import type { JSX } from 'preact';
import { useApp } from '../core/boot.js';
import { money, moment } from '../core/format.js';
import { useLoad } from '../core/use-load.js';
import { LoadedTable } from '../ui/loaded-table.js';
import { Page, Stat } from '../ui/parts.js';
import { Shown } from '../ui/states.js';
import { TakenBack } from '../ui/taken-back.js';

interface Earnings {
  hold_days: number;
  earned: number;
  held: number;
  payable: number;
  paid: number;
  held_because: { reason: string; amount: number }[];
  payouts: {
    id: string;
    amount: number;
    through: string;
    approved_at: string;
    reference: string | null;
  }[];
}

const reasons: Record<string, (days: number) => string> = {
  recent: (days) => `earned in the last ${days} days`,
  told_by_pixel: () => 'conversions that only a pixel told of, held for two weeks',
  unproven: () => 'until purchases show that people stand behind the traffic',
  blocked: () => 'the account is blocked',
  paid_and_taken_back: () => 'paid before it was taken back, set against what comes',
};

export function EarningsPage(): JSX.Element {
  const { zone } = useApp();
  const path = '/publisher-dashboard/earnings';
  const earnings = useLoad<Earnings>(path);
  return (
    <Page title="Earnings" lead="What you earned, what is held and why, and what was paid.">
      <Shown load={earnings}>
        {(data) => (
          <>
            <dl class="stats">
              <Stat label="Earned" value={money(data.earned)} />
              <Stat label="Held" value={money(data.held)} />
              <Stat label="Payable" value={money(data.payable)} />
              <Stat label="Paid" value={money(data.paid)} />
            </dl>
            {data.held_because.length > 0 && (
              <ul class="hint">
                {data.held_because.map(({ reason, amount }) => (
                  <li key={reason}>
                    {money(amount)}: {reasons[reason]?.(data.hold_days) ?? reason}
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Shown>
      <div class="stack">
        <LoadedTable
          title="Payouts"
          path={path}
          load={earnings}
          rowsOf={(data) => data.payouts}
          rowKey={(row) => row.id}
          empty="Nothing was paid yet."
          columns={[
            {
              id: 'at',
              title: 'Approved',
              cell: (row) => <span class="nowrap">{moment(row.approved_at, zone)}</span>,
              sort: (row) => row.approved_at,
            },
            { id: 'through', title: 'Earned until', cell: (row) => row.through },
            { id: 'reference', title: 'Reference', cell: (row) => row.reference ?? '—' },
            {
              id: 'amount',
              title: 'Amount',
              numeric: true,
              cell: (row) => money(row.amount),
              sort: (row) => row.amount,
            },
          ]}
        />
        <TakenBack kind="publisher" />
      </div>
    </Page>
  );
}
