import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call, query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { compact, count, money } from '../core/format.js';
import { Link, navigate, useLocation } from '../core/router.js';
import { usePages } from '../core/use-pages.js';
import { rich, t } from '../core/language.js';
import { type Column, DataTable } from '../ui/data-table.js';
import { Badge, Card, Confirm, Page } from '../ui/parts.js';
import { Sparkline } from '../ui/sparkline.js';
import { Empty, Listed } from '../ui/states.js';
import { BulkGroupEdit } from './bulk-group-edit.js';

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
interface Results {
  changed: number;
  results: { id: string; ok: boolean; error?: string }[];
}

const refusals: Record<string, string> = {
  conflict: t('it changed in the meantime or is generated automatically'),
  validation_failed: t('that value is not allowed here'),
  not_found: t('it is gone'),
};
/** The server takes so many at once. */
const mostAtOnce = 200;

const groupColumns: readonly Column<Group>[] = [
  {
    id: 'name',
    title: t('Ad group'),
    cell: (row) => (
      <Link to={`/app/advertiser/campaigns/${row.campaign_id}`}>
        <span class="clip">{row.name}</span>
      </Link>
    ),
  },
  {
    id: 'campaign',
    title: t('Campaign'),
    cell: (row) => <span class="clip">{row.campaign_name}</span>,
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
        <span class="clip">{row.headline ?? row.name}</span>
      </Link>
    ),
  },
  { id: 'copy', title: t('Text'), cell: (row) => <span class="clip">{row.copy ?? '—'}</span> },
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
    cell: (row) => <span class="clip">{row.ad_group_name}</span>,
  },
  {
    id: 'campaign',
    title: t('Campaign'),
    cell: (row) => <span class="clip">{row.campaign_name}</span>,
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

function BulkList<Row extends { id: string }>({
  kind,
  columns,
  nameOf,
  mayChange,
}: {
  kind: 'ads' | 'ad_groups';
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
  mayChange: (row: Row) => boolean;
}): JSX.Element {
  const { path, search } = useLocation();
  const [text, status] = [search.get('q') ?? '', search.get('status') ?? ''];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const list = usePages<Row>(
    `/advertiser-dashboard/bulk/${kind.replace('_', '-')}${query({ q: text, status, limit: 50 })}`,
    // Of the route for this kind.
    (page) => page[kind] as Row[],
  );
  /** In the address: reload, back and a link show the same list. */
  const look = (change: { q?: string; status?: string; of?: string }): void => {
    setChosen(new Set());
    const of = kind === 'ads' ? 'ads' : '';
    navigate(`${path}${query({ of, q: text, status, ...change })}`, { replace: true });
  };
  const choose = (ids: readonly string[], on: boolean): void =>
    setChosen((before) => {
      const next = new Set(before);
      for (const id of ids)
        if (on) next.add(id);
        else next.delete(id);
      return next;
    });
  const open = list.items.filter(mayChange).map(({ id }) => id);
  return (
    <Page
      title={t('Ad groups and ads')}
      lead={t('Of all campaigns. Choose some and change them in one step.')}
    >
      <div class="actions" role="group" aria-label={t('What is listed')}>
        {(
          [
            ['', t('Ad groups')],
            ['ads', t('Ads')],
          ] as const
        ).map(([of, title]) => (
          <button
            key={of}
            type="button"
            class="button small"
            aria-pressed={(kind === 'ads') === (of === 'ads')}
            onClick={() => look({ of, q: '', status: '' })}
          >
            {title}
          </button>
        ))}
      </div>
      <Card
        title={kind === 'ads' ? t('Ads') : t('Ad groups')}
        actions={
          <>
            <input
              type="search"
              aria-label={kind === 'ads' ? t('Find ads') : t('Find ad groups')}
              placeholder={t('Find by name or text')}
              value={text}
              onInput={(event) => look({ q: event.currentTarget.value })}
            />
            <select
              aria-label={t('Show')}
              value={status}
              onChange={(event) => look({ status: event.currentTarget.value })}
            >
              <option value="">{t('All but archived')}</option>
              <option value="active">{t('Active')}</option>
              <option value="paused">{t('Paused')}</option>
              <option value="archived">{t('Archived')}</option>
            </select>
          </>
        }
      >
        <ChangeBar
          kind={kind}
          chosen={chosen}
          onDone={() => {
            setChosen(new Set());
            list.reload();
          }}
        />
        <Listed
          list={list}
          empty={
            <Empty
              title={
                text === '' && status === ''
                  ? kind === 'ads'
                    ? t('No ads yet.')
                    : t('No ad groups yet.')
                  : t('Nothing matches.')
              }
            >
              {text === '' && status === '' ? (
                <Link to="/app/advertiser/campaigns/new" class="button primary">
                  {t('Create a campaign')}
                </Link>
              ) : (
                <p>{t('Change the filter or the search.')}</p>
              )}
            </Empty>
          }
        >
          {(rows) => (
            <DataTable
              label={kind === 'ads' ? t('Ads') : t('Ad groups')}
              rows={rows}
              rowKey={(row) => row.id}
              columns={[
                {
                  id: 'choose',
                  title: t('Choose'),
                  cell: (row) => (
                    <input
                      type="checkbox"
                      aria-label={t('Choose {name}', { name: nameOf(row) })}
                      checked={chosen.has(row.id)}
                      disabled={!mayChange(row)}
                      onChange={(event) => choose([row.id], event.currentTarget.checked)}
                    />
                  ),
                },
                ...columns,
              ]}
            />
          )}
        </Listed>
        {open.length > 1 && (
          <div class="actions">
            <button
              type="button"
              class="button small"
              onClick={() => choose(open, chosen.size < open.length)}
            >
              {chosen.size < open.length ? t('Choose all shown') : t('Choose none')}
            </button>
          </div>
        )}
      </Card>
    </Page>
  );
}

function ChangeBar({
  kind,
  chosen,
  onDone,
}: {
  kind: 'ads' | 'ad_groups';
  chosen: ReadonlySet<string>;
  onDone: () => void;
}): JSX.Element | null {
  const { say } = useApp();
  const [asking, setAsking] = useState<'edit' | 'archive' | null>(null);
  const [busy, setBusy] = useState(false);
  if (chosen.size === 0) return null;
  const change = async (changes: Record<string, unknown>): Promise<void> => {
    setBusy(true);
    setAsking(null);
    try {
      const { changed, refused } = await changeAll(kind, [...chosen], changes);
      const why = [...new Set(refused.map((error) => refusals[error] ?? error))].join(', ');
      say(
        refused.length === 0
          ? t('{changed} changed.', { changed: count(changed) })
          : t('{changed} changed, {refused} not: {why}.', {
              changed: count(changed),
              refused: count(refused.length),
              why,
            }),
        refused.length === 0 ? 'good' : 'bad',
      );
      onDone();
    } catch (error) {
      say(error instanceof ApiError ? error.message : t('Nothing was changed.'), 'bad');
    } finally {
      setBusy(false);
    }
  };
  const button = (title: string, onClick: () => void, danger = false): JSX.Element => (
    <button
      type="button"
      class={danger ? 'button small danger' : 'button small'}
      disabled={busy}
      onClick={onClick}
    >
      {title}
    </button>
  );
  return (
    <div class="bulk" role="group" aria-label={t('Change what is chosen')}>
      <b>{rich('{chosen} chosen', { chosen: count(chosen.size) })}</b>
      {button(t('Pause'), () => void change({ status: 'paused' }))}
      {button(t('Activate'), () => void change({ status: 'active' }))}
      {kind === 'ad_groups' && button(t('Budget, bid…'), () => setAsking('edit'))}
      {button(t('Archive'), () => setAsking('archive'), true)}
      {asking === 'edit' && (
        <BulkGroupEdit
          size={chosen.size}
          onClose={() => setAsking(null)}
          onSave={(changes) => void change(changes)}
        />
      )}
      {asking === 'archive' && (
        <Confirm
          title={
            kind === 'ads'
              ? t('Archive {count} ads?', { count: count(chosen.size) })
              : t('Archive {count} ad groups?', { count: count(chosen.size) })
          }
          action={t('Archive')}
          danger
          onYes={() => void change({ status: 'archived' })}
          onClose={() => setAsking(null)}
        >
          <p>{t('They stop showing with the next request.')}</p>
        </Confirm>
      )}
    </div>
  );
}

async function changeAll(
  kind: 'ads' | 'ad_groups',
  ids: readonly string[],
  changes: Record<string, unknown>,
): Promise<{ changed: number; refused: string[] }> {
  let changed = 0;
  const refused: string[] = [];
  for (let at = 0; at < ids.length; at += mostAtOnce) {
    const answer = await call<Results>(`/advertiser-dashboard/${kind.replace('_', '-')}/bulk`, {
      method: 'POST',
      body: {
        [kind === 'ads' ? 'ad_ids' : 'ad_group_ids']: ids.slice(at, at + mostAtOnce),
        changes,
      },
    });
    changed += answer.changed;
    refused.push(...answer.results.filter(({ ok }) => !ok).map(({ error = '' }) => error));
  }
  return { changed, refused };
}
