import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { compact, count, money, percent } from '../core/format.js';
import { Link } from '../core/router.js';
import { useLoad } from '../core/use-load.js';
import { CsvButton } from '../ui/csv-button.js';
import { DataTable } from '../ui/data-table.js';
import { Badge, Card, Page } from '../ui/parts.js';
import { Empty, Shown } from '../ui/states.js';
import { BudgetEdit } from './budget-edit.js';
import type { Campaign } from './campaign-record.js';

export function CampaignsPage(): JSX.Element {
  const { say } = useApp();
  const [filter, setFilter] = useState('');
  const [text, setText] = useState('');
  const list = useLoad<{ campaigns: Campaign[] }>('/advertiser-dashboard/campaigns');

  /** Shown at once; taken back when the server refuses. */
  const change = async (
    campaign: Campaign,
    fields: Partial<Campaign>,
    done: string,
  ): Promise<void> => {
    const apply = (values: Partial<Campaign>): void =>
      list.put((data) => ({
        ...data,
        campaigns: data.campaigns.map((one) =>
          one.campaign_id === campaign.campaign_id ? { ...one, ...values } : one,
        ),
      }));
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
      say(error instanceof ApiError ? error.message : 'The change was not saved.', 'bad');
    }
  };
  const wanted = (campaign: Campaign): boolean =>
    (filter === 'archived'
      ? campaign.is_archived
      : !campaign.is_archived &&
        (filter === '' || campaign.status === filter || campaign.review_status === filter)) &&
    campaign.name.toLowerCase().includes(text.toLowerCase());

  return (
    <Page
      title="Campaigns"
      actions={
        <Link to="/app/advertiser/campaigns/new" class="button primary">
          Create campaign
        </Link>
      }
    >
      <Card
        title="All campaigns"
        actions={
          <>
            <input
              type="search"
              aria-label="Find by name"
              placeholder="Find by name"
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
            <select
              aria-label="Show"
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
            >
              <option value="">All</option>
              <option value="active">Active</option>
              <option value="paused">Paused</option>
              <option value="draft">Drafts</option>
              <option value="pending_review">In review</option>
              <option value="rejected">Rejected</option>
              <option value="archived">Archived</option>
            </select>
            <CsvButton what="Campaigns" from="/advertiser-dashboard/campaigns" />
          </>
        }
      >
        <Shown load={list}>
          {(data) => {
            const rows = data.campaigns.filter(wanted);
            if (data.campaigns.length === 0)
              return (
                <Empty title="No campaigns yet.">
                  <p>Your first one takes two minutes.</p>
                  <Link to="/app/advertiser/campaigns/new" class="button primary">
                    Create a campaign
                  </Link>
                </Empty>
              );
            if (rows.length === 0)
              return (
                <Empty title="Nothing matches.">
                  <p>Change the filter or the search.</p>
                </Empty>
              );
            return (
              <DataTable
                label="Campaigns"
                rows={rows}
                rowKey={(row) => row.campaign_id}
                columns={[
                  {
                    id: 'name',
                    title: 'Campaign',
                    sort: (row) => row.name,
                    cell: (row) => (
                      <Link to={`/app/advertiser/campaigns/${row.campaign_id}`}>
                        <span class="clip">{row.name}</span>
                      </Link>
                    ),
                  },
                  {
                    id: 'status',
                    title: 'Status',
                    sort: (row) => row.status,
                    cell: (row) => (
                      <span class="nowrap">
                        <Badge value={row.is_archived ? 'archived' : row.status} />
                        {row.review_status !== 'approved' && row.status !== 'draft' && (
                          <>
                            {' '}
                            <Badge value={row.review_status} />
                          </>
                        )}
                      </span>
                    ),
                  },
                  {
                    id: 'budget',
                    title: 'Daily budget',
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
                            `Budget of ${row.name} is ${money(value)} a day.`,
                          )
                        }
                      />
                    ),
                  },
                  {
                    id: 'spend',
                    title: 'Spend',
                    numeric: true,
                    sort: (row) => row.spend,
                    cell: (row) => money(row.spend),
                  },
                  {
                    id: 'impressions',
                    title: 'Impressions',
                    numeric: true,
                    sort: (row) => row.impressions,
                    cell: (row) => compact(row.impressions),
                  },
                  {
                    id: 'clicks',
                    title: 'Clicks',
                    numeric: true,
                    sort: (row) => row.clicks,
                    cell: (row) => compact(row.clicks),
                  },
                  {
                    id: 'ctr',
                    title: 'Click rate',
                    numeric: true,
                    sort: (row) => row.clicks / Math.max(1, row.impressions),
                    cell: (row) => percent((row.clicks / Math.max(1, row.impressions)) * 100, 2),
                  },
                  {
                    id: 'conversions',
                    title: 'Conv.',
                    numeric: true,
                    sort: (row) => row.conversions,
                    cell: (row) => count(row.conversions),
                  },
                  {
                    id: 'act',
                    title: 'Actions',
                    cell: (row) =>
                      row.is_archived ? null : row.status === 'active' ? (
                        <button
                          type="button"
                          class="button small"
                          aria-label={`Pause ${row.name}`}
                          onClick={() =>
                            void change(row, { status: 'paused' }, `${row.name} is paused.`)
                          }
                        >
                          Pause
                        </button>
                      ) : (
                        <button
                          type="button"
                          class="button small"
                          aria-label={`Activate ${row.name}`}
                          onClick={() =>
                            void change(row, { status: 'active' }, `${row.name} is active.`)
                          }
                        >
                          Activate
                        </button>
                      ),
                  },
                ]}
              />
            );
          }}
        </Shown>
      </Card>
    </Page>
  );
}
