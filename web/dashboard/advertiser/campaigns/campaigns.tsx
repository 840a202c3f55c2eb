import type { JSX } from 'preact';
import { ApiError, call, query } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { compact, count, money, percent } from '../../core/format.js';
import { t } from '../../core/language.js';
import { Link, navigate, useLocation } from '../../core/router.js';
import { useChosen } from '../../core/hooks/use-chosen.js';
import { usePages, type PagedList } from '../../core/hooks/use-pages.js';
import { useTrends } from '../../core/hooks/use-trends.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { DataTable, type Column } from '../../ui/tables/data-table.js';
import { Delivery } from '../../ui/delivery.js';
import { Card, Page } from '../../ui/parts.js';
import { Sparkline } from '../../ui/charts/sparkline.js';
import { Empty, Listed } from '../../ui/states.js';
import { BulkBar } from '../bulk/bulk-bar.js';
import { BudgetEdit } from '../edit/budget-edit.js';
import type { Campaign } from '../campaign-record.js';

const shows: readonly (readonly [string, string, Record<string, string | boolean>])[] = [
  ['', t('All'), { include_archived: false }],
  ['active', t('Active'), { status: 'active', include_archived: false }],
  ['paused', t('Paused'), { status: 'paused', include_archived: false }],
  ['draft', t('Drafts'), { status: 'draft', include_archived: false }],
  ['pending_review', t('In review'), { review_status: 'pending_review', include_archived: false }],
  ['rejected', t('Rejected'), { review_status: 'rejected', include_archived: false }],
  ['archived', t('Archived'), { archived: 'only' }],
];

const campaignsOf = (page: Record<string, unknown>): Campaign[] =>
  (page as { campaigns: Campaign[] }) /* of the campaigns route */.campaigns;

export function CampaignsPage(): JSX.Element {
  const { say } = useApp();
  const { path, search } = useLocation();
  const filter = search.get('show') ?? '';
  const text = search.get('q') ?? '';
  const { chosen, choose, chooseNone } = useChosen();
  const asked = query({ q: text, ...shows.find(([name]) => name === filter)?.[2], limit: 50 });
  const list = usePages<Campaign>(`/advertiser-dashboard/campaigns${asked}`, campaignsOf);
  const trends = useTrends(list.items.map((row) => row.campaign_id));
  /** In the address: reload, back and a link show the same list. */
  const look = (change: { show?: string; q?: string }): void => {
    chooseNone();
    navigate(`${path}${query({ show: filter, q: text, ...change })}`, { replace: true });
  };

  const change = useChange(list, say);

  return (
    <Page
      title={t('Campaigns')}
      actions={
        <Link to="/app/advertiser/campaigns/new" class="button primary">
          {t('Create campaign')}
        </Link>
      }
    >
      <Card
        title={t('All campaigns')}
        actions={<ListFilters text={text} look={look} filter={filter} />}
      >
        <BulkBar
          chosen={chosen}
          onDone={() => {
            chooseNone();
            list.reload();
          }}
        />
        <Listed list={list} empty={<NothingListed filter={filter} text={text} />}>
          {(rows) => (
            <CampaignTable
              rows={rows}
              chosen={chosen}
              choose={choose}
              change={change}
              trends={trends}
            />
          )}
        </Listed>
        {list.items.length > 1 && <ChooseAll choose={choose} list={list} chosen={chosen} />}
      </Card>
    </Page>
  );
}

