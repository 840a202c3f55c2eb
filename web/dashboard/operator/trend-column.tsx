import type { Static } from '@sinclair/typebox';
import { useMemo } from 'preact/hooks';
import type { NetworkTrends } from '../../../src/surfaces/reports/trend-routes.js';
import { query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { money } from '../core/format.js';
import { t } from '../core/language.js';
import { useLoad } from '../core/hooks/use-load.js';
import type { Column } from '../ui/tables/data-table.js';
import { Sparkline } from '../ui/charts/sparkline.js';

const most = 100;
const days = 14;

/** Money of the last two weeks, of the first hundred in a long list. */
export function useNetworkTrends(
  of: 'advertiser' | 'publisher' | 'campaign',
  ids: readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const { zone } = useApp();
  const wanted = ids.slice(0, most).join(',');
  const { data } = useLoad<Static<typeof NetworkTrends>>(
    wanted === ''
      ? null
      : `/operator/trends${query({ of, ids: wanted, days: days + 1, tz: zone })}`,
  );
  return useMemo(
    // Today is not over and would look like a fall.
    () => new Map(data?.rows.map(({ id, money: values }) => [id, values.slice(0, -1)])),
    [data],
  );
}

/** The column that draws them. */
export function trendColumn<Row>(
  trends: ReadonlyMap<string, readonly number[]>,
  idOf: (row: Row) => string,
  titleOf: (row: Row) => string,
): Column<Row> {
  return {
    id: 'trend',
    title: t('14 days'),
    cell: (row) => (
      <Sparkline title={titleOf(row)} values={trends.get(idOf(row)) ?? []} format={money} />
    ),
  };
}
