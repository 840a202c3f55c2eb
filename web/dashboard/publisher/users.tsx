import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Users } from '../../../src/surfaces/publisher-reports/schema.js';
import { downloadCsv, query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { count, money, moment } from '../core/format.js';
import { useLoad } from '../core/use-load.js';
import { DataTable } from '../ui/data-table.js';
import { Card, Page } from '../ui/parts.js';
import { Empty, Shown } from '../ui/states.js';

const sorts = [['requests', 'Requests'], ['ads_served', 'Ads served'], ['impressions', 'Impressions'], ['clicks', 'Clicks'], ['revenue_microdollars', 'Revenue'], ['last_seen', 'Last seen'], ['first_seen', 'First seen']] as const;

export function UsersPage(): JSX.Element {
  const { zone, say } = useApp();
  const [asked, setAsked] = useState({ page: 1, sort: 'requests', search: '' });
  const path = `/publisher-dashboard/users${query({ ...asked, per_page: 200 })}`;
  const users = useLoad<Users>(path);
  return (
    <Page title="Users" lead="By the ids you send with ad requests.">
      <Card title="All users" actions={
        <>
          <input type="search" aria-label="Find a user" placeholder="Part of an id" value={asked.search} onInput={(event) => setAsked({ ...asked, page: 1, search: event.currentTarget.value })} />
          <select aria-label="Order by" value={asked.sort} onChange={(event) => setAsked({ ...asked, page: 1, sort: event.currentTarget.value })}>{sorts.map(([id, title]) => <option key={id} value={id}>{title}</option>)}</select>
          <button type="button" class="button small" onClick={() => void downloadCsv(path, 'users').catch(() => say('The download failed.', 'bad'))}>CSV</button>
        </>
      }>
        <Shown load={users}>
          {(data) => data.users.length === 0 ? <Empty title={asked.search === '' ? 'No users yet.' : 'No user id contains that.'} /> : (
            <>
              <DataTable label="Users" rows={data.users} rowKey={(row) => row.pub_user_id} columns={[
                { id: 'user', title: 'User', cell: (row) => <span class="clip">{row.pub_user_id}</span> },
                { id: 'requests', title: 'Requests', numeric: true, cell: (row) => count(row.requests) },
                { id: 'served', title: 'Ads', numeric: true, cell: (row) => count(row.ads_served) },
                { id: 'impressions', title: 'Impressions', numeric: true, cell: (row) => count(row.impressions) },
                { id: 'clicks', title: 'Clicks', numeric: true, cell: (row) => count(row.clicks) },
                { id: 'revenue', title: 'Revenue', numeric: true, cell: (row) => money(row.revenue_microdollars / 1e6) },
                { id: 'seen', title: 'Last seen', cell: (row) => <span class="nowrap">{moment(row.last_seen, zone)}</span> },
              ]} />
              <div class="actions">
                <button type="button" class="button small" disabled={data.page <= 1} onClick={() => setAsked({ ...asked, page: asked.page - 1 })}>Previous</button>
                <span class="quiet">{count(data.total)} users, page {data.page}</span>
                <button type="button" class="button small" disabled={!data.has_more} onClick={() => setAsked({ ...asked, page: asked.page + 1 })}>Next</button>
              </div>
            </>
          )}
        </Shown>
      </Card>
    </Page>
  );
}