function ListFilters({
  text,
  look,
  filter,
}: {
  text: string;
  look: (change: { show?: string; q?: string }) => void;
  filter: string;
}): JSX.Element {
  return (
    <>
      <input
        type="search"
        aria-label={t('Find by name')}
        placeholder={t('Find by name')}
        value={text}
        onInput={(event) => look({ q: event.currentTarget.value })}
      />
      <select
        aria-label={t('Show')}
        value={filter}
        onChange={(event) => look({ show: event.currentTarget.value })}
      >
        {shows.map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      <CsvButton what={t('Campaigns')} from="/advertiser-dashboard/campaigns" />
    </>
  );
}

function NothingListed({ filter, text }: { filter: string; text: string }): JSX.Element {
  return filter === '' && text === '' ? (
    <Empty title={t('No campaigns yet.')}>
      <p>{t('Your first one takes two minutes.')}</p>
      <Link to="/app/advertiser/campaigns/new" class="button primary">
        {t('Create a campaign')}
      </Link>
    </Empty>
  ) : (
    <Empty title={t('Nothing matches.')}>
      <p>{t('Change the filter or the search.')}</p>
    </Empty>
  );
}

function CampaignTable({
  rows,
  chosen,
  choose,
  change,
  trends,
}: {
  rows: Campaign[];
  chosen: ReadonlySet<string>;
  choose: (ids: readonly string[], on: boolean) => void;
  change: (campaign: Campaign, fields: Partial<Campaign>, done: string) => Promise<void>;
  trends: ReadonlyMap<string, readonly number[]>;
}): JSX.Element {
  return (
    <DataTable
      label={t('Campaigns')}
      rows={rows}
      rowKey={(row) => row.campaign_id}
      columns={[
        ...identityColumns(chosen, choose),
        {
          id: 'budget',
          title: t('Daily budget'),
          numeric: true,
          sort: (row) => row.daily_budget,
          cell: (row) => (
            <BudgetEdit
              name={row.name}
              value={row.daily_budget}
              onSave={(value) =>
                void change(
                  row,
                  { daily_budget: value },
                  t('Budget of {name} is {value} a day.', {
                    name: row.name,
                    value: money(value),
                  }),
                )
              }
            />
          ),
        },
        ...figureColumns(trends),
        {
          id: 'act',
          title: t('Actions'),
          cell: (row) => <ActivityButton row={row} change={change} />,
        },
      ]}
    />
  );
}

function identityColumns(
  chosen: ReadonlySet<string>,
  choose: (ids: readonly string[], on: boolean) => void,
): Column<Campaign>[] {
  return [
    {
      id: 'choose',
      title: t('Choose'),
      cell: (row) => (
        <input
          type="checkbox"
          aria-label={t('Choose {name}', { name: row.name })}
          checked={chosen.has(row.campaign_id)}
          onChange={(event) => choose([row.campaign_id], event.currentTarget.checked)}
        />
      ),
    },
    {
      id: 'name',
      title: t('Campaign'),
      sort: (row) => row.name,
      cell: (row) => (
        <Link to={`/app/advertiser/campaigns/${row.campaign_id}`}>
          <span class="clip" title={row.name}>
            {row.name}
          </span>
        </Link>
      ),
    },
    {
      id: 'status',
      title: t('Status'),
      sort: (row) => row.delivery.status,
      cell: (row) => <Delivery of={row.delivery} brief />,
    },
  ];
}

function figureColumns(trends: ReadonlyMap<string, readonly number[]>): Column<Campaign>[] {
  return [
    {
      id: 'spend',
      title: t('Spend'),
      numeric: true,
      sort: (row) => row.spend,
      cell: (row) => money(row.spend),
    },
    {
      id: 'trend',
      title: t('14 days'),
      cell: (row) => (
        <Sparkline title={t('Spend')} values={trends.get(row.campaign_id) ?? []} format={money} />
      ),
    },
    {
      id: 'impressions',
      title: t('Impressions'),
      numeric: true,
      sort: (row) => row.impressions,
      cell: (row) => compact(row.impressions),
    },
    {
      id: 'clicks',
      title: t('Clicks'),
      numeric: true,
      sort: (row) => row.clicks,
      cell: (row) => compact(row.clicks),
    },
    {
      id: 'ctr',
      title: t('Click rate'),
      numeric: true,
      sort: (row) => row.clicks / Math.max(1, row.impressions),
      cell: (row) => percent((row.clicks / Math.max(1, row.impressions)) * 100, 2),
    },
    {
      id: 'conversions',
      title: t('Conv.'),
      numeric: true,
      sort: (row) => row.conversions,
      cell: (row) => count(row.conversions),
    },
  ];
}

function ActivityButton({
  row,
  change,
}: {
  row: Campaign;
  change: (campaign: Campaign, fields: Partial<Campaign>, done: string) => Promise<void>;
}): JSX.Element | null {
  return row.is_archived ? null : row.status === 'active' ? (
    <button
      type="button"
      class="button small"
      aria-label={t('Pause {name}', { name: row.name })}
      onClick={() =>
        void change(row, { status: 'paused' }, t('{name} is paused.', { name: row.name }))
      }
    >
      {t('Pause')}
    </button>
  ) : (
    <button
      type="button"
      class="button small"
      aria-label={t('Activate {name}', { name: row.name })}
      onClick={() =>
        void change(row, { status: 'active' }, t('{name} is active.', { name: row.name }))
      }
    >
      {t('Activate')}
    </button>
  );
}

function ChooseAll({
  choose,
  list,
  chosen,
}: {
  choose: (ids: readonly string[], on: boolean) => void;
  list: PagedList<Campaign>;
  chosen: ReadonlySet<string>;
}): JSX.Element {
  return (
    <div class="actions">
      <button
        type="button"
        class="button small"
        onClick={() =>
          choose(
            list.items.map((row) => row.campaign_id),
            chosen.size < list.items.length,
          )
        }
      >
        {chosen.size < list.items.length ? t('Choose all shown') : t('Choose none')}
      </button>
    </div>
  );
}

function useChange(
  list: PagedList<Campaign>,
  say: (message: string, kind?: 'good' | 'bad') => void,
): (campaign: Campaign, fields: Partial<Campaign>, done: string) => Promise<void> {
  /** Shown at once; taken back when the server refuses. */
  const change = async (
    campaign: Campaign,
    fields: Partial<Campaign>,
    done: string,
  ): Promise<void> => {
    const apply = (values: Partial<Campaign>): void =>
      list.put((items) =>
        items.map((one) =>
          one.campaign_id === campaign.campaign_id ? { ...one, ...values } : one,
        ),
      );
    apply(fields);
    try {
      apply(
        await call<Partial<Campaign>>(`/advertiser-dashboard/campaigns/${campaign.campaign_id}`, {
          method: 'PATCH',
          body: fields,
        }),
      );
      say(done);
    } catch (error) {
      apply(
        Object.fromEntries(
          Object.keys(fields).map((name) => [
            name,
            campaign[name as keyof Campaign /* names come from a partial campaign */],
          ]),
        ),
      );
      say(error instanceof ApiError ? error.message : t('The change was not saved.'), 'bad');
    }
  };
  return change;
}
