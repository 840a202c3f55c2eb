import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Metrics } from '../../../../src/surfaces/advertiser-reports/schema.js';
import type { LeadFormInput } from '../../../../src/surfaces/advertisers/schema.js';
import { ApiError, call, query } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { compact, count, money, percent } from '../../core/format.js';
import { rich, t } from '../../core/language.js';
import { Link } from '../../core/router.js';
import { useAct } from '../../core/hooks/use-act.js';
import { useLoad, type Loaded } from '../../core/hooks/use-load.js';
import { usePages, type PagedList } from '../../core/hooks/use-pages.js';
import { LineChart } from '../../ui/charts/charts.js';
import { CsvButton } from '../../ui/tables/csv-button.js';
import { Card, Page, Stat, Confirm } from '../../ui/parts.js';
import { Empty, Listed, Problem, Shown } from '../../ui/states.js';
import { Delivery } from '../../ui/delivery.js';
import { AdGroupCard } from './ad-group.js';
import type { AdGroup, CampaignDetail } from '../campaign-record.js';
import { useAskReview, type ReviewQuestion } from '../edit/ask-review.js';
import { CampaignSettings } from './campaign-settings.js';
import { EditAdGroup } from '../edit/edit-ad-group.js';
import { GroupMetricsCard } from './group-metrics.js';
import { LeadFormCard } from './lead-form.js';
import { LinkedUnits } from '../units/linked-units.js';

const groupsOf = (page: Record<string, unknown>): AdGroup[] =>
  page as unknown as AdGroup[]; /* the route answers a bare list */

export function CampaignPage({ id }: { id: string }): JSX.Element {
  const { zone, say } = useApp();
  const { act } = useAct();
  const path = `/advertiser-dashboard/campaigns/${encodeURIComponent(id)}`;
  const campaign = useLoad<CampaignDetail>(path);
  const [search, setSearch] = useState('');
  const groups = usePages<AdGroup>(
    `/advertiser-dashboard/ad-groups${query({ campaign_id: id, q: search, limit: 25 })}`,
    groupsOf,
  );
  const daily = `/advertiser-dashboard/metrics${query({ campaign_id: id, days: 30, tz: zone, fill: 'zero', compare: 'previous' })}`;
  const metrics = useLoad<Metrics>(daily);
  const [adding, setAdding] = useState(false);
  const edits = useCampaignEdits({ campaign, path, say, act, id });
  if (campaign.error?.status === 404) return <NoCampaign load={campaign} />;
  return (
    <Shown load={campaign}>
      {(data) => (
        <Page
          title={data.name}
          lead={
            <>
              <Link to="/app/advertiser/campaigns">{t('Campaigns')}</Link> ·{' '}
              <Delivery of={data.delivery} brief={data.review_status === 'rejected'} />
            </>
          }
          actions={<StateButtons data={data} edits={edits} />}
        >
          <ReviewNote data={data} />
          <CampaignStats data={data} />
          <div class="stack">
            <SpendCard id={id} daily={daily} metrics={metrics} />
            <GroupMetricsCard
              campaignId={id}
              units={data.ad_unit_ids.length > 0 && groups.items.length === 0 && !groups.loading}
            />
            <GroupsCard
              search={search}
              groups={groups}
              setSearch={setSearch}
              setAdding={setAdding}
              data={data}
              campaign={campaign}
            />
            {data.ad_unit_ids.length > 0 && (
              <LinkedUnits campaignId={id} unitIds={data.ad_unit_ids} onChange={campaign.reload} />
            )}
            <SettingsAndForm data={data} edits={edits} campaign={campaign} />
          </div>
          {edits.review.dialog}
          {adding && <NewGroupDialog id={id} setAdding={setAdding} groups={groups} />}
        </Page>
      )}
    </Shown>
  );
}

/** An address of nothing, or of somebody else’s campaign: the page still has a heading and a way on. */
function NoCampaign({ load }: { load: Loaded<CampaignDetail> }): JSX.Element {
  return (
    <Page title={t('Campaign')} lead={<Link to="/app/advertiser/campaigns">{t('Campaigns')}</Link>}>
      <Shown load={load}>{() => null}</Shown>
    </Page>
  );
}

