import type { JSX } from 'preact';
import type { Funnel, Stats } from '../../../src/surfaces/publisher-reports/schema.js';
import { query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { compact, count, money, percent, words } from '../core/format.js';
import { Link } from '../core/router.js';
import { useLoad } from '../core/use-load.js';
import { Bars, LineChart } from '../ui/charts.js';
import { CsvButton } from '../ui/csv-button.js';
import { Card, Page, Stat } from '../ui/parts.js';
import { Onboarding } from '../ui/onboarding.js';
import { RangePicker, rangeQuery, useRange } from '../ui/range-picker.js';
import { Empty, Shown } from '../ui/states.js';

const stepNames: Record<string, string> = { wins: 'Ads served', viewable: 'Seen for a second' };

export function RevenuePage(): JSX.Element {
  const { zone } = useApp();
  const [range, setRange] = useRange();
  const asked = {
    ...rangeQuery(range, zone),
    fill: 'zero',
    compare: range.compare ? 'previous' : undefined,
  };
  const path = `/publisher-dashboard/stats${query(asked)}`;
  const stats = useLoad<Stats>(path);
  const funnelPath = `/publisher-dashboard/funnel${query(asked)}`;
  const funnel = useLoad<Funnel>(funnelPath);
  return (
    <Page title="Revenue" actions={<RangePicker range={range} onChange={setRange} />}>
      <Onboarding />
      <Shown load={stats}>
        {(data) => (
          <>
            <dl class="stats">
              <Stat
                label="Revenue"
                value={money(data.totalRevenue)}
                now={data.totalRevenue}
                before={data.previous?.totalRevenue}
              />
              <Stat
                label="Impressions"
                value={compact(data.totalImpressions)}
                now={data.totalImpressions}
                before={data.previous?.totalImpressions}
              />
              <Stat
                label="Clicks"
                value={compact(data.totalClicks)}
                now={data.totalClicks}
                before={data.previous?.totalClicks}
              />
              <Stat
                label="Click rate"
                value={percent(data.avgCtr, 2)}
                now={data.avgCtr}
                before={data.previous?.avgCtr}
              />
              <Stat
                label="Per 1,000 impressions"
                value={money(data.avgCpm)}
                now={data.avgCpm}
                before={data.previous?.avgCpm}
              />
            </dl>
            <Card title="Revenue by day" actions={<CsvButton what="Revenue" from={path} />}>
              <LineChart
                title="Revenue"
                format={money}
                points={data.timeSeries.map((row) => ({ date: row.date, value: row.revenue }))}
                before={data.previous?.timeSeries.map((row) => ({
                  date: row.date,
                  value: row.revenue,
                }))}
              />
            </Card>
            {data.totalImpressions === 0 && (
              <Empty title="No impressions in this period.">
                <p>Ask for your first ad: it takes one request.</p>
                <Link to="/app/publisher/integrate" class="button primary">
                  Integrate
                </Link>
              </Empty>
            )}
          </>
        )}
      </Shown>
      <div class="stack">
        <Card
          title="From request to result"
          actions={<CsvButton what="Funnel" from={funnelPath} />}
        >
          <Shown load={funnel}>
            {(data) => (
              <>
                <Bars
                  label="Funnel"
                  rows={data.steps.map((step, index) => ({
                    name: stepNames[step.step] ?? words(step.step),
                    value: step.count,
                    ...(index === 0 ? {} : { note: percent(step.rate_from_previous * 100) }),
                  }))}
                  format={count}
                />
                <p class="hint">
                  {count(data.total_disclosed)} impressions were proven to carry a label people
                  could read: {percent(data.disclosed_rate * 100)} of those seen for a second.
                </p>
                {data.filtered_impressions + data.filtered_clicks > 0 && (
                  <p class="hint">
                    {count(data.filtered_impressions)} impressions and {count(data.filtered_clicks)}{' '}
                    clicks were filtered as invalid traffic.
                  </p>
                )}
              </>
            )}
          </Shown>
        </Card>
      </div>
    </Page>
  );
}
