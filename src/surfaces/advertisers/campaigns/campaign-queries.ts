import { spentCredit, spentOn } from '../../../platform/budgets/billing-sql.js';
import { announce, announceEachCampaign, channels } from '../../../platform/channels.js';
import type { Db } from '../../../platform/db/db.js';
import type { CampaignColumns } from './read-campaign.js';
import type { CampaignRow } from '../rows.js';
import { setClause } from '../fields/set-clause.js';

const columns = `
  c.id, c.advertiser_id, c.name, c.status, c.is_active, c.is_archived, c.landing_page,
  c.campaign_objective, c.billing_model, c.bid_strategy, c.daily_budget_micros, c.click_goal,
  c.impression_goal, c.conversion_type, c.cpa_trust, c.max_cpc_micros, c.max_cpm_micros,
  c.max_cpa_micros, c.demographics, c.brand_safety, c.frequency_cap, c.utm_params,
  c.allowed_countries, c.allowed_devices, c.custom_favicon_url, c.lead_form_config, c.network,
  c.review_status, c.deployment_status, c.shows_approved, c.review_notes,
  c.submitted_for_review_at, c.reviewed_at, c.start_time, c.end_time, c.created_at, c.updated_at`;

export async function insertCampaign(tx: Db, row: CampaignRow): Promise<void> {
  const { sql, values } = setClause(row, 0);
  const names = Object.keys(row).join(', ');
  await tx.query(
    `insert into campaigns (${names}) values (${sql.map((part) => part.value).join(', ')})`,
    values,
  );
}

/**
 * Held until the transaction ends: edits of one campaign and of what is in it happen one after the
 * other.
 */
export async function lockCampaign(
  tx: Db,
  advertiserId: string,
  id: string,
): Promise<CampaignRow | null> {
  const rows = await tx.query<CampaignRow>(
    `select ${columns} from campaigns c where c.id = $1 and c.advertiser_id = $2 for no key update`,
    [id, advertiserId],
  );
  return rows[0] ?? null;
}

/** Several at once; those that are not the advertiser's are left out. */
export function lockCampaigns(
  tx: Db,
  advertiserId: string,
  ids: readonly string[],
): Promise<CampaignRow[]> {
  return tx.query<CampaignRow>(
    `select ${columns}
     from campaigns c
     where c.id = any($1::uuid[]) and c.advertiser_id = $2
     order by c.id
     for no key update`,
    [ids, advertiserId],
  );
}

/** For the operator and for jobs, who act on any account. */
export async function lockAnyCampaign(tx: Db, id: string): Promise<CampaignRow | null> {
  const rows = await tx.query<CampaignRow>(
    `select ${columns} from campaigns c where c.id = $1 for no key update`,
    [id],
  );
  return rows[0] ?? null;
}

export async function updateCampaign(
  tx: Db,
  id: string,
  changes: CampaignColumns & { updated_at: Date },
): Promise<void> {
  const { sql, values } = setClause(changes, 1);
  await tx.query(
    `update campaigns
     set ${sql.map((part) => `${part.name} = ${part.value}`).join(', ')}, version = version + 1
     where id = $1`,
    [id, ...values],
  );
}

export interface CampaignUpdate {
  id: string;
  changes: CampaignColumns & { updated_at: Date };
}

/** Of several campaigns, one statement for all that change in the same columns. */
export async function updateCampaigns(tx: Db, updates: readonly CampaignUpdate[]): Promise<void> {
  const alike = new Map<string, CampaignUpdate[]>();
  for (const update of updates) {
    const names = Object.keys(update.changes).join();
    alike.set(names, [...(alike.get(names) ?? []), update]);
  }
  for (const some of alike.values()) {
    const names = Object.keys(some[0]?.changes ?? {});
    await tx.query(
      `update campaigns c
       set ${names.map((name) => `${name} = r.${name}`).join(', ')}, version = c.version + 1
       from jsonb_populate_recordset(null::campaigns, $1::jsonb) r
       where c.id = r.id`,
      [JSON.stringify(some.map(({ id, changes }) => ({ id, ...changes })))],
    );
  }
}

/** A daily budget of a campaign or ad group as it was; null: none. */
export interface PastBudget {
  scopeId: string;
  limitMicros: number | null;
}

export async function rememberBudgets(
  tx: Db,
  budgets: readonly PastBudget[],
  now: number,
): Promise<void> {
  await tx.query(
    `insert into past_budgets (scope_id, until, limit_micros)
     select b.scope_id, $2, b.limit_micros
     from unnest($1::uuid[], $3::bigint[]) as b (scope_id, limit_micros)
     on conflict do nothing`,
    [
      budgets.map(({ scopeId }) => scopeId),
      new Date(now),
      budgets.map(({ limitMicros }) => limitMicros),
    ],
  );
}

export interface CampaignStats {
  impressions: number;
  clicks: number;
  spend_micros: number;
  conversions: number;
  value_micros: number;
  spent_today_micros: number;
  paused_for_billing: boolean;
  can_pay: boolean;
  is_blocked: boolean;
  has_ads: boolean;
}

const stats = `
  s.impressions, s.clicks, s.spend_micros, s.conversions, s.value_micros,
  ${spentOn('c.id', '$2::date')} as spent_today_micros, c.paused_for_billing,
  o.status = 'blocked' as is_blocked,
  o.billing_enabled or o.credit_micros > ${spentCredit('c.advertiser_id')} as can_pay,
  exists (select 1 from ads x join ad_groups y on y.id = x.ad_group_id
    where x.campaign_id = c.id and x.status = 'active' and x.review_status = 'approved'
      and y.status = 'active')
  or exists (select 1 from campaign_ad_units l join ad_units u on u.id = l.ad_unit_id
    where l.campaign_id = c.id and u.status <> 'archived' and u.review_status = 'approved')
  or (c.shows_approved and exists (select 1 from approved_versions k
    join ads x on x.id = k.entity_id
    where k.campaign_id = c.id and x.status <> 'paused')) as has_ads`;
