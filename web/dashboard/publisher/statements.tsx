import type { JSX } from 'preact';
import { call, downloadCsv } from '../core/api.js';
import { money, month } from '../core/format.js';
import { useAct } from '../core/hooks/use-act.js';
import { useLoad } from '../core/hooks/use-load.js';
import { t } from '../core/language.js';
import { LoadedTable } from '../ui/tables/loaded-table.js';
import { Badge, Card } from '../ui/parts.js';
import { Shown } from '../ui/states.js';
import type { Column } from '../ui/tables/data-table.js';

interface Statement {
  month: string;
  earned: number;
  paid: number;
  closing: number;
  is_final: boolean;
}

/** A statement of each month, as a document and as a table for the books. */
export function StatementsCard(): JSX.Element {
  const path = '/publisher-dashboard/statements';
  const load = useLoad<{ statements: Statement[] }>(path);
  const { act, busy } = useAct();
  return (
    <LoadedTable
      title={t('Statements')}
      path={path}
      load={load}
      rowsOf={(data) => data.statements}
      rowKey={(row) => row.month}
      empty={t('No month has anything in it yet.')}
      hint={t(
        'By UTC month. A month is final once none of its earnings can be taken back any more.',
      )}
      columns={statementColumns(path, busy, act)}
    />
  );
}

function statementColumns(
  path: '/publisher-dashboard/statements',
  busy: boolean,
  act: (work: () => Promise<string | undefined>) => Promise<boolean>,
): readonly Column<Statement>[] {
  return [
    {
      id: 'month',
      title: t('Month'),
      cell: (row) => (
        <span class="nowrap">
          {month(row.month)} {!row.is_final && <Badge value="open" />}
        </span>
      ),
      sort: (row) => row.month,
    },
    {
      id: 'earned',
      title: t('Earned'),
      numeric: true,
      cell: (row) => money(row.earned),
      sort: (row) => row.earned,
    },
    { id: 'paid', title: t('Paid'), numeric: true, cell: (row) => money(row.paid) },
    {
      id: 'closing',
      title: t('Balance after'),
      numeric: true,
      cell: (row) => money(row.closing),
    },
    {
      id: 'get',
      title: t('Download'),
      cell: (row) => <StatementActions path={path} row={row} busy={busy} act={act} />,
    },
  ];
}

function StatementActions({
  path,
  row,
  busy,
  act,
}: {
  path: '/publisher-dashboard/statements';
  row: Statement;
  busy: boolean;
  act: (work: () => Promise<string | undefined>) => Promise<boolean>;
}): JSX.Element {
  return (
    <span class="row">
      <a
        class="button small"
        href={`${path}/${row.month}/pdf`}
        download
        aria-label={t('Statement {month} as PDF', { month: month(row.month) })}
      >
        PDF
      </a>
      <button
        type="button"
        class="button small"
        disabled={busy}
        aria-label={t('Statement {month} as CSV', { month: month(row.month) })}
        onClick={() =>
          void act(async () => {
            await downloadCsv(`${path}/${row.month}`, `statement-${row.month}`);
            return undefined;
          })
        }
      >
        CSV
      </button>
    </span>
  );
}

interface PayoutAccount {
  provider: string | null;
  connected: boolean;
  ready: boolean;
  missing: string[];
}

/** Where the money goes, where a provider sends it. */
export function PayoutAccountCard(): JSX.Element {
  const load = useLoad<PayoutAccount>('/publisher-dashboard/payout-account');
  const { act, busy } = useAct();
  const connect = (): void =>
    void act(async () => {
      const { url } = await call<{ url: string }>('/publisher-dashboard/payout-account', {
        method: 'POST',
        body: {},
      });
      location.assign(url);
      return undefined;
    });
  return (
    <Card title={t('How you are paid')}>
      <Shown load={load}>
        {(data) =>
          data.provider === null ? (
            <p>{t('The operator sends payouts by hand and notes the reference here.')}</p>
          ) : data.ready ? (
            <p>{t('Approved payouts are sent to your Stripe account at once.')}</p>
          ) : (
            <div class="stack tight">
              <p>
                {data.connected
                  ? t('Stripe still needs details from you before money can be sent.')
                  : t(
                      'Payouts are sent by Stripe. Open an account there once, and approved payouts arrive automatically.',
                    )}
              </p>
              <div>
                <button type="button" class="button primary" disabled={busy} onClick={connect}>
                  {data.connected ? t('Go on at Stripe') : t('Connect with Stripe')}
                </button>
              </div>
            </div>
          )
        }
      </Shown>
    </Card>
  );
}
