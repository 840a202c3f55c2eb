import type { JSX } from 'preact';
import type { Metrics } from '../../../src/surfaces/advertiser-reports/schema.js';
import { query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { compact, count, money, percent, times } from '../core/format.js';
import { rich, t } from '../core/language.js';
import { Link } from '../core/router.js';
import { useAddress } from '../core/hooks/use-address.js';
import { useTrends } from '../core/hooks/use-trends.js';
import { useLoad, type Loaded } from '../core/hooks/use-load.js';
import { LineChart } from '../ui/charts/charts.js';
import { CsvButton } from '../ui/tables/csv-button.js';
import { DataTable, type Column } from '../ui/tables/data-table.js';
import { Delivery } from '../ui/delivery.js';
import { Card, Page, Stat } from '../ui/parts.js';
import { Sparkline } from '../ui/charts/sparkline.js';
import { Onboarding } from '../ui/onboarding.js';
import { RangePicker, rangeQuery, useRange } from '../ui/forms/range-picker.js';
import { Empty, Shown } from '../ui/states.js';
import type { Campaign } from './campaign-record.js';

const measures = {
  spend: [t('Spend'), money],
  impressions: [t('Impressions'), compact],
  clicks: [t('Clicks'), compact],
  conversions: [t('Conversions'), compact],
  revenue: [t('Conversion value'), money],
  ctr: [t('Click rate'), (value: number) => percent(value, 2)],
} as const;
type Measure = keyof typeof measures;
const shownCampaigns = 6;
/** To choose from; of more, the newest. */
const listedCampaigns = 200;
const isMeasure = (name: string): name is Measure => name in measures;

export function OverviewPage(): JSX.Element {
  const { zone } = useApp();
  const [range, setRange] = useRange();
  const [{ chart, campaign }, choose] = useAddress({ chart: 'spend', campaign: '' });
  const measure = isMeasure(chart) ? chart : 'spend';
  const campaigns = useLoad<{ campaigns: Campaign[] }>(
    `/advertiser-dashboard/campaigns${query({ limit: listedCampaigns })}`,
  );
  const path = `/advertiser-dashboard/metrics${query({ ...rangeQuery(range, zone), campaign_id: campaign, fill: 'zero', compare: range.compare ? 'previous' : undefined })}`;
  const metrics = useLoad<Metrics>(path);
  // Asked for at once, not after the list of campaigns came.
  const top = useLoad<Top>(
    `/advertiser-dashboard/report${query({ ...rangeQuery(range, zone), by: 'campaign', limit: shownCampaigns })}`,
  );
  const [title, format] = measures[measure];
  return (
    <Page title={t('Overview')} actions={<RangePicker range={range} onChange={setRange} />}>
      <Onboarding onTick={() => [campaigns, metrics, top].forEach((one) => one.reload())} />
      {campaigns.data?.campaigns.length === 0 ? (
        <NoCampaigns />
      ) : (
        <Shown load={metrics}>
          {(data) => {
            const { previous: before } = data;
            return (
              <>
                <Figures data={data} before={before} />
                <ByDayCard
                  title={title}
                  measure={measure}
                  setMeasure={(next) => choose({ chart: next })}
                  campaign={campaign}
                  setCampaign={(next) => choose({ campaign: next })}
                  campaigns={campaigns}
                  path={path}
                  data={data}
                  before={before}
                  format={format}
                />
                <Hints data={data} />
              </>
            );
          }}
        </Shown>
      )}
      {campaigns.data !== undefined && campaigns.data.campaigns.length > 0 && (
        <TopCampaigns load={top} campaigns={campaigns.data.campaigns} />
      )}
    </Page>
  );
}

/** Before there is a campaign, numbers would all be zero. */
function NoCampaigns(): JSX.Element {
  return (
    <Empty title={t('You have no campaigns yet.')}>
      <p>{t('Create one: all it takes is a name, a page and a sentence about who it helps.')}</p>
      <Link to="/app/advertiser/campaigns/new" class="button primary">
        {t('Create a campaign')}
      </Link>
    </Empty>
  );
}

function Figures({ data, before }: { data: Metrics; before: Metrics['previous'] }): JSX.Element {
  return (
    <dl class="stats">
      <Stat
        label={t('Spend')}
        value={money(data.total_spend)}
        now={data.total_spend}
        before={before?.total_spend}
        plain
      />
      <Stat
        label={t('Impressions')}
        value={compact(data.total_impressions)}
        now={data.total_impressions}
        before={before?.total_impressions}
      />
      <Stat
        label={t('Clicks')}
        value={compact(data.total_clicks)}
        now={data.total_clicks}
        before={before?.total_clicks}
      />
      <Stat
        label={t('Click rate')}
        value={percent(rate(data.total_clicks, data.total_impressions), 2)}
        now={rate(data.total_clicks, data.total_impressions)}
        before={before && rate(before.total_clicks, before.total_impressions)}
      />
      <Stat
        label={t('Conversions')}
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
  );
}

function ByDayCard({
  title,
  measure,
  setMeasure,
  campaign,
  setCampaign,
  campaigns,
  path,
  data,
  before,
  format,
}: {
  title: string;
  measure: Measure;
  setMeasure: (measure: Measure) => void;
  campaign: string;
  setCampaign: (value: string) => void;
  campaigns: Loaded<{ campaigns: Campaign[] }>;
  path: string;
  data: Metrics;
  before: Metrics['previous'];
  format: (value: number) => string;
}): JSX.Element {
  return (
    <Card
      title={t('{title} by day', { title })}
      actions={
        <ChartChoices
          measure={measure}
          setMeasure={setMeasure}
          campaign={campaign}
          setCampaign={setCampaign}
          campaigns={campaigns}
          path={path}
        />
      }
    >
      <LineChart
        title={title}
        points={data.data.map((row) => ({ date: row.date, value: row[measure] }))}
        before={before?.data.map((row) => ({ date: row.date, value: row[measure] }))}
        format={format}
      />
    </Card>
  );
}

function ChartChoices({
  measure,
  setMeasure,
  campaign,
  setCampaign,
  campaigns,
  path,
}: {
  measure: Measure;
  setMeasure: (measure: Measure) => void;
  campaign: string;
  setCampaign: (value: string) => void;
  campaigns: Loaded<{ campaigns: Campaign[] }>;
  path: string;
}): JSX.Element {
  return (
    <>
      <select
        aria-label={t('Measure')}
        value={measure}
        onChange={(event) =>
          setMeasure(event.currentTarget.value as Measure /* its options are the keys */)
        }
      >
        {Object.entries(measures).map(([id, [name]]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={t('Campaign')}
        value={campaign}
        onChange={(event) => setCampaign(event.currentTarget.value)}
      >
        <option value="">{t('All campaigns')}</option>
        {(campaigns.data?.campaigns ?? []).map((one) => (
          <option key={one.campaign_id} value={one.campaign_id}>
            {one.name}
          </option>
        ))}
      </select>
      <CsvButton what={t('Metrics')} from={path} />
    </>
  );
}

function Hints({ data }: { data: Metrics }): JSX.Element {
  return (
    <>
      <p class="hint">
        {rich(
          '{total_viewable_impressions} impressions were seen for a second, {total_disclosed_impressions} with a label proven to be readable.',
          {
            total_viewable_impressions: count(data.total_viewable_impressions),
            total_disclosed_impressions: count(data.total_disclosed_impressions),
          },
        )}
      </p>
      {data.filtered_impressions + data.filtered_clicks > 0 && (
        <p class="hint">
          {rich(
            '{filtered_impressions} impressions and {filtered_clicks} clicks were filtered as invalid traffic and not charged.',
            {
              filtered_impressions: count(data.filtered_impressions),
              filtered_clicks: count(data.filtered_clicks),
            },
          )}
        </p>
      )}
    </>
  );
}

const rate = (clicks: number, impressions: number): number =>
  impressions === 0 ? 0 : (clicks / impressions) * 100;
const roas = (value: { total_revenue: number; total_spend: number }): number =>
  value.total_spend === 0 ? 0 : value.total_revenue / value.total_spend;

interface TopRow {
  key: string;
  name: string;
  spend: number;
  clicks: number;
  conversions: number | null;
  roas: number | null;
}

interface Top {
  rows: TopRow[];
}

/** The newest where nothing was spent: somebody who just began wants to see them too. */
const newest = (campaigns: readonly Campaign[]): TopRow[] =>
  campaigns.slice(0, shownCampaigns).map((one) => ({
    key: one.campaign_id,
    name: one.name,
    spend: 0,
    clicks: 0,
    conversions: 0,
    roas: 0,
  }));

function TopCampaigns({
  load,
  campaigns,
}: {
  load: Loaded<Top>;
  campaigns: readonly Campaign[];
}): JSX.Element {
  const trends = useTrends((load.data?.rows ?? []).map((row) => row.key));
  const current = campaigns.filter((one) => !one.is_archived);
  return (
    <Card
      title={t('Campaigns by spend')}
      actions={
        <Link to="/app/advertiser/campaigns" class="button small">
          {t('All campaigns')}
        </Link>
      }
    >
      <Shown load={load}>
        {({ rows }) => (
          <DataTable
            label={t('Campaigns by spend')}
            rows={rows.length === 0 ? newest(current) : rows}
            rowKey={(row) => row.key}
            columns={topColumns(
              new Map(campaigns.map((one) => [one.campaign_id, one.delivery])),
              trends,
            )}
          />
        )}
      </Shown>
    </Card>
  );
}

function topColumns(
  deliveries: ReadonlyMap<string, Campaign['delivery']>,
  trends: ReadonlyMap<string, readonly number[]>,
): readonly Column<TopRow>[] {
  return [
    {
      id: 'name',
      title: t('Campaign'),
      cell: (row) => (
        <Link to={`/app/advertiser/campaigns/${row.key}`}>
          <span class="clip" title={row.name}>
            {row.name}
          </span>
        </Link>
      ),
    },
    {
      id: 'status',
      title: t('Status'),
      cell: (row) => {
        const delivery = deliveries.get(row.key);
        return delivery === undefined ? null : <Delivery of={delivery} brief />;
      },
    },
    {
      id: 'trend',
      title: t('14 days'),
      cell: (row) => (
        <Sparkline title={t('Spend')} values={trends.get(row.key) ?? []} format={money} />
      ),
    },
    { id: 'spend', title: t('Spend'), numeric: true, cell: (row) => money(row.spend) },
    { id: 'clicks', title: t('Clicks'), numeric: true, cell: (row) => compact(row.clicks) },
    {
      id: 'conversions',
      title: t('Conversions'),
      numeric: true,
      cell: (row) => count(row.conversions ?? 0),
    },
    { id: 'roas', title: 'ROAS', numeric: true, cell: (row) => times(row.roas ?? 0) },
  ];
}