const statsJoin = `cross join lateral (
    select coalesce(sum(h.impressions), 0)::bigint as impressions,
      coalesce(sum(h.clicks), 0)::bigint as clicks,
      coalesce(sum(h.spend_micros), 0)::bigint as spend_micros,
           coalesce(sum(h.conversions), 0)::bigint as conversions,
             coalesce(sum(h.value_micros), 0)::bigint as value_micros
    from campaign_hours h where h.advertiser_id = c.advertiser_id and h.campaign_id = c.id) s
  join advertisers o on o.id = c.advertiser_id
`;

export interface CampaignFilter {
  /** The account's own date, for what was spent today. */
  today: string;
  status: string | null;
  reviewStatus: string | null;
  /** Part of the name. */
  search: string | null;
  includeArchived: boolean;
  onlyArchived: boolean;
  before: { at: Date; id: string } | null;
  limit: number | null;
}

/** Newest first. */
export function listCampaigns(
  db: Db,
  advertiserId: string,
  filter: CampaignFilter,
): Promise<(CampaignRow & CampaignStats)[]> {
  return db.query<CampaignRow & CampaignStats>(
    `select ${columns}, ${stats}
     from (
         select *
         from campaigns
         where advertiser_id = $1 and ($3::text is null or status = $3) and ($4 or not is_archived)
           and ($5::timestamptz is null or (created_at, id) < ($5, $6::uuid))
           and ($8::text is null or strpos(lower(name), lower($8)) > 0)
           and ($9::text is null or review_status = $9) and (not $10 or is_archived)
         order by created_at desc, id desc
         limit $7
       ) c ${statsJoin}
     order by c.created_at desc, c.id desc`,
    [
      advertiserId,
      filter.today,
      filter.status,
      filter.includeArchived,
      filter.before?.at ?? null,
      filter.before?.id ?? null,
      filter.limit,
      filter.search,
      filter.reviewStatus,
      filter.onlyArchived,
    ],
  );
}

export async function findCampaign(
  db: Db,
  advertiserId: string,
  id: string,
  today: string,
): Promise<(CampaignRow & CampaignStats) | null> {
  const rows = await db.query<CampaignRow & CampaignStats>(
    `select ${columns}, ${stats}
     from campaigns c ${statsJoin}
     where c.advertiser_id = $1 and c.id = $3`,
    [advertiserId, today, id],
  );
  return rows[0] ?? null;
}

export async function campaignExists(db: Db, advertiserId: string, id: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 as found from campaigns where id = $1 and advertiser_id = $2`,
    [id, advertiserId],
  );
  return rows.length > 0;
}

/** Is the campaign's name shown, for want of any better text? */
export async function showsName(db: Db, campaignId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 as found
     from ads d
     join ad_groups g on g.id = d.ad_group_id
     where d.campaign_id = $1 and d.status <> 'archived' and coalesce(d.copy, '') = ''
       and coalesce(d.description, '') = '' and coalesce(g.context, '') = ''
     union all
     select 1
     from campaign_ad_units l
     join ad_units u on u.id = l.ad_unit_id
     where l.campaign_id = $1 and u.status <> 'archived' and coalesce(u.static_ad_text, '') = ''
       and coalesce(u.description, '') = ''
     limit 1`,
    [campaignId],
  );
  return rows.length > 0;
}

/** Serving on every node hears of it when the transaction commits. */
export async function announceCampaign(tx: Db, campaignId: string): Promise<void> {
  await announce(tx, channels.inventory, { campaignId, adGroupId: null });
}

export async function announceCampaigns(tx: Db, campaignIds: readonly string[]): Promise<void> {
  await tx.query(`select ${announceEachCampaign('id')} from unnest($1::uuid[]) as c (id)`, [
    campaignIds,
  ]);
}

/** Only this group of it changed. */
export async function announceGroup(tx: Db, campaignId: string, groupId: string): Promise<void> {
  await announce(tx, channels.inventory, { campaignId, adGroupId: groupId });
}

/** Stops what runs, and remembers that it ran. */
export async function pauseForBilling(tx: Db, advertiserId: string): Promise<void> {
  await tx.query(
    `with paused as (
         update campaigns
         set status = 'paused', is_active = false, paused_for_billing = true, version = version + 1,
           deployment_status = case when review_status = 'approved' then 'paused'
           else deployment_status end
         where advertiser_id = $1 and status = 'active' and is_active
         returning id
       )
     select ${announceEachCampaign('id')}
     from paused`,
    [advertiserId],
  );
}

/** What was stopped and not touched since runs again. */
export async function resumeAfterBilling(tx: Db, advertiserId: string): Promise<void> {
  await tx.query(
    `with resumed as (
         update campaigns
         set status = case when is_archived or status <> 'paused' then status else 'active' end,
           is_active = is_active or (not is_archived and status = 'paused'),
           paused_for_billing = false, version = version + 1,
           deployment_status = case when review_status = 'approved' and not is_archived
             and status = 'paused' then 'deployed'
           else deployment_status end
         where advertiser_id = $1 and paused_for_billing
         returning id
       )
     select ${announceEachCampaign('id')}
     from resumed`,
    [advertiserId],
  );
}
