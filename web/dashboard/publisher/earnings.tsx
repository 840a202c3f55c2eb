import type { JSX } from 'preact';
import { useApp } from '../core/boot.js';
import { longDay, moment, money } from '../core/format.js';
import { t } from '../core/language.js';
import { useLoad } from '../core/hooks/use-load.js';
import { LoadedTable } from '../ui/tables/loaded-table.js';
import { Badge, Page, Stat } from '../ui/parts.js';
import { Shown } from '../ui/states.js';
import { TakenBack } from '../ui/taken-back.js';
import { PayoutAccountCard, StatementsCard } from './statements.js';
import type { Column } from '../ui/tables/data-table.js';

interface Earnings {
  hold_days: number;
  earned: number;
  held: number;
  payable: number;
  paid: number;
  balance: number;
  held_because: { reason: string; amount: number }[];
  payouts: {
    id: string;
    amount: number;
    through: string;
    approved_at: string;
    reference: string | null;
    status: string;
  }[];
}

const reasons: Record<string, (days: number) => string> = {
  recent: (days) => t('earned in the last {days} days', { days }),
  told_by_pixel: () => t('conversions reported only by a pixel, held for two weeks'),
  unproven: () => t('until purchases show that real people are behind the traffic'),
  undisclosed: () => t('until it is proven that people can tell the ads are ads'),
  blocked: () => t('the account is blocked'),
  paid_and_taken_back: () => t('paid out before it was reversed; offset against future earnings'),
};

export function EarningsPage(): JSX.Element {
  const { zone } = useApp();
  const path = '/publisher-dashboard/earnings';
  const earnings = useLoad<Earnings>(path);
  return (
    <Page
      title={t('Earnings and payouts')}
      lead={t('What you earned, what is held and why, and what was paid.')}
    >
      <Shown load={earnings}>
        {(data) => (
          <>
            <dl class="stats">
              <Stat label={t('Balance')} value={money(data.balance)} />
              <Stat label={t('Held')} value={money(data.held)} />
              <Stat label={t('Payable')} value={money(data.payable)} />
              <Stat label={t('Paid so far')} value={money(data.paid)} />
              <Stat label={t('Earned in all')} value={money(data.earned)} />
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
          title={t('Payouts')}
          path={path}
          load={earnings}
          rowsOf={(data) => data.payouts}
          rowKey={(row) => row.id}
          empty={t('Nothing has been paid yet.')}
          columns={payoutColumns(zone)}
        />
        <StatementsCard />
        <PayoutAccountCard />
        <TakenBack kind="publisher" />
      </div>
    </Page>
  );
}

function payoutColumns(zone: string): readonly Column<{
  id: string;
  amount: number;
  through: string;
  approved_at: string;
  reference: string | null;
  status: string;
}>[] {
  return [
    {
      id: 'at',
      title: t('Approved'),
      cell: (row) => <span class="nowrap">{moment(row.approved_at, zone)}</span>,
      sort: (row) => row.approved_at,
    },
    { id: 'through', title: t('Earned until'), cell: (row) => longDay(row.through) },
    { id: 'reference', title: t('Reference'), cell: (row) => row.reference ?? '—' },
    { id: 'status', title: t('Status'), cell: (row) => <Badge value={row.status} /> },
    {
      id: 'amount',
      title: t('Amount'),
      numeric: true,
      cell: (row) => money(row.amount),
      sort: (row) => row.amount,
    },
  ];
}
