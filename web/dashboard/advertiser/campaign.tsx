import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Metrics } from '../../../src/surfaces/advertiser-reports/schema.js';
import { ApiError, call, query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { compact, count, money, moment, percent, words } from '../core/format.js';
import { Link } from '../core/router.js';
import { useLoad } from '../core/use-load.js';
import { LineChart } from '../ui/charts.js';
import { Badge, Card, Page, Stat } from '../ui/parts.js';
import { Empty, Problem, Shown } from '../ui/states.js';
import { AdGroupCard, NewAdGroup } from './ad-group.js';
import { BudgetEdit } from './budget-edit.js';
import type { AdGroup, Campaign } from './campaign-record.js';

export function CampaignPage({ id }: { id: string }): JSX.Element {
  const { zone, say } = useApp();
  const campaign = useLoad<Campaign>(`/advertiser-dashboard/campaigns/${encodeURIComponent(id)}`);
  const groups = useLoad<AdGroup[]>(`/advertiser-dashboard/ad-groups${query({ campaign_id: id })}`);
  const metrics = useLoad<Metrics>(`/advertiser-dashboard/metrics${query({ campaign_id: id, days: 30, tz: zone, fill: 'zero', compare: 'previous' })}`);
  const [adding, setAdding] = useState(false);
  const change = async (fields: Partial<Campaign>, done: string): Promise<void> => {
    const before = campaign.data;
    campaign.put((data) => ({ ...data, ...fields }));
    try {
      await call(`/advertiser-dashboard/campaigns/${id}`, { method: 'PATCH', body: fields });
      say(done);
      campaign.reload();
    } catch (error) {
      if (before !== undefined) campaign.put(() => before);
      say(error instanceof ApiError ? error.message : 'The change was not saved.', 'bad');
    }
  };
  const archive = async (): Promise<void> => {
    try {
      const { is_archived: archived } = await call<{ is_archived: boolean }>(`/advertiser-dashboard/campaigns/${id}/archive`, { method: 'PATCH' });
      say(archived ? 'Archived.' : 'Taken out of the archive.');
      campaign.reload();
    } catch (error) {
      say(error instanceof ApiError ? error.message : 'That did not work.', 'bad');
    }
  };
  return (
    <Shown load={campaign}>
      {(data) => (
        <Page
          title={data.name}
          lead={<><Link to="/app/advertiser/campaigns">Campaigns</Link> · <Badge value={data.is_archived ? 'archived' : data.status} /> <Badge value={data.review_status} /></>}
          actions={
            <>
              {!data.is_archived && (data.status === 'active' ? <button type="button" class="button" onClick={() => void change({ status: 'paused' }, 'Paused.')}>Pause</button> : <button type="button" class="button primary" onClick={() => void change({ status: 'active' }, 'Active.')}>Activate</button>)}
              <button type="button" class="button" onClick={() => void archive()}>{data.is_archived ? 'Unarchive' : 'Archive'}</button>
            </>
          }
        >
          {data.review_notes !== null && data.review_status === 'rejected' && <Problem message={`Rejected: ${data.review_notes}. Edit what it names; the campaign is handed in again by itself.`} />}
          <dl class="stats">
            <Stat label="Spend" value={money(data.spend)} />
            <Stat label="Impressions" value={compact(data.impressions)} />
            <Stat label="Clicks" value={compact(data.clicks)} />
            <Stat label="Click rate" value={percent((data.clicks / Math.max(1, data.impressions)) * 100, 2)} />
            <Stat label="Conversions" value={count(data.conversions)} />
            <Stat label="Left today" value={money(data.daily_budget_remaining)} />
          </dl>
          <div class="stack">
            <Card title="Spend, last 30 days"><Shown load={metrics}>{(days) => <LineChart title="Spend" format={money} points={days.data.map((row) => ({ date: row.date, value: row.spend }))} before={days.previous?.data.map((row) => ({ date: row.date, value: row.spend }))} />}</Shown></Card>
            <Card title="Settings">
              <div class="table-box" tabIndex={0} role="region" aria-label="Settings"><table><tbody>
                <tr><th scope="row">Daily budget</th><td><BudgetEdit name={data.name} value={data.daily_budget} onSave={(value) => void change({ daily_budget: value }, `Budget is ${money(value)} a day.`)} /></td></tr>
                <tr><th scope="row">Landing page</th><td class="wide-cell">{data.landing_page}</td></tr>
                <tr><th scope="row">Goal and billing</th><td>{words(data.campaign_objective)}, {data.billing_model.toUpperCase()}, {words(data.bid_strategy).toLowerCase()}</td></tr>
                <tr><th scope="row">Countries</th><td>{data.allowed_countries.length === 0 ? 'Everywhere' : data.allowed_countries.join(', ')}</td></tr>
                <tr><th scope="row">Devices</th><td>{data.allowed_devices.length === 0 ? 'All' : data.allowed_devices.join(', ')}</td></tr>
                <tr><th scope="row">Runs</th><td>{moment(data.start_time ?? data.created_at, zone)} to {data.end_time === null ? 'no end' : moment(data.end_time, zone)}</td></tr>
                <tr><th scope="row">Reviewed</th><td>{moment(data.reviewed_at, zone)}</td></tr>
              </tbody></table></div>
            </Card>
            <Card title="Ad groups" actions={<button type="button" class="button small" onClick={() => setAdding(true)}>Add ad group</button>}>
              <Shown load={groups}>
                {(list) => list.length === 0 ? <Empty title="No ad groups."><p>A campaign needs one to be shown.</p></Empty> : <div class="stack">{list.map((group) => <AdGroupCard key={group.id} group={group} campaign={data} onChange={groups.reload} />)}</div>}
              </Shown>
            </Card>
          </div>
          {adding && <NewAdGroup campaignId={id} onClose={() => setAdding(false)} onMade={() => { setAdding(false); groups.reload(); }} />}
        </Page>
      )}
    </Shown>
  );
}
