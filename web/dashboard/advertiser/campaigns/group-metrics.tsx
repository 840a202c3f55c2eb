import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import type {
  AdGroupMetrics,
  AdUnitMetrics,
} from '../../../../src/surfaces/advertiser-reports/schema.js';
import { query } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { compact, count, money, percent } from '../../core/format.js';
import { t } from '../../core/language.js';
import { useLoad } from '../../core/hooks/use-load.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Card } from '../../ui/parts.js';
import { Empty, Shown } from '../../ui/states.js';

interface Row {
  id: string;
  name: string;
  impressions: number;
  clicks: number;
  spend: number;
  conversions: number | null;
}

/** How each group, or each unit of a campaign made of units, did in the last 30 days. */
export function GroupMetricsCard({
  campaignId,
  units,
}: {
  campaignId: string;
  units: boolean;
}): JSX.Element {
  const { zone } = useApp();
  const path = `/advertiser-dashboard/${units ? 'ad-unit-metrics' : 'ad-group-metrics'}${query({ campaign_id: campaignId, days: 30, tz: zone, include_archived: units ? undefined : true })}`;
  const load = useLoad<Partial<Static<typeof AdGroupMetrics> & Static<typeof AdUnitMetrics>>>(path);
  const what = units ? t('Ad units') : t('Ad groups');
  const rowsOf = (data: NonNullable<typeof load.data>): Row[] => [
    ...(data.ad_groups ?? []).map((one) => ({
      id: one.ad_group_id,
      name: one.name,
      impressions: one.total_impressions,
      clicks: one.total_clicks,
      spend: one.total_spend,
      conversions: one.total_conversions,
    })),
    ...(data.ad_units ?? []).map((one) => ({
      id: one.ad_unit_id,
      name: one.name,
      impressions: one.total_impressions,
      clicks: one.total_clicks,
      spend: one.total_spend,
      conversions: null,
    })),
  ];
  return (
    <Card
      title={t('{what}, last 30 days', { what })}
      actions={<CsvButton what={t('{what} by day', { what })} from={path} />}
    >
      <Shown load={load}>
        {(data) =>
          rowsOf(data).length === 0 ? (
            <Empty title={t('Nothing has been delivered yet.')}>
              <p>{t('Numbers appear once the campaign is approved, active and matched.')}</p>
            </Empty>
          ) : (
            <DataTable
              label={t('{what} by performance', { what })}
              rows={rowsOf(data)}
              rowKey={(row) => row.id}
              columns={groupColumns(what, units)}
            />
          )
        }
      </Shown>
    </Card>
  );
}

function groupColumns(what: string, units: boolean): readonly Column<Row>[] {
  return [
    {
      id: 'name',
      title: what.slice(0, -1),
      cell: (row) => (
        <span class="clip" title={row.name}>
          {row.name}
        </span>
      ),
      sort: (row) => row.name,
    },
    {
      id: 'spend',
      title: t('Spend'),
      numeric: true,
      cell: (row) => money(row.spend),
      sort: (row) => row.spend,
    },
    {
      id: 'impressions',
      title: t('Impressions'),
      numeric: true,
      cell: (row) => compact(row.impressions),
      sort: (row) => row.impressions,
    },
    {
      id: 'clicks',
      title: t('Clicks'),
      numeric: true,
      cell: (row) => compact(row.clicks),
      sort: (row) => row.clicks,
    },
    {
      id: 'ctr',
      title: t('Click rate'),
      numeric: true,
      cell: (row) => percent((row.clicks / Math.max(1, row.impressions)) * 100, 2),
      sort: (row) => row.clicks / Math.max(1, row.impressions),
    },
    ...(units
      ? []
      : [
          {
            id: 'conversions',
            title: t('Conversions'),
            numeric: true,
            cell: (row: Row) => count(row.conversions ?? 0),
            sort: (row: Row) => row.conversions ?? 0,
          },
        ]),
  ];
}
