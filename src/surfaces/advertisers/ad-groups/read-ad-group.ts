import { isUuid } from '../../../domain/uuid.js';
import type { FieldReader } from '../fields/field-reader.js';
import { limitIn, serverManaged } from '../campaigns/read-campaign.js';
import type { AdGroupRow, AdRow } from '../rows.js';
import type { AdGroupPatch, AdInput, EmbeddedGroup, ListedAd } from '../schema.js';

export type AdGroupColumns = Partial<
  Omit<
    AdGroupRow,
    'id' | 'campaign_id' | 'advertiser_id' | 'sort_order' | 'created_at' | 'updated_at'
  >
>;
export type AdColumns = Partial<
  Pick<
    AdRow,
    'name' | 'headline' | 'copy' | 'cta' | 'description' | 'landing_page' | 'image_url' | 'status'
  >
>;

/**
 * Columns a body sets. What it does not mention is absent; null clears what can be empty.
 */
export function readAdGroup(
  reader: FieldReader,
  body: EmbeddedGroup | AdGroupPatch,
): AdGroupColumns {
  reader.refuseManaged(body, serverManaged);
  const columns: AdGroupColumns = {};
  if (body.name !== undefined) columns.name = body.name.trim();
  // These cannot be empty: null says nothing about them.
  if (body.group_type != null) columns.group_type = body.group_type;
  if (body.status != null) columns.status = body.status;
  if (body.context !== undefined) columns.context = body.context;
  if (body.negative_context !== undefined) columns.negative_context = body.negative_context;
  if (body.ad_prompt !== undefined) columns.ad_prompt = body.ad_prompt;
  if (body.brand_name !== undefined)
    columns.brand_name = body.brand_name === null ? null : readBrand(reader, body.brand_name);
  if (body.landing_page !== undefined)
    columns.landing_page =
      body.landing_page === null ? null : reader.url('landing_page', body.landing_page);
  if (body.daily_budget !== undefined)
    columns.daily_budget_micros = limitIn(reader, 'daily_budget', body.daily_budget);
  if (body.auto_optimize_budget != null) columns.auto_optimize_budget = body.auto_optimize_budget;
  if (body.min_daily_budget !== undefined)
    columns.min_daily_budget_micros = limitIn(reader, 'min_daily_budget', body.min_daily_budget);
  if (body.max_daily_budget !== undefined)
    columns.max_daily_budget_micros = limitIn(reader, 'max_daily_budget', body.max_daily_budget);
  if (body.max_cpc !== undefined) columns.max_cpc_micros = limitIn(reader, 'max_cpc', body.max_cpc);
  if (body.allowed_countries !== undefined)
    columns.allowed_countries = reader.countries('allowed_countries', body.allowed_countries ?? []);
  if (body.allowed_devices !== undefined)
    columns.allowed_devices = reader.devices('allowed_devices', body.allowed_devices ?? []);
  return columns;
}

/** Rules between fields of the group as it will be. */
export function checkGroup(
  reader: FieldReader,
  group: Pick<AdGroupRow, 'group_type' | 'min_daily_budget_micros' | 'max_daily_budget_micros'>,
  ads: readonly ListedAd[] | null | undefined,
): void {
  const { min_daily_budget_micros: least, max_daily_budget_micros: most } = group;
  if (least !== null && most !== null && least > most)
    reader.refuse('max_daily_budget', 'Must not be below min_daily_budget', 'order');
  if (group.group_type === 'generative' && (ads ?? []).length > 0)
    reader.refuse('ads', 'A generative group writes its own ads', 'not_accepted');
}

export function readAd(reader: FieldReader, body: AdInput): AdColumns {
  const columns: AdColumns = {};
  if (body.name != null) columns.name = body.name.trim();
  if (body.headline !== undefined) columns.headline = body.headline;
  if (body.copy !== undefined) columns.copy = body.copy;
  if (body.cta !== undefined) columns.cta = body.cta;
  if (body.description !== undefined) columns.description = body.description;
  if (body.landing_page !== undefined)
    columns.landing_page =
      body.landing_page === null ? null : reader.url('landing_page', body.landing_page);
  if (body.image_url !== undefined)
    columns.image_url = body.image_url === null ? null : reader.url('image_url', body.image_url);
  if (body.status != null) columns.status = body.status;
  return columns;
}

const recordNames =
  'acc(?:oun)?t|advertiser|user|client|customer|org(?:anization)?|campaign|ad ?group';
/** What a system calls a record of its own: `account 12`, `user_id: 7`. */
const numbered = new RegExp(String.raw`^(?:${recordNames})[\s_#:.-]*(?:id[\s_#:.-]*)?\d+$`, 'i');

/**
 * A brand is what the public calls the product or company, not what a system calls an account or a
 * person.
 */
function readBrand(reader: FieldReader, brand: string): string {
  const text = brand.trim();
  const isLabel = /^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(text) || isUuid(text) || numbered.test(text);
  if (isLabel)
    reader.refuse(
      'brand_name',
      'Must name the product or company, not an account or a person',
      'brand_name',
    );
  return text;
}
