import type { JSX } from 'preact';
import type {
  ConversionList,
  ConversionStats,
} from '../../../../src/surfaces/conversions/schema.js';
import { allPages } from '../../core/all-pages.js';
import { query } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { count, moment, price, words } from '../../core/format.js';
import { rich, t } from '../../core/language.js';
import { Link } from '../../core/router.js';
import { useAddress } from '../../core/hooks/use-address.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { usePages } from '../../core/hooks/use-pages.js';
import { Bars, LineChart } from '../../ui/charts/charts.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Badge, Card, Page } from '../../ui/parts.js';
import { RangePicker, rangeQuery, useRange } from '../../ui/forms/range-picker.js';
import { Empty, Listed, Shown } from '../../ui/states.js';

type Conversion = ConversionList['conversions'][number];
const columns = [
  'conversion_id',
  'event_type',
  'value_cents',
  'currency',
  'conversion_timestamp',
  'campaign_id',
  'order_id',
  'page_url',
  'source',
  'is_attributed',
  'attribution',
  'ad_group_id',
] as const;

// The page is the list of the schema above.
const conversionsOf = (page: Record<string, unknown>): Conversion[] =>
  (page as unknown as ConversionList).conversions;

export function ConversionsPage(): JSX.Element {
  const { zone } = useApp();
  const [range, setRange] = useRange();
  const [{ type }, choose] = useAddress({ type: '' });
  const stats = useLoad<ConversionStats>(
    `/advertiser-dashboard/events/conversion-stats${query({ ...rangeQuery(range, zone), fill: 'zero', event_type: type })}`,
  );

  return (
    <Page
      title={t('Conversions')}
      actions={<RangePicker range={range} onChange={setRange} compare={false} />}
    >
      <div class="grid">
        <ByDayCard stats={stats} />
        <ByTypeCard stats={stats} />
        <EveryConversionCard
          type={type}
          setType={(next) => choose({ type: next })}
          stats={stats}
          zone={zone}
        />
      </div>
    </Page>
  );
}

function ByDayCard({ stats }: { stats: Loaded<ConversionStats> }): JSX.Element {
  return (
    <Card title={t('By day')}>
      <Shown load={stats}>
        {(data) => (
          <LineChart
            title={t('Conversions')}
            points={data.time_series.map((row) => ({ date: row.date, value: row.conversions }))}
            format={count}
          />
        )}
      </Shown>
    </Card>
  );
}

function ByTypeCard({ stats }: { stats: Loaded<ConversionStats> }): JSX.Element {
  return (
    <Card title={t('By type')}>
      <Shown load={stats}>
        {(data) =>
          data.by_event_type.length === 0 ? (
            <Empty title={t('No conversions in this period.')} />
          ) : (
            <Bars
              label={t('Conversions by type')}
              rows={data.by_event_type.map((row) => ({
                name: row.event_type,
                value: row.total,
              }))}
              format={count}
            />
          )
        }
      </Shown>
    </Card>
  );
}

function EveryConversionCard({
  type,
  setType,
  stats,
  zone,
}: {
  type: string;
  setType: (value: string) => void;
  stats: Loaded<ConversionStats>;
  zone: string;
}): JSX.Element {
  const path = `/advertiser-dashboard/conversions${query({ limit: 100, event_type: type })}`;
  const list = usePages(path, conversionsOf);
  const campaigns = useNames(
    '/advertiser-dashboard/campaigns',
    (data: { campaigns: { campaign_id: string; name: string }[] }) =>
      data.campaigns.map((one) => [one.campaign_id, one.name]),
  );
  const groups = useNames(
    '/advertiser-dashboard/ad-groups?include_archived=true&limit=500',
    (data: { id: string; name: string }[]) => data.map((one) => [one.id, one.name]),
  );
  return (
    <Card
      title={t('Every conversion')}
      wide
      actions={
        <>
          <TypeFilter type={type} setType={setType} stats={stats} />
          <CsvButton
            what={t('Conversions')}
            from={async () => [
              [...columns],
              ...(await allPages(path, conversionsOf)).map((row) =>
                columns.map((name) => row[name]),
              ),
            ]}
          />
        </>
      }
    >
      <Listed list={list} empty={<NoConversions />}>
        {(items) => (
          <DataTable
            label={t('Conversions')}
            rows={items}
            rowKey={(row) => row.conversion_id}
            columns={conversionColumns(zone, campaigns, groups)}
          />
        )}
      </Listed>
    </Card>
  );
}

