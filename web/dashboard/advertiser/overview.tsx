import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Metrics } from '../../../src/surfaces/advertiser-reports/schema.js';
import { query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { compact, count, money, percent, times } from '../core/format.js';
import { Link } from '../core/router.js';
import { useLoad } from '../core/use-load.js';
import { LineChart } from '../ui/charts.js';
import { CsvButton } from '../ui/csv-button.js';
import { DataTable } from '../ui/data-table.js';
import { Badge, Card, Page, Stat } from '../ui/parts.js';
import { Onboarding } from '../ui/onboarding.js';
import { RangePicker, rangeQuery, useRange } from '../ui/range-picker.js';
import { Empty, Shown } from '../ui/states.js';
import type { Campaign } from './campaign-record.js';

const measures = {
  spend: ['Spend', money],
  impressions: ['Impressions', compact],
  clicks: ['Clicks', compact],
  conversions: ['Conversions', compact],
  revenue: ['Conversion value', money],
  ctr: ['Click rate', (value: number) => percent(value, 2)],
} as const;
type Measure = keyof typeof measures;

export function OverviewPage(): JSX.Element {
  const { zone } = useApp();
  const [range, setRange] = useRange();
  const [measure, setMeasure] = useState<Measure>('spend');
  const [campaign, setCampaign] = useState('');
  const campaigns = useLoad<{ campaigns: Campaign[] }>('/advertiser-dashboard/campaigns');
  const path = `/advertiser-dashboard/metrics${query({ ...rangeQuery(range, zone), campaign_id: campaign, fill: 'zero', compare: range.compare ? 'previous' : undefined })}`;
  const metrics = useLoad<Metrics>(path);
  const [title, format] = measures[measure];
  return (
    <Page title="Overview" actions={<RangePicker range={range} onChange={setRange} />}>
      <Onboarding />
      <Shown load={metrics}>
        {(data) => {
          const { previous: before } = data;
          const rate = (clicks: number, impressions: number): number =>
            impressions === 0 ? 0 : (clicks / impressions) * 100;
          const roas = (value: { total_revenue: number; total_spend: number }): number =>
            value.total_spend === 0 ? 0 : value.total_revenue / value.total_spend;
          return (
            <>
              <dl class="stats">
                <Stat
                  label="Spend"
                  value={money(data.total_spend)}
                  now={data.total_spend}
                  before={before?.total_spend}
                  plain
                />
                <Stat
                  label="Impressions"
                  value={compact(data.total_impressions)}
                  now={data.total_impressions}
                  before={before?.total_impressions}
                />
                <Stat
                  label="Clicks"
                  value={compact(data.total_clicks)}
                  now={data.total_clicks}
                  before={before?.total_clicks}
                />
                <Stat
                  label="Click rate"
                  value={percent(rate(data.total_clicks, data.total_impressions), 2)}
                  now={rate(data.total_clicks, data.total_impressions)}
                  before={before && rate(before.total_clicks, before.total_impressions)}
                />
                <Stat
                  label="Conversions"
                  value={count(data.total_conversions)}
                  now={data.total_conversions}
                  before={before?.total_conversions}
                />
                <Stat
                  label="ROAS"
                  value={times(roas(data))}
                  now={roas(data)}
                  before={before && roas(before)}
                />
              </dl>
              <Card
                title={`${title} by day`}
                actions={
                  <>
                    <select
                      aria-label="Measure"
                      value={measure}
                      onChange={(event) =>
                        setMeasure(
                          event.currentTarget.value as Measure /* its options are the keys */,
                        )
                      }
                    >
                      {Object.entries(measures).map(([id, [name]]) => (
                        <option key={id} value={id}>
                          {name}
                        </option>
                      ))}
                    </select>
                    <select
                      aria-label="Campaign"
                      value={campaign}
                      onChange={(event) => setCampaign(event.currentTarget.value)}
                    >
                      <option value="">All campaigns</option>
                      {(campaigns.data?.campaigns ?? []).map((one) => (
                        <option key={one.campaign_id} value={one.campaign_id}>
                          {one.name}
                        </option>
                      ))}
                    </select>
                    <CsvButton what="Metrics" from={path} />
                  </>
                }
              >
                <LineChart
                  title={title}
                  points={data.data.map((row) => ({ date: row.date, value: row[measure] }))}
                  before={before?.data.map((row) => ({ date: row.date, value: row[measure] }))}
                  format={format}
                />
              </Card>
              <p class="hint">
                {count(data.total_viewable_impressions)} impressions were seen for a second,{' '}
                {count(data.total_disclosed_impressions)} with a label proven to be readable.
              </p>
              {data.filtered_impressions + data.filtered_clicks > 0 && (
                <p class="hint">
                  {count(data.filtered_impressions)} impressions and {count(data.filtered_clicks)}{' '}
                  clicks were filtered as invalid traffic and not charged.
                </p>
              )}
            </>
          );
        }}
      </Shown>
      {campaigns.data !== undefined && campaigns.data.campaigns.length > 0 && (
        <TopCampaigns campaigns={campaigns.data.campaigns} />
      )}
      {campaigns.data?.campaigns.length === 0 && (
        <Empty title="You have no campaigns yet.">
          <p>Make one: it takes a name, a page and a sentence about who it helps.</p>
          <Link to="/app/advertiser/campaigns/new" class="button primary">
            Create a campaign
          </Link>
        </Empty>
      )}
    </Page>
  );
}

function TopCampaigns({ campaigns }: { campaigns: readonly Campaign[] }): JSX.Element {
  const top = [...campaigns]
    .filter((one) => !one.is_archived)
    .sort((a, b) => b.spend - a.spend)
    .slice(0, 6);
  return (
    <Card
      title="Campaigns by spend, all time"
      actions={
        <Link to="/app/advertiser/campaigns" class="button small">
          All campaigns
        </Link>
      }
    >
      <DataTable
        label="Campaigns by spend"
        rows={top}
        rowKey={(row) => row.campaign_id}
        columns={[
          {
            id: 'name',
            title: 'Campaign',
            cell: (row) => (
              <Link to={`/app/advertiser/campaigns/${row.campaign_id}`}>
                <span class="clip">{row.name}</span>
              </Link>
            ),
          },
          {
            id: 'status',
            title: 'Status',
            cell: (row) => (
              <span class="nowrap">
                <Badge value={row.status} />
                {row.review_status !== 'approved' && row.status !== 'draft' && (
                  <>
                    {' '}
                    <Badge value={row.review_status} />
                  </>
                )}
              </span>
            ),
          },
          { id: 'spend', title: 'Spend', numeric: true, cell: (row) => money(row.spend) },
          { id: 'clicks', title: 'Clicks', numeric: true, cell: (row) => compact(row.clicks) },
          {
            id: 'conversions',
            title: 'Conversions',
            numeric: true,
            cell: (row) => count(row.conversions),
          },
          {
            id: 'roas',
            title: 'ROAS',
            numeric: true,
            cell: (row) => times(row.spend === 0 ? 0 : row.conversion_value / row.spend),
          },
        ]}
      />
    </Card>
  );
}
