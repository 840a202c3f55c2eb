import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import type {
  Devices,
  Geography,
  Placements,
  SliceMetrics,
} from '../../../src/surfaces/publisher-reports/schema.js';
import { query } from '../core/api.js';
import { compact, country, money, percent, words } from '../core/format.js';
import { rich, t } from '../core/language.js';
import { placementName } from '../core/placements.js';
import { Link } from '../core/router.js';
import { type Loaded, useLoad } from '../core/hooks/use-load.js';
import { Bars } from '../ui/charts/charts.js';
import { CsvButton } from '../ui/tables/csv-button.js';
import { DataTable, type Column } from '../ui/tables/data-table.js';
import { Card, Page } from '../ui/parts.js';
import { RangePicker, rangeQuery, useRange } from '../ui/forms/range-picker.js';
import { Sparkline } from '../ui/charts/sparkline.js';
import { Empty, Shown } from '../ui/states.js';
import { CountryMap } from './country-map.js';

type Slice = SliceMetrics & {
  name: string;
  code?: string;
  daily?: readonly { revenue: number }[];
};

export function AudiencePage(): JSX.Element {
  const [range, setRange] = useRange();
  const asked = query(rangeQuery(range));
  const placements = useLoad<Static<typeof Placements>>(`/publisher-dashboard/placements${asked}`);
  const devices = useLoad<Static<typeof Devices>>(`/publisher-dashboard/devices${asked}`);
  const geography = useLoad<Static<typeof Geography>>(`/publisher-dashboard/geography${asked}`);
  return (
    <Page
      title={t('Audience')}
      lead={t('Days in UTC.')}
      actions={<RangePicker range={range} onChange={setRange} compare={false} zoned={false} />}
    >
      <div class="stack">
        <SliceCard
          title={t('Placements')}
          one={t('Placement')}
          load={placements}
          slices={(data) =>
            data.placements.map((row) => ({ ...row, name: placementName(row.placement) }))
          }
          path={`/publisher-dashboard/placements${asked}`}
        />
        <SliceCard
          title={t('Devices')}
          one={t('Device')}
          load={devices}
          slices={(data) => data.devices.map((row) => ({ ...row, name: words(row.device_type) }))}
          path={`/publisher-dashboard/devices${asked}`}
        />
        <SliceCard
          title={t('Countries')}
          one={t('Country')}
          load={geography}
          slices={(data) =>
            data.countries.map((row) => ({
              ...row,
              name: country(row.country_code),
              code: row.country_code,
            }))
          }
          path={`/publisher-dashboard/geography${asked}`}
        />
      </div>
    </Page>
  );
}

function SliceCard<T>({
  title,
  one,
  load,
  slices,
  path,
}: {
  title: string;
  /** What a row is. */
  one: string;
  load: Loaded<T>;
  slices: (data: T) => Slice[];
  path: string;
}): JSX.Element {
  return (
    <Card title={title} actions={<CsvButton what={title} from={path} />}>
      <Shown load={load}>
        {(data) => {
          const rows = slices(data);
          if (rows.length === 0) return <NoSlices />;
          const isMap = rows.some((row) => row.code !== undefined);
          return (
            <div class={isMap ? 'stack' : 'split roomy'}>
              {isMap ? (
                <CountryMap
                  title={t('Revenue')}
                  values={rows.map((row) => ({ code: row.code ?? '', value: row.revenue }))}
                  format={money}
                />
              ) : (
                <Bars
                  label={t('{title} by revenue', { title })}
                  rows={[...rows]
                    .sort((a, b) => b.revenue - a.revenue)
                    .slice(0, 12)
                    .map((row) => ({ name: row.name, value: row.revenue }))}
                  format={money}
                />
              )}
              <DataTable
                label={title}
                rows={rows}
                rowKey={(row) => row.name}
                columns={sliceColumns(one, isMap)}
              />
            </div>
          );
        }}
      </Shown>
    </Card>
  );
}

function NoSlices(): JSX.Element {
  return (
    <Empty title={t('Nothing in this period.')}>
      <p>
        {rich('Choose a longer one, or {askFor}.', {
          askFor: <Link to="/app/publisher/integrate">{t('ask for your first ad')}</Link>,
        })}
      </p>
    </Empty>
  );
}

function sliceColumns(one: string, isMap: boolean): readonly Column<Slice>[] {
  return [
    {
      id: 'name',
      title: one,
      cell: (row) => <span class="nowrap">{row.name}</span>,
      sort: (row) => row.name,
    },
    {
      id: 'impressions',
      title: t('Impressions'),
      numeric: true,
      cell: (row) => compact(row.impressions),
      sort: (row) => row.impressions,
    },
    {
      id: 'ctr',
      title: t('Click rate'),
      numeric: true,
      cell: (row) => percent(row.ctr, 2),
      sort: (row) => row.ctr,
    },
    {
      id: 'revenue',
      title: t('Revenue'),
      numeric: true,
      cell: (row) => money(row.revenue),
      sort: (row) => row.revenue,
    },
    ...(isMap
      ? []
      : [
          {
            id: 'trend',
            title: t('Day by day'),
            cell: (row: Slice) => (
              <Sparkline
                title={t('Revenue')}
                values={row.daily?.map(({ revenue }) => revenue) ?? []}
                format={money}
              />
            ),
          },
        ]),
    {
      id: 'cpm',
      title: t('Per 1,000'),
      numeric: true,
      cell: (row) => money(row.cpm),
      sort: (row) => row.cpm,
    },
  ];
}
