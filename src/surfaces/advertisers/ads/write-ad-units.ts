import { isUuid } from '../../../domain/uuid.js';
import { AppError, fieldError } from '../../../platform/errors.js';
import {
  campaignsOfUnit,
  findAdUnits,
  insertAdUnit,
  linkedUnitIds,
  linkUnits,
  lockAdUnit,
  setUnitStatus,
  unlinkUnits,
} from './ad-unit-queries.js';
import { createFieldReader } from '../fields/field-reader.js';
import type { AdUnitRow, CampaignRow } from '../rows.js';
import type { NewAdUnit } from '../schema.js';
import { audit, syncCampaign, tellServing, type Write } from '../write.js';
import { lockOwn, resubmit } from './write-ads.js';

const serverManaged = [
  'ad_text_mode',
  'source',
  'status',
  'review_status',
  'review_reason',
  'metadata',
  'generate_static_text',
] as const;

export async function createAdUnit(write: Write, body: NewAdUnit): Promise<AdUnitRow> {
  const reader = createFieldReader(body);
  reader.refuseManaged(body, serverManaged);
  const url = (name: 'landing_page' | 'favicon_url' | 'image_url'): string | null => {
    const value = body[name];
    return value == null ? null : reader.url(name, value);
  };
  const utm = body.utm_params == null ? [] : reader.utm('utm_params', body.utm_params);
  const at = new Date(write.now);
  const unit: AdUnitRow = {
    id: write.mintId(write.now),
    advertiser_id: write.advertiserId,
    name: body.name.trim(),
    headline: body.headline ?? null,
    description: body.description ?? null,
    landing_page: url('landing_page'),
    static_ad_text: body.static_ad_text ?? null,
    static_cta: body.static_cta ?? null,
    favicon_url: url('favicon_url'),
    image_url: url('image_url'),
    brand_name: body.brand_name ?? null,
    source: 'manual',
    status: 'draft',
    review_status: 'not_submitted',
    review_reason: null,
    utm_params: Array.isArray(utm)
      ? utm
      : Object.entries(utm).map(([key, value]) => ({ key, value })),
    created_at: at,
    updated_at: at,
  };
  reader.done();
  await insertAdUnit(write.tx, unit);
  await audit(write, 'create', 'ad_unit', unit.id, null, unit);
  return unit;
}

/** Links of a campaign that is just being made; it is handed in afterwards. */
export async function linkNew(
  write: Write,
  campaign: CampaignRow,
  unitIds: readonly string[],
): Promise<string[]> {
  const units = await ownUnits(write, unitIds);
  if (units.length > 0)
    await linkUnits(
      write.tx,
      campaign.id,
      units.map((unit) => unit.id),
      new Date(write.now),
    );
  return units.map((unit) => unit.id);
}

/**
 * Adds to the linked set, or replaces it. Units nobody has judged send a judged campaign back to
 * review.
 */
export async function linkAdUnits(
  write: Write,
  campaignId: string,
  unitIds: readonly string[],
  mode: 'add' | 'replace',
): Promise<string[]> {
  const { tx } = write;
  const campaign = await lockOwn(write, campaignId);
  const units = await ownUnits(write, unitIds);
  const ids = units.map((unit) => unit.id);
  const before = await linkedUnitIds(tx, campaign.id);
  const fresh = units.filter((unit) => !before.includes(unit.id));
  if (mode === 'replace') await unlinkUnits(tx, campaign.id, ids);
  if (ids.length > 0) await linkUnits(tx, campaign.id, ids, new Date(write.now));
  const after = await linkedUnitIds(tx, campaign.id);
  if (after.join() === before.join()) return after;
  await audit(
    write,
    mode === 'add' ? 'link_ad_units' : 'replace_ad_units',
    'campaign',
    campaign.id,
    { ad_unit_ids: before },
    { ad_unit_ids: after },
  );
  if (fresh.some((unit) => unit.review_status !== 'approved'))
    await resubmit(write, campaign, null);
  else await tellServing(write, campaign.id);
  await syncCampaign(write, campaign.id);
  return after;
}

export async function toggleUnitArchive(write: Write, unitId: string): Promise<AdUnitRow> {
  const unit = await lockAdUnit(write.tx, write.advertiserId, unitId);
  if (unit === null) throw new AppError('not_found');
  const status = unit.status === 'archived' ? 'draft' : 'archived';
  await setUnitStatus(write.tx, unit.id, status, new Date(write.now));
  await audit(
    write,
    status === 'archived' ? 'archive' : 'unarchive',
    'ad_unit',
    unit.id,
    { status: unit.status },
    { status },
  );
  for (const campaignId of await campaignsOfUnit(write.tx, unit.id))
    await tellServing(write, campaignId);
  return { ...unit, status };
}

/** In the order asked for, each once. One that is not the caller's is as good as missing. */
async function ownUnits(write: Write, unitIds: readonly string[]): Promise<AdUnitRow[]> {
  const wanted = [...new Set(unitIds.map((id) => id.toLowerCase()))];
  if (!wanted.every(isUuid)) throw new AppError('not_found');
  const found = new Map(
    (await findAdUnits(write.tx, write.advertiserId, wanted)).map((unit) => [unit.id, unit]),
  );
  return wanted.map((id) => {
    const unit = found.get(id);
    if (unit === undefined) throw new AppError('not_found');
    if (unit.status === 'archived')
      throw fieldError(['body', 'ad_unit_ids'], 'An archived ad unit cannot be linked', 'archived');
    return unit;
  });
}
