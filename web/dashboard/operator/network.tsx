import type { JSX } from 'preact';
import { query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { compact, count, money, percent } from '../core/format.js';
import { Link } from '../core/router.js';
import { useLoad } from '../core/hooks/use-load.js';
import { t } from '../core/language.js';
import { LineChart } from '../ui/charts/charts.js';
import { type Column, DataTable } from '../ui/tables/data-table.js';
import { Onboarding } from '../ui/onboarding.js';
import { Card, Page, Stat } from '../ui/parts.js';
import { RangePicker, rangeQuery, useRange } from '../ui/forms/range-picker.js';
import { Empty, Shown } from '../ui/states.js';
import { trendColumn, useNetworkTrends } from './trend-column.js';

interface Measures {
  requests: number | null;
  wins: number | null;
  fill_rate: number | null;
  impressions: number;
  clicks: number;
  spend: number | null;
  payout: number;
  margin: number | null;
}
interface Report {
  rows: (Measures & { key: string; name: string; before?: Measures })[];
  total: Measures;
  total_before?: Measures;
}

/** The whole network at a glance: what it earns, who moved it, and what waits for an operator. */
export function NetworkPage(): JSX.Element {
  const { zone } = useApp();
  const [range, setRange] = useRange();
  const asked = rangeQuery(range, zone);
  const days = useLoad<Report>(
    `/operator/report${query({ ...asked, by: 'day', compare: 'previous' })}`,
  );
  return (
    <Page title={t('Network overview')} actions={<RangePicker range={range} onChange={setRange} />}>
      <div class="stack">
        <Onboarding onTick={days.reload} />
        <Shown load={days}>
          {({ rows, total, total_before: before }) => (
            <>
              <NetworkFigures total={total} before={range.compare ? before : undefined} />
              <Card title={t('Spend by day')}>
                <LineChart
                  title={t('Spend')}
                  points={rows.map((row) => ({ date: row.key, value: row.spend ?? 0 }))}
                  before={
                    range.compare
                      ? rows.map((row) => ({ date: row.key, value: row.before?.spend ?? 0 }))
                      : undefined
                  }
                  format={money}
                />
              </Card>
            </>
          )}
        </Shown>
        <Waiting />
        <div class="split">
          <Movers
            title={t('Advertisers that moved most')}
            of="advertiser"
            path={`/operator/report${query({ ...asked, by: 'advertiser', compare: 'previous', limit: 500, columns: 'spend' })}`}
          />
          <Movers
            title={t('Publishers that moved most')}
            of="publisher"
            path={`/operator/report${query({ ...asked, by: 'publisher', compare: 'previous', limit: 500, sort: 'payout', columns: 'payout' })}`}
          />
        </div>
      </div>
    </Page>
  );
}

function NetworkFigures({
  total,
  before,
}: {
  total: Measures;
  before: Measures | undefined;
}): JSX.Element {
  return (
    <dl class="stats">
      <Stat
        label={t('Requests')}
        value={compact(total.requests ?? 0)}
        now={total.requests ?? 0}
        before={before?.requests ?? undefined}
      />
      <Stat
        label={t('Fill')}
        value={percent((total.fill_rate ?? 0) * 100)}
        now={total.fill_rate ?? 0}
        before={before?.fill_rate ?? undefined}
      />
      <Stat
        label={t('Impressions')}
        value={compact(total.impressions)}
        now={total.impressions}
        before={before?.impressions}
      />
      <Stat
        label={t('Clicks')}
        value={compact(total.clicks)}
        now={total.clicks}
        before={before?.clicks}
      />
      <Stat
        label={t('Advertisers spent')}
        value={money(total.spend ?? 0)}
        now={total.spend ?? 0}
        before={before?.spend ?? undefined}
      />
      <Stat
        label={t('To publishers')}
        value={money(total.payout)}
        now={total.payout}
        before={before?.payout}
        plain
      />
      <Stat
        label={t('Stays here')}
        value={money(total.margin ?? 0)}
        now={total.margin ?? 0}
        before={before?.margin ?? undefined}
      />
    </dl>
  );
}

const shownMovers = 6;

/** Up or down: what explains why the network is not where it was. */
function Movers({
  title,
  of,
  path,
}: {
  title: string;
  of: 'advertiser' | 'publisher';
  path: string;
}): JSX.Element {
  const load = useLoad<Report>(path);
  const moved = (load.data?.rows ?? [])
    .filter((row) => change(of, row) !== 0)
    .sort((a, b) => Math.abs(change(of, b)) - Math.abs(change(of, a)))
    .slice(0, shownMovers);
  const trends = useNetworkTrends(
    of,
    moved.map((row) => row.key),
  );
  return (
    <Card title={title}>
      <Shown load={load}>
        {() =>
          moved.length === 0 ? (
            <Empty title={t('Nothing moved in these days.')} />
          ) : (
            <DataTable
              label={title}
              rows={moved}
              rowKey={(row) => row.key}
              columns={moverColumns(of, trends)}
            />
          )
        }
      </Shown>
    </Card>
  );
}

type Mover = Report['rows'][number];

/** What advertisers spend, and what publishers get. */
const moneyOf = (of: 'advertiser' | 'publisher', row: Measures): number =>
  (of === 'advertiser' ? row.spend : row.payout) ?? 0;
const change = (of: 'advertiser' | 'publisher', row: Mover): number =>
  moneyOf(of, row) - (row.before === undefined ? 0 : moneyOf(of, row.before));

function moverColumns(
  of: 'advertiser' | 'publisher',
  trends: ReturnType<typeof useNetworkTrends>,
): readonly Column<Mover>[] {
  const title = of === 'advertiser' ? t('Spend') : t('Revenue');
  return [
    {
      id: 'name',
      title: t('Name'),
      cell: (row) => (
        <Link to={`/app/operator/reports${query({ by: 'day', [`${of}_id`]: row.key })}`}>
          <span class="clip" title={row.name}>
            {row.name}
          </span>
        </Link>
      ),
    },
    trendColumn(
      trends,
      (row: Mover) => row.key,
      () => title,
    ),
    { id: 'money', title, numeric: true, cell: (row) => money(moneyOf(of, row)) },
    {
      id: 'change',
      title: t('Change'),
      numeric: true,
      cell: (row) => (
        <span class={`delta ${change(of, row) > 0 ? 'good' : 'bad'}`}>
          {change(of, row) > 0 ? '+' : '−'}
          {money(Math.abs(change(of, row)))}
        </span>
      ),
    },
  ];
}

/** What only an operator can do, with how much of it there is. */
function useWaiting(): readonly (readonly [to: string, title: string, value: string])[] {
  const review = useLoad<{ total: number }>('/operator/review?limit=1');
  const earnings = useLoad<{ publishers: { payable: number; status: string }[] }>(
    '/operator/earnings',
  );
  const findings = useLoad<{ findings: unknown[] }>('/operator/traffic-findings');
  const mails = useLoad<{ sends: boolean; mails: unknown[] }>('/operator/mails');
  const gaps = useLoad<{ gaps: unknown[] }>('/operator/search-gaps');
  const accounts = useLoad<{ accounts: { kind: string; status: string }[] }>('/operator/accounts');
  const payable = (earnings.data?.publishers ?? []).filter(
    (row) => row.payable > 0 && row.status !== 'blocked',
  );
  const pending = (accounts.data?.accounts ?? []).filter((one) => one.status === 'pending');
  return [
    [
      '/app/operator',
      t('Campaigns in review'),
      review.data === undefined ? said(review) : count(review.data.total),
    ],
    [
      '/app/operator/accounts',
      t('Accounts to approve'),
      accounts.data === undefined ? said(accounts) : count(pending.length),
    ],
    [
      '/app/operator/payouts',
      t('Payouts to approve'),
      earnings.data === undefined
        ? said(earnings)
        : `${count(payable.length)}, ${money(payable.reduce((sum, row) => sum + row.payable, 0))}`,
    ],
    [
      '/app/operator/traffic',
      t('Fraud findings'),
      findings.data === undefined ? said(findings) : count(findings.data.findings.length),
    ],
    [
      '/app/operator/people',
      t('Mail to pass on'),
      mails.data === undefined ? said(mails) : count(mails.data.mails.length),
    ],
    [
      '/app/operator/catalog',
      t('Search gaps: asked for, nothing found'),
      gaps.data === undefined ? said(gaps) : count(gaps.data.gaps.length),
    ],
  ];
}

function Waiting(): JSX.Element {
  const rows = useWaiting();
  return (
    <Card title={t('What waits for you')}>
      <table class="facts-table">
        <tbody>
          {rows.map(([to, title, value]) => (
            <tr key={to}>
              <th scope="row">
                <Link to={to}>{title}</Link>
              </th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** A load that failed is not a zero. */
const said = (load: { error: unknown }): string =>
  load.error === undefined ? '…' : t('could not be loaded');
