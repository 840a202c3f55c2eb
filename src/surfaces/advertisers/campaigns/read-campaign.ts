import { usualModel } from '../../../domain/billing/billing-models.js';
import { adultFrom, parseAgeRange } from '../../../domain/decision/candidate.js';
import { isUuid } from '../../../domain/uuid.js';
import { createFieldReader, type FieldReader } from '../fields/field-reader.js';
import { readLeadForm } from '../fields/read-lead-form.js';
import type { BrandSafety, CampaignRow, Demographics } from '../rows.js';
import type { BrandSafetyInput, CampaignPatch, DemographicsInput, NewCampaign } from '../schema.js';

/** Which network delivers and how is ours to decide. */
export const serverManaged = ['network_type', 'network_config', 'keywords'] as const;

const genders = new Set(['male', 'female', 'non_binary', 'other', 'unknown']);

/** Columns a body sets. What it does not mention is absent; null clears. */
export type CampaignColumns = Partial<
  Omit<CampaignRow, 'id' | 'advertiser_id' | 'created_at' | 'updated_at'>
>;

export interface CampaignInput {
  reader: FieldReader;
  columns: CampaignColumns;
}

/**
 * Fields that both creation and editing take. The caller adds its own and calls `reader.done()`.
 */
export function readCampaign(body: NewCampaign | CampaignPatch): CampaignInput {
  const reader = createFieldReader(body);
  reader.refuseManaged(body, serverManaged);
  const columns: CampaignColumns = {};
  if (body.name !== undefined) columns.name = body.name.trim();
  if (body.landing_page !== undefined)
    columns.landing_page = reader.url('landing_page', body.landing_page);
  if (body.daily_budget !== undefined)
    columns.daily_budget_micros = reader.money('daily_budget', body.daily_budget);
  if (body.campaign_objective != null) columns.campaign_objective = body.campaign_objective;
  if (body.cpa_trust != null) columns.cpa_trust = body.cpa_trust;
  if (body.max_cpc !== undefined) columns.max_cpc_micros = limitIn(reader, 'max_cpc', body.max_cpc);
  if (body.max_cpm !== undefined) columns.max_cpm_micros = limitIn(reader, 'max_cpm', body.max_cpm);
  if (body.max_cpa !== undefined) columns.max_cpa_micros = limitIn(reader, 'max_cpa', body.max_cpa);
  if (body.start_time !== undefined)
    columns.start_time =
      body.start_time === null ? null : reader.time('start_time', body.start_time);
  if (body.end_time !== undefined)
    columns.end_time = body.end_time === null ? null : reader.time('end_time', body.end_time);
  if (body.allowed_countries !== undefined)
    columns.allowed_countries = reader.countries('allowed_countries', body.allowed_countries ?? []);
  if (body.allowed_devices !== undefined)
    columns.allowed_devices = reader.devices('allowed_devices', body.allowed_devices ?? []);
  if (body.utm_params !== undefined)
    columns.utm_params =
      body.utm_params === null ? null : reader.utm('utm_params', body.utm_params);
  if (body.custom_favicon_url !== undefined)
    columns.custom_favicon_url =
      body.custom_favicon_url === null
        ? null
        : reader.url('custom_favicon_url', body.custom_favicon_url);
  if (body.lead_form_config !== undefined)
    columns.lead_form_config =
      body.lead_form_config === null
        ? null
        : readLeadForm(reader.at('lead_form_config'), body.lead_form_config);
  if (body.brand_safety !== undefined)
    columns.brand_safety =
      body.brand_safety === null
        ? null
        : readBrandSafety(reader.at('brand_safety'), body.brand_safety);
  if (body.frequency_cap !== undefined) {
    refuseUnknown(reader.at('frequency_cap'), body.frequency_cap, frequencyNames);
    columns.frequency_cap = withoutNulls(body.frequency_cap);
  }
  if (body.demographics !== undefined)
    columns.demographics =
      body.demographics === null
        ? null
        : readDemographics(reader.at('demographics'), body.demographics);
  readGoals(body, columns);
  return { reader, columns };
}

