import type { JSX } from 'preact';
import type { Funnel, Stats } from '../../../src/surfaces/publisher-reports/schema.js';
import { query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { compact, count, money, percent, words } from '../core/format.js';
import { rich, t } from '../core/language.js';
import { Link } from '../core/router.js';
import { useLoad } from '../core/hooks/use-load.js';
import { Bars, LineChart } from '../ui/charts/charts.js';
import { CsvButton } from '../ui/tables/csv-button.js';
import { Card, Page, Stat } from '../ui/parts.js';
import { Onboarding } from '../ui/onboarding.js';
import { RangePicker, rangeQuery, useRange } from '../ui/forms/range-picker.js';
import { Empty, Shown } from '../ui/states.js';

const stepNames: Record<string, string> = {
  wins: t('Ads served'),
  viewable: t('In view for a second'),
};

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

  return (
    <Page title={t('Revenue')} actions={<RangePicker range={range} onChange={setRange} />}>
      <Onboarding onTick={stats.reload} />
      <Shown load={stats}>
        {(data) => (
          <>
            <Figures data={data} />
            <Card
              title={t('Revenue by day')}
              actions={<CsvButton what={t('Revenue')} from={path} />}
            >
              {data.totalImpressions === 0 ? <NoImpressions /> : <DaysChart data={data} />}
            </Card>
          </>
        )}
      </Shown>
      <div class="stack">
        <FunnelCard asked={asked} />
      </div>
    </Page>
  );
}

function DaysChart({ data }: { data: Stats }): JSX.Element {
  return (
    <LineChart
      title={t('Revenue')}
      format={money}
      points={data.timeSeries.map((row) => ({ date: row.date, value: row.revenue }))}
      before={data.previous?.timeSeries.map((row) => ({ date: row.date, value: row.revenue }))}
    />
  );
}

function NoImpressions(): JSX.Element {
  return (
    <Empty title={t('No impressions in this period.')}>
      <p>{t('Ask for your first ad: it takes one request.')}</p>
      <Link to="/app/publisher/integrate" class="button primary">
        {t('Integrate')}
      </Link>
    </Empty>
  );
}

function Figures({ data }: { data: Stats }): JSX.Element {
  return (
    <dl class="stats">
      <Stat
        label={t('Revenue')}
        value={money(data.totalRevenue)}
        now={data.totalRevenue}
        before={data.previous?.totalRevenue}
      />
      <Stat
        label={t('Impressions')}
        value={compact(data.totalImpressions)}
        now={data.totalImpressions}
        before={data.previous?.totalImpressions}
      />
      <Stat
        label={t('Clicks')}
        value={compact(data.totalClicks)}
        now={data.totalClicks}
        before={data.previous?.totalClicks}
      />
      <Stat
        label={t('Click rate')}
        value={percent(data.avgCtr, 2)}
        now={data.avgCtr}
        before={data.previous?.avgCtr}
      />
      <Stat
        label={t('Per 1,000 impressions')}
        value={money(data.avgCpm)}
        now={data.avgCpm}
        before={data.previous?.avgCpm}
      />
    </dl>
  );
}

type FunnelStep = Funnel['steps'][number];

/** Of nothing there is no share: a click on an ad nobody saw for a second is not “0 %”. */
const shareOf = (step: FunnelStep, before: FunnelStep | undefined): string =>
  before === undefined || before.count === 0 ? '—' : percent(step.rate_from_previous * 100);

function FunnelCard({
  asked,
}: {
  asked: { fill: string; compare: string | undefined };
}): JSX.Element {
  const funnelPath = `/publisher-dashboard/funnel${query(asked)}`;
  const funnel = useLoad<Funnel>(funnelPath);
  return (
    <Card
      title={t('From request to result')}
      actions={<CsvButton what={t('Funnel')} from={funnelPath} />}
    >
      <Shown load={funnel}>
        {(data) => (
          <>
            <Bars
              label={t('Funnel')}
              rows={data.steps.map((step, index) => ({
                name: stepNames[step.step] ?? words(step.step),
                value: step.count,
                ...(index === 0 ? {} : { note: shareOf(step, data.steps[index - 1]) }),
              }))}
              format={count}
            />
            {data.steps.some(({ step, count: seen }) => step === 'viewable' && seen > 0) && (
              <p class="hint">
                {rich(
                  '{total_disclosed} impressions were proven to carry a label people could read: {disclosed_rate} of those seen for a second.',
                  {
                    total_disclosed: count(data.total_disclosed),
                    disclosed_rate: percent(data.disclosed_rate * 100),
                  },
                )}
              </p>
            )}
            {data.filtered_impressions + data.filtered_clicks > 0 && (
              <p class="hint">
                {rich(
                  '{filtered_impressions} impressions and {filtered_clicks} clicks were filtered as invalid traffic.',
                  {
                    filtered_impressions: count(data.filtered_impressions),
                    filtered_clicks: count(data.filtered_clicks),
                  },
                )}
              </p>
            )}
          </>
        )}
      </Shown>
    </Card>
  );
}