function NoConversions(): JSX.Element {
  return (
    <Empty title={t('No conversions yet.')}>
      <p>
        {rich('{setUp} or {sendEvents}.', {
          setUp: <Link to="/app/advertiser/pixel">{t('Set up the pixel')}</Link>,
          sendEvents: (
            <Link to="/app/advertiser/server-side">{t('send events from your server')}</Link>
          ),
        })}
      </p>
    </Empty>
  );
}

function TypeFilter({
  type,
  setType,
  stats,
}: {
  type: string;
  setType: (value: string) => void;
  stats: Loaded<ConversionStats>;
}): JSX.Element {
  return (
    <select
      aria-label={t('Event type')}
      value={type}
      onChange={(event) => setType(event.currentTarget.value)}
    >
      <option value="">{t('All types')}</option>
      {[...new Set([type, ...(stats.data?.by_event_type ?? []).map((row) => row.event_type)])]
        .filter((name) => name !== '')
        .map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
    </select>
  );
}

function conversionColumns(
  zone: string,
  campaigns: (id: string) => string,
  groups: (id: string) => string,
): readonly Column<Conversion>[] {
  return [
    {
      id: 'at',
      title: t('When'),
      cell: (row) => <span class="nowrap">{moment(row.conversion_timestamp, zone)}</span>,
      sort: (row) => row.conversion_timestamp,
    },
    {
      id: 'type',
      title: t('Type'),
      cell: (row) => row.event_type,
      sort: (row) => row.event_type,
    },
    {
      id: 'value',
      title: t('Value'),
      numeric: true,
      cell: (row) => price(row.value_cents / 100, row.currency),
      sort: (row) => row.value_cents,
    },
    ...attributionColumns(campaigns, groups),
    {
      id: 'source',
      title: t('Source'),
      cell: (row) => (row.source === 'capi' ? t('Server') : words(row.source)),
    },
    {
      id: 'order',
      title: t('Order'),
      cell: (row) => (
        <span class="clip" title={row.order_id ?? '—'}>
          {row.order_id ?? '—'}
        </span>
      ),
    },
    {
      id: 'page',
      title: t('Page'),
      cell: (row) => (
        <span class="clip short" title={row.page_url ?? undefined}>
          {row.page_url?.replace(/^https?:\/\//, '') ?? '—'}
        </span>
      ),
    },
  ];
}

function attributionColumns(
  campaigns: (id: string) => string,
  groups: (id: string) => string,
): Column<Conversion>[] {
  return [
    {
      id: 'attributed',
      title: t('Credited to'),
      cell: (row) =>
        row.is_attributed ? (
          <Badge value={row.attribution ?? 'click'} />
        ) : (
          <span class="quiet">{t('no ad')}</span>
        ),
    },
    {
      id: 'campaign',
      title: t('Campaign'),
      cell: (row) =>
        row.campaign_id === null ? (
          <span class="quiet">—</span>
        ) : (
          <Link to={`/app/advertiser/campaigns/${row.campaign_id}`}>
            <span class="clip" title={campaigns(row.campaign_id)}>
              {campaigns(row.campaign_id)}
            </span>
          </Link>
        ),
    },
    {
      id: 'group',
      title: t('Ad group'),
      cell: (row) =>
        row.ad_group_id === null ? (
          <span class="quiet">—</span>
        ) : (
          <span class="clip short" title={groups(row.ad_group_id)}>
            {groups(row.ad_group_id)}
          </span>
        ),
    },
  ];
}

/** Names by id; the beginning of the id while they load and for what is not among them. */
function useNames<T>(
  path: string,
  read: (data: T) => (readonly [string, string])[],
): (id: string) => string {
  const { data } = useLoad<T>(path);
  const names = new Map(data === undefined ? [] : read(data));
  return (id) => names.get(id) ?? `${id.slice(0, 8)}…`;
}
