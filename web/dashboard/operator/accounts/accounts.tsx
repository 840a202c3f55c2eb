import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../../core/boot.js';
import { moment } from '../../core/format.js';
import { t } from '../../core/language.js';
import { Link } from '../../core/router.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Badge, Card, Page } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';
import {
  type Account,
  AccountActions,
  AskFirst,
  ShareEdit,
  useAccountChange,
} from './change-account.js';
import { PendingStorefronts } from './storefronts.js';
import { trendColumn, useNetworkTrends } from '../trend-column.js';

export function AccountsPage(): JSX.Element {
  const { zone, say } = useApp();
  const accounts = useLoad<{ accounts: Account[] }>('/operator/accounts');

  const [asking, setAsking] = useState<{ account: Account; fields: Partial<Account> } | null>(null);
  const change = useAccountChange(accounts, say);
  const waiting = (accounts.data?.accounts ?? []).filter((one) => one.status === 'pending').length;
  const actions = (account: Account): JSX.Element => {
    const open = account.kind === 'advertiser' ? 'active' : 'approved';
    // Where it stood before; one that is not known waits for approval.
    const before =
      account.kind === 'advertiser' ? open : (account.status_before_block ?? 'pending');
    return (
      <AccountActions
        account={account}
        change={change}
        before={before}
        open={open}
        setAsking={setAsking}
      />
    );
  };
  return (
    <Page
      title={t('Accounts')}
      lead={
        waiting === 0
          ? undefined
          : t('{waiting} {waiting2} for approval.', {
              waiting,
              waiting2: waiting === 1 ? t('publisher is waiting') : t('publishers are waiting'),
            })
      }
    >
      <div class="stack">
        <EveryAccountCard accounts={accounts} change={change} zone={zone} actions={actions} />
        <PendingStorefronts />
      </div>
      {asking !== null && (
        <AskFirst
          {...asking}
          onYes={() => void change(asking.account, asking.fields)}
          onClose={() => setAsking(null)}
        />
      )}
    </Page>
  );
}

function EveryAccountCard({
  accounts,
  change,
  zone,
  actions,
}: {
  accounts: Loaded<{ accounts: Account[] }>;
  change: (account: Account, fields: Partial<Account>) => Promise<void>;
  zone: string;
  actions: (account: Account) => JSX.Element;
}): JSX.Element {
  const [kind, setKind] = useState('');
  const [text, setText] = useState('');
  const trends = useAccountTrends(accounts.data?.accounts ?? []);
  return (
    <Card
      title={t('Every account')}
      actions={
        <>
          <AccountFilters text={text} setText={setText} kind={kind} setKind={setKind} />
          <AccountsCsv accounts={accounts} />
        </>
      }
    >
      <Shown load={accounts}>
        {(data) => {
          const rows = data.accounts.filter(
            (one) =>
              (kind === '' || one.kind === kind || one.status === kind) &&
              `${one.name} ${one.email ?? ''} ${one.url ?? ''}`
                .toLowerCase()
                .includes(text.toLowerCase()),
          );
          return data.accounts.length === 0 ? (
            <Empty title={t('No accounts yet.')}>
              <p>
                <Link to="/app/operator/people">{t('Open one and invite its owner')}</Link>
              </p>
            </Empty>
          ) : rows.length === 0 ? (
            <Empty title={t('No matching account.')} />
          ) : (
            <DataTable
              label={t('Accounts')}
              rows={rows}
              rowKey={(row) => row.id}
              columns={accountColumns(change, zone, actions, trends)}
            />
          );
        }}
      </Shown>
    </Card>
  );
}

function AccountFilters({
  text,
  setText,
  kind,
  setKind,
}: {
  text: string;
  setText: (value: string) => void;
  kind: string;
  setKind: (value: string) => void;
}): JSX.Element {
  return (
    <>
      <input
        type="search"
        aria-label={t('Find an account')}
        placeholder={t('Name or e-mail')}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <select
        aria-label={t('Kind')}
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value)}
      >
        <option value="">{t('All')}</option>
        <option value="advertiser">{t('Advertisers')}</option>
        <option value="publisher">{t('Publishers')}</option>
        <option value="pending">{t('Waiting for approval')}</option>
      </select>
    </>
  );
}

function AccountsCsv({ accounts }: { accounts: Loaded<{ accounts: Account[] }> }): JSX.Element {
  return (
    <CsvButton
      what={t('Accounts')}
      from={() => [
        [
          'kind',
          'id',
          'name',
          'status',
          'email',
          'url',
          'billing_enabled',
          'revenue_share_bps',
          'created_at',
        ],
        ...(accounts.data?.accounts ?? []).map((one) => [
          one.kind,
          one.id,
          one.name,
          one.status,
          one.email,
          one.url,
          one.billing_enabled,
          one.revenue_share_bps,
          one.created_at,
        ]),
      ]}
    />
  );
}

/** What advertisers spent and publishers earned lately. */
function useAccountTrends(accounts: readonly Account[]): ReadonlyMap<string, readonly number[]> {
  const idsOf = (wanted: Account['kind']): string[] =>
    accounts.filter((one) => one.kind === wanted).map((one) => one.id);
  const spent = useNetworkTrends('advertiser', idsOf('advertiser'));
  const earned = useNetworkTrends('publisher', idsOf('publisher'));
  return new Map([...spent, ...earned]);
}

function accountColumns(
  change: (account: Account, fields: Partial<Account>) => Promise<void>,
  zone: string,
  actions: (account: Account) => JSX.Element,
  trends: ReadonlyMap<string, readonly number[]>,
): readonly Column<Account>[] {
  return [
    {
      id: 'name',
      title: t('Name'),
      cell: (row) => (
        <>
          <span class="clip" title={row.name}>
            {row.name}
          </span>
          {row.is_demo && (
            <>
              {' '}
              <Badge value="demo" />
            </>
          )}
          <br />
          <small>{row.email ?? row.url ?? ''}</small>
        </>
      ),
      sort: (row) => row.name,
    },
    {
      id: 'kind',
      title: t('Kind'),
      cell: (row) => (row.kind === 'advertiser' ? t('Advertiser') : t('Publisher')),
      sort: (row) => row.kind,
    },
    {
      id: 'status',
      title: t('Status'),
      cell: (row) => <Badge value={row.status} />,
      sort: (row) => row.status,
    },
    ...termsColumns(change, zone, trends),
    { id: 'actions', title: t('Actions'), cell: actions },
  ];
}

function termsColumns(
  change: (account: Account, fields: Partial<Account>) => Promise<void>,
  zone: string,
  trends: ReadonlyMap<string, readonly number[]>,
): Column<Account>[] {
  return [
    {
      id: 'terms',
      title: t('Terms'),
      cell: (row) =>
        row.kind === 'advertiser' ? (
          t('Billing {billing_enabled}', {
            billing_enabled: row.billing_enabled === true ? t('on') : t('off'),
          })
        ) : (
          <ShareEdit
            account={row}
            onSave={(revenue_share_bps) => void change(row, { revenue_share_bps })}
          />
        ),
    },
    trendColumn(
      trends,
      (row: Account) => row.id,
      (row) => (row.kind === 'advertiser' ? t('Spend') : t('Revenue')),
    ),
    {
      id: 'since',
      title: t('Since'),
      cell: (row) => <span class="nowrap">{moment(row.created_at, zone)}</span>,
      sort: (row) => row.created_at,
    },
  ];
}
