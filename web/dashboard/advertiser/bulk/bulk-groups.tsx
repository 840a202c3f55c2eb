import type { JSX } from 'preact';
import { compact, count, money } from '../../core/format.js';
import { Link, useLocation } from '../../core/router.js';
import { t } from '../../core/language.js';
import type { Column } from '../../ui/tables/data-table.js';
import { Badge } from '../../ui/parts.js';
import { Sparkline } from '../../ui/charts/sparkline.js';
import { BulkList } from './bulk-list.js';

interface Group {
  id: string;
  name: string;
  campaign_id: string;
  campaign_name: string;
  group_type: string;
  status: string;
  context: string | null;
  daily_budget: number | null;
  max_cpc: number | null;
  ads: number;
  impressions: number;
  clicks: number;
  spend: number;
  spend_by_day: number[];
}
interface ListedAd {
  id: string;
  name: string;
  headline: string | null;
  copy: string | null;
  source: string;
  status: string;
  review_status: string;
  ad_group_name: string;
  campaign_id: string;
  campaign_name: string;
}

const groupColumns: readonly Column<Group>[] = [
  {
    id: 'name',
    title: t('Ad group'),
    cell: (row) => (
      <Link to={`/app/advertiser/campaigns/${row.campaign_id}`}>
        <span class="clip" title={row.name}>
          {row.name}
        </span>
      </Link>
    ),
  },
  {
    id: 'campaign',
    title: t('Campaign'),
    cell: (row) => (
      <span class="clip" title={row.campaign_name}>
        {row.campaign_name}
      </span>
    ),
  },
  { id: 'status', title: t('Status'), cell: (row) => <Badge value={row.status} /> },
  {
    id: 'budget',
    title: t('Daily budget'),
    numeric: true,
    cell: (row) => (row.daily_budget === null ? '—' : money(row.daily_budget)),
  },
  {
    id: 'bid',
    title: t('Most per click'),
    numeric: true,
    cell: (row) => (row.max_cpc === null ? '—' : money(row.max_cpc)),
  },
  { id: 'ads', title: t('Ads'), numeric: true, cell: (row) => count(row.ads) },
  {
    id: 'impressions',
    title: t('Impressions, 30 days'),
    numeric: true,
    cell: (row) => compact(row.impressions),
  },
  { id: 'clicks', title: t('Clicks'), numeric: true, cell: (row) => compact(row.clicks) },
  { id: 'spend', title: t('Spend'), numeric: true, cell: (row) => money(row.spend) },
  {
    id: 'trend',
    title: t('14 days'),
    cell: (row) => <Sparkline title={t('Spend')} values={row.spend_by_day} format={money} />,
  },
];

const adColumns: readonly Column<ListedAd>[] = [
  {
    id: 'headline',
    title: t('Ad'),
    cell: (row) => (
      <Link to={`/app/advertiser/campaigns/${row.campaign_id}`}>
        <span class="clip" title={row.headline ?? row.name}>
          {row.headline ?? row.name}
        </span>
      </Link>
    ),
  },
  {
    id: 'copy',
    title: t('Text'),
    cell: (row) => (
      <span class="clip" title={row.copy ?? '—'}>
        {row.copy ?? '—'}
      </span>
    ),
  },
  {
    id: 'status',
    title: t('Status'),
    cell: (row) => <Badge value={row.status === 'active' ? row.review_status : row.status} />,
  },
  {
    id: 'source',
    title: t('Written'),
    cell: (row) => (row.source === 'manual' ? t('by you') : t('for you')),
  },
  {
    id: 'group',
    title: t('Ad group'),
    cell: (row) => (
      <span class="clip" title={row.ad_group_name}>
        {row.ad_group_name}
      </span>
    ),
  },
  {
    id: 'campaign',
    title: t('Campaign'),
    cell: (row) => (
      <span class="clip" title={row.campaign_name}>
        {row.campaign_name}
      </span>
    ),
  },
];

/** All ad groups and all ads of the account, found by name and changed many at a time. */
export function BulkPage(): JSX.Element {
  const { search } = useLocation();
  return search.get('of') === 'ads' ? (
    <BulkList
      key="ads"
      kind="ads"
      columns={adColumns}
      nameOf={(row) => row.headline ?? row.name}
      mayChange={(row) => row.source === 'manual'}
    />
  ) : (
    <BulkList
      key="ad_groups"
      kind="ad_groups"
      columns={groupColumns}
      nameOf={(row) => row.name}
      mayChange={() => true}
    />
  );
}
