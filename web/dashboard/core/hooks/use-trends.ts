import type { Static } from '@sinclair/typebox';
import { useMemo } from 'preact/hooks';
import type { Trends } from '../../../../src/surfaces/reports/trend-routes.js';
import { query } from '../api.js';
import { useApp } from '../boot.js';
import { useLoad } from './use-load.js';

const most = 100;
const days = 14;

/** Spend of campaigns over the last two weeks; of the last hundred in a long list. */
export function useTrends(ids: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const { zone } = useApp();
  const wanted = ids.slice(-most).join(',');
  const { data } = useLoad<Static<typeof Trends>>(
    wanted === ''
      ? null
      : `/advertiser-dashboard/trends${query({ campaign_ids: wanted, days: days + 1, tz: zone })}`,
  );
  return useMemo(
    // Today is not over and would look like a fall.
    () =>
      new Map(data?.campaigns.map(({ campaign_id, spend }) => [campaign_id, spend.slice(0, -1)])),
    [data],
  );
}