function StateButtons({
  data,
  edits,
}: {
  data: CampaignDetail;
  edits: CampaignEdits;
}): JSX.Element {
  const [asking, setAsking] = useState(false);
  return (
    <>
      {!data.is_archived &&
        (data.status === 'active' ? (
          <button
            type="button"
            class="button"
            onClick={() => void edits.change({ status: 'paused' }, t('Paused.'))}
          >
            {t('Pause')}
          </button>
        ) : (
          <button
            type="button"
            class="button primary"
            onClick={() => void edits.change({ status: 'active' }, t('Active.'))}
          >
            {t('Activate')}
          </button>
        ))}
      <button
        type="button"
        class="button"
        onClick={data.is_archived ? edits.archive : () => setAsking(true)}
      >
        {data.is_archived ? t('Unarchive') : t('Archive')}
      </button>
      {asking && (
        <Confirm
          title={t('Archive {name}?', { name: data.name })}
          action={t('Archive')}
          danger
          onYes={edits.archive}
          onClose={() => setAsking(false)}
        >
          <p>{t('It is no longer shown, and leaves the lists. You can bring it back.')}</p>
        </Confirm>
      )}
    </>
  );
}

function ReviewNote({ data }: { data: CampaignDetail }): JSX.Element {
  return (
    <>
      {data.review_notes !== null &&
        (data.review_status === 'rejected' ? (
          <Problem
            message={t(
              'Rejected: {review_notes} Fix what is named; the campaign is then resubmitted automatically.',
              { review_notes: data.review_notes },
            )}
          />
        ) : (
          <p class="notice">
            {rich('Note from the last review: {review_notes}', {
              review_notes: data.review_notes,
            })}
          </p>
        ))}
    </>
  );
}

function CampaignStats({ data }: { data: CampaignDetail }): JSX.Element {
  return (
    <dl class="stats">
      <Stat label={t('Spend')} value={money(data.spend)} />
      <Stat label={t('Impressions')} value={compact(data.impressions)} />
      <Stat label={t('Clicks')} value={compact(data.clicks)} />
      <Stat
        label={t('Click rate')}
        value={percent((data.clicks / Math.max(1, data.impressions)) * 100, 2)}
      />
      <Stat label={t('Conversions')} value={count(data.conversions)} />
      <Stat label={t('Left today')} value={money(data.daily_budget_remaining)} />
    </dl>
  );
}

function SpendCard({
  id,
  daily,
  metrics,
}: {
  id: string;
  daily: string;
  metrics: Loaded<Metrics>;
}): JSX.Element {
  return (
    <Card
      title={t('Spend, last 30 days')}
      actions={
        <>
          <Link
            to={`/app/advertiser/reports${query({ by: 'day', campaign_id: id })}`}
            class="button small"
          >
            {t('Open in reports')}
          </Link>
          <CsvButton what={t('Days of the campaign')} from={daily} />
        </>
      }
    >
      <Shown load={metrics}>
        {(days) => (
          <LineChart
            title={t('Spend')}
            format={money}
            points={days.data.map((row) => ({ date: row.date, value: row.spend }))}
            before={days.previous?.data.map((row) => ({
              date: row.date,
              value: row.spend,
            }))}
          />
        )}
      </Shown>
    </Card>
  );
}