function readGoals(body: NewCampaign | CampaignPatch, columns: CampaignColumns): void {
  if (body.bid_strategy != null) columns.bid_strategy = body.bid_strategy;
  if (body.click_goal !== undefined) columns.click_goal = body.click_goal;
  if (body.impression_goal !== undefined) columns.impression_goal = body.impression_goal;
  if (body.conversion_type !== undefined) columns.conversion_type = body.conversion_type;
}

/** Categories were looked up by the route, which knows the categories. */
function readBrandSafety(reader: FieldReader, input: BrandSafetyInput): BrandSafety {
  refuseUnknown(reader, input, safetyNames);
  const { excluded_publishers: publishers } = input;
  if (publishers?.every(isUuid) === false)
    reader.refuse('excluded_publishers', 'Must be ids of publishers', 'publisher');
  return withoutNulls(input) ?? {};
}

function withoutNulls<T extends object>(
  input: T | null,
): { [K in keyof T]?: NonNullable<T[K]> } | null {
  // What is left has the same names and no null.
  return input === null
    ? null
    : (Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) as {
        [K in keyof T]?: NonNullable<T[K]>;
      });
}

/** What creation takes beyond editing: how it is billed, groups and units. */
export function readNewCampaign(body: NewCampaign): CampaignInput {
  const { reader, columns } = readCampaign(body);
  if ((body.ad_groups ?? []).length === 0 && (body.ad_unit_ids ?? []).length === 0)
    reader.refuse(
      'ad_groups',
      'At least one of ad_groups or ad_unit_ids must be non-empty',
      'missing',
    );
  checkDates(reader, columns.start_time ?? null, columns.end_time ?? null);
  return {
    reader,
    columns: {
      ...columns,
      billing_model: body.billing_model ?? usualModel,
    },
  };
}

export function checkDates(reader: FieldReader, start: Date | null, end: Date | null): void {
  if (start !== null && end !== null && end.getTime() <= start.getTime())
    reader.refuse('end_time', 'Must be after start_time', 'order');
}

/** 0 counts as unset. */
export function limitIn(reader: FieldReader, name: string, dollars: number | null): number | null {
  return dollars === null || dollars === 0 ? null : reader.money(name, dollars);
}

/** A range beyond it would match nobody. */
const oldest = 120;
const demographicNames = ['genders', 'age_ranges', 'interests'] as const;
const safetyNames = ['excluded_categories', 'excluded_publishers'] as const;
const frequencyNames = ['per_session', 'per_user_day'] as const;

/** A limit whose name is misspelt would limit nothing, and nobody would notice. */
function refuseUnknown(
  reader: FieldReader,
  input: object | null,
  known: readonly string[],
  type = 'not_accepted',
): void {
  for (const name of Object.keys(input ?? {}))
    if (!known.includes(name)) reader.refuse(name, `Must be ${known.join(', ')}`, type);
}

function readDemographics(reader: FieldReader, input: DemographicsInput): Demographics {
  const read: Demographics = {};
  refuseUnknown(reader, input, demographicNames, 'demographics');
  if (input.genders != null) {
    read.genders = [...new Set(input.genders.map((gender) => gender.trim().toLowerCase()))];
    if (read.genders.some((gender) => !genders.has(gender)))
      reader.refuse('genders', `Must be ${[...genders].join(', ')}`, 'gender');
  }
  if (input.age_ranges != null) {
    read.age_ranges = [...new Set(input.age_ranges.map((range) => range.trim()))];
    const ranges = read.age_ranges.map(parseAgeRange);
    if (ranges.some((range) => (range?.from ?? Infinity) > oldest))
      reader.refuse('age_ranges', 'Must be ranges such as 25-34 or 65+', 'age_range');
    // Nobody would be left to show the campaign to.
    if (ranges.some((range) => (range?.to ?? Infinity) < adultFrom))
      reader.refuse('age_ranges', `Ads are not aimed at people under ${adultFrom}`, 'age_range');
  }
  if (input.interests != null) {
    read.interests = [...new Set(input.interests.map((interest) => interest.trim().toLowerCase()))];
    if (read.interests.includes(''))
      reader.refuse('interests', 'Must not be empty texts', 'interest');
  }
  return read;
}
