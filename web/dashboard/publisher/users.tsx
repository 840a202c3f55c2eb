import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Users } from '../../../src/surfaces/publisher-reports/schema.js';
import { call, query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import type { CsvRow } from '../core/csv.js';
import { count, money, moment } from '../core/format.js';
import { rich, t } from '../core/language.js';
import { Link } from '../core/router.js';
import { useLoad } from '../core/hooks/use-load.js';
import { CsvButton } from '../ui/tables/csv-button.js';
import { DataTable, type Column, type Order } from '../ui/tables/data-table.js';
import { Card, Page } from '../ui/parts.js';
import { Empty, Shown } from '../ui/states.js';

const perPage = 200;
const path = (asked: { search: string; order: Order; page: number }): string =>
  `/publisher-dashboard/users${query({ search: asked.search, sort: asked.order.id, order: asked.order.down ? 'desc' : 'asc', page: asked.page, per_page: perPage })}`;

/** Every user the search finds, in the order shown. */
async function everyUser(search: string, order: Order): Promise<CsvRow[]> {
  const rows: CsvRow[] = [
    [
      'pub_user_id',
      'requests',
      'ads_served',
      'impressions',
      'clicks',
      'revenue_microdollars',
      'first_seen',
      'last_seen',
    ],
  ];
  for (let page = 1, more = true; more && page <= 500; page += 1) {
    const answer = await call<Users>(path({ search, order, page }));
    rows.push(
      ...answer.users.map((row) => [
        row.pub_user_id,
        row.requests,
        row.ads_served,
        row.impressions,
        row.clicks,
        row.revenue_microdollars,
        row.first_seen,
        row.last_seen,
      ]),
    );
    more = answer.has_more;
  }
  return rows;
}

/** Sorted, searched and paged by the server: a publisher may have millions. */
export function UsersPage(): JSX.Element {
  const { zone } = useApp();
  const [draft, setDraft] = useState('');
  const [asked, setAsked] = useState<{ search: string; order: Order; page: number }>({
    search: '',
    order: { id: 'requests', down: true },
    page: 1,
  });
  useEffect(() => {
    if (draft === asked.search) return;
    // Not at every letter.
    const timer = setTimeout(
      () => setAsked((before) => ({ ...before, search: draft, page: 1 })),
      250,
    );
    return () => clearTimeout(timer);
  }, [draft]);
  const users = useLoad<Users>(path(asked));
  return (
    <Page title={t('Users')} lead={t('By the ids you send with ad requests.')}>
      <Card
        title={t('All users')}
        actions={
          <>
            <input
              type="search"
              aria-label={t('Find a user')}
              placeholder={t('Part of an id')}
              value={draft}
              maxLength={500}
              onInput={(event) => setDraft(event.currentTarget.value)}
            />
            <CsvButton what={t('Users')} from={() => everyUser(asked.search, asked.order)} />
          </>
        }
      >
        <Shown load={users}>
          {(data) =>
            data.users.length === 0 ? (
              <NoUsers asked={asked} />
            ) : (
              <>
                <DataTable
                  label={t('Users')}
                  rows={data.users}
                  rowKey={(row) => row.pub_user_id}
                  order={asked.order}
                  onOrder={(order) => setAsked({ ...asked, order, page: 1 })}
                  columns={userColumns(zone)}
                />
                <Pager data={data} setAsked={setAsked} asked={asked} />
              </>
            )
          }
        </Shown>
      </Card>
    </Page>
  );
}

function NoUsers({
  asked,
}: {
  asked: { search: string; order: Order; page: number };
}): JSX.Element {
  return asked.search === '' ? (
    <Empty title={t('No users yet.')}>
      <p>
        {rich('Send {userId} with ad requests to see which users bring in what.', {
          userId: <code>user.id</code>,
        })}
      </p>
      <Link to="/app/publisher/integrate" class="button">
        {t('Integrate')}
      </Link>
    </Empty>
  ) : (
    <Empty title={t('No user id contains that.')}>
      <p>{t('Search by full or partial id; upper and lower case do not matter.')}</p>
    </Empty>
  );
}

function userColumns(zone: string): readonly Column<Users['users'][number]>[] {
  return [
    {
      id: 'user',
      title: t('User'),
      cell: (row) => (
        <span class="clip" title={row.pub_user_id}>
          {row.pub_user_id}
        </span>
      ),
    },
    {
      id: 'requests',
      title: t('Requests'),
      numeric: true,
      sort: 'server',
      cell: (row) => count(row.requests),
    },
    {
      id: 'ads_served',
      title: t('Ads'),
      numeric: true,
      sort: 'server',
      cell: (row) => count(row.ads_served),
    },
    {
      id: 'impressions',
      title: t('Impressions'),
      numeric: true,
      sort: 'server',
      cell: (row) => count(row.impressions),
    },
    {
      id: 'clicks',
      title: t('Clicks'),
      numeric: true,
      sort: 'server',
      cell: (row) => count(row.clicks),
    },
    {
      id: 'revenue_microdollars',
      title: t('Revenue'),
      numeric: true,
      sort: 'server',
      cell: (row) => money(row.revenue_microdollars / 1e6),
    },
    {
      id: 'first_seen',
      title: t('First seen'),
      sort: 'server',
      cell: (row) => <span class="nowrap">{moment(row.first_seen, zone)}</span>,
    },
    {
      id: 'last_seen',
      title: t('Last seen'),
      sort: 'server',
      cell: (row) => <span class="nowrap">{moment(row.last_seen, zone)}</span>,
    },
  ];
}

function Pager({
  data,
  setAsked,
  asked,
}: {
  data: Users;
  setAsked: (value: { search: string; order: Order; page: number }) => void;
  asked: { search: string; order: Order; page: number };
}): JSX.Element {
  return (
    <nav class="actions pager" aria-label={t('Pages of users')}>
      <button
        type="button"
        class="button small"
        disabled={data.page <= 1}
        onClick={() => setAsked({ ...asked, page: asked.page - 1 })}
      >
        {t('Previous')}
      </button>
      <span class="quiet" role="status">
        {rich('{page}–{page2} of {total}', {
          page: count((data.page - 1) * data.per_page + 1),
          page2: count((data.page - 1) * data.per_page + data.users.length),
          total: count(data.total),
        })}
      </span>
      <button
        type="button"
        class="button small"
        disabled={!data.has_more}
        onClick={() => setAsked({ ...asked, page: asked.page + 1 })}
      >
        {t('Next')}
      </button>
    </nav>
  );
}