function GroupsCard({
  search,
  groups,
  setSearch,
  setAdding,
  data,
  campaign,
}: {
  search: string;
  groups: PagedList<AdGroup>;
  setSearch: (value: string) => void;
  setAdding: (value: boolean) => void;
  data: CampaignDetail;
  campaign: Loaded<CampaignDetail>;
}): JSX.Element {
  return (
    <Card
      title={t('Ad groups')}
      actions={
        <>
          {(search !== '' || groups.hasMore || groups.items.length > 10) && (
            <input
              type="search"
              aria-label={t('Find a group by name')}
              placeholder={t('Find a group')}
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
          )}
          <button type="button" class="button small" onClick={() => setAdding(true)}>
            {t('Add ad group')}
          </button>
        </>
      }
    >
      <Listed list={groups} empty={<NoGroups search={search} data={data} />}>
        {(list) => (
          <div class="stack">
            {list.map((group) => (
              <AdGroupCard
                key={group.id}
                group={group}
                campaign={data}
                onChange={() => {
                  groups.reload();
                  campaign.reload();
                }}
              />
            ))}
          </div>
        )}
      </Listed>
    </Card>
  );
}

function NoGroups({ search, data }: { search: string; data: CampaignDetail }): JSX.Element {
  return search !== '' ? (
    <Empty title={t('No group matches that name.')} />
  ) : (
    <Empty title={t('No ad groups.')}>
      <p>
        {data.ad_unit_ids.length > 0
          ? t(
              'This campaign uses ad units. Ad groups do more: targeting in plain words, several ads, generated ads.',
            )
          : t('A campaign needs at least one to be shown.')}
      </p>
    </Empty>
  );
}

function SettingsAndForm({
  data,
  edits,
  campaign,
}: {
  data: CampaignDetail;
  edits: CampaignEdits;
  campaign: Loaded<CampaignDetail>;
}): JSX.Element {
  return (
    <div class="grid">
      <CampaignSettings
        campaign={data}
        onBudget={(value) =>
          void edits.change(
            { daily_budget: value },
            t('Budget is {value} a day.', { value: money(value) }),
          )
        }
        onSaved={campaign.reload}
      />
      <LeadFormCard
        form={data.lead_form_config as LeadFormInput | null /* the form as it was handed in */}
        onSave={edits.saveForm}
      />
    </div>
  );
}

function NewGroupDialog({
  id,
  setAdding,
  groups,
}: {
  id: string;
  setAdding: (value: boolean) => void;
  groups: PagedList<AdGroup>;
}): JSX.Element {
  return (
    <EditAdGroup
      campaignId={id}
      group={null}
      onClose={() => setAdding(false)}
      onSaved={() => {
        setAdding(false);
        groups.reload();
      }}
    />
  );
}

interface CampaignEdits {
  review: ReviewQuestion;
  change: (fields: Partial<CampaignDetail>, done: string) => Promise<void>;
  archive: () => void;
  saveForm: (form: LeadFormInput | null) => Promise<boolean>;
}

function useCampaignEdits({
  campaign,
  path,
  say,
  act,
  id,
}: {
  campaign: Loaded<CampaignDetail>;
  path: string;
  say: (message: string, kind?: 'good' | 'bad') => void;
  act: (work: () => Promise<string | undefined>) => Promise<boolean>;
  id: string;
}): CampaignEdits {
  const review = useAskReview();
  /** Shown at once; taken back when the server refuses. */
  const change = async (fields: Partial<CampaignDetail>, done: string): Promise<void> => {
    const before = campaign.data;
    campaign.put((data) => ({ ...data, ...fields }));
    try {
      await call(path, { method: 'PATCH', body: fields });
      say(done);
      campaign.reload();
    } catch (error) {
      if (before !== undefined) campaign.put(() => before);
      say(error instanceof ApiError ? error.message : t('The change was not saved.'), 'bad');
    }
  };
  const archive = (): void =>
    void act(async () =>
      (await call<{ is_archived: boolean }>(`${path}/archive`, { method: 'PATCH' })).is_archived
        ? t('Archived.')
        : t('Restored from the archive.'),
    ).then(campaign.reload);
  const saveForm = async (form: LeadFormInput | null): Promise<boolean> => {
    const body = { lead_form_config: form };
    const asked = await review.ask({ campaign_id: id }, body);
    if (asked === null) return false;
    await call(path, { method: 'PATCH', body: { ...body, ...asked } });
    say(form === null ? t('The form is removed.') : t('The form is saved.'));
    campaign.reload();
    return true;
  };
  return { review, change, archive, saveForm };
}
