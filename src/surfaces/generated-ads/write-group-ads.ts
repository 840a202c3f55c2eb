import { createHash } from 'node:crypto';
import { cleanText, wordsKey } from '../../domain/ad-writing/clean-text.js';
import { type AdBrief, composeAds, type ComposedAd } from '../../domain/ad-writing/compose-ads.js';
import type { PageFacts } from '../../domain/ad-writing/page-facts.js';
import { hostOf } from '../../domain/review/creative.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { MintId } from '../../platform/ids.js';
import {
  archiveAds,
  findWriting,
  type GeneratedAdRow,
  type GroupRow,
  insertGeneratedAds,
  listGeneratedAds,
  lockGroup,
  markSuperseded,
  saveWriting,
} from './queries.js';

export const adsPerGroup = 4;

export interface WriteDeps {
  clock: Clock;
  mintId: MintId;
  /** Judges what was written, takes off the air what an approved ad replaces, and tells serving. */
  review: (tx: Db, group: Pick<GroupRow, 'id' | 'campaignId'>) => Promise<void>;
}

/**
 * First ads of a group, from its brief alone: no network, so that they serve at once. Safe to
 * repeat: ads written from the same brief stay. False when the group writes no ads.
 */
export async function writeGroupAds(deps: WriteDeps, tx: Db, groupId: string): Promise<boolean> {
  const group = await lockGroup(tx, groupId);
  if (!writesAds(group)) return false;
  const known = await findWriting(tx, groupId);
  const hash = hashBrief(group);
  const live = liveOf(await listGeneratedAds(tx, groupId));
  if (known?.briefHash === hash && live.length > 0) return true;
  // A page read before is still the best there is to write from.
  const page = known !== null && known.pageUrl === group.landingPage ? known.page : null;
  await replaceAds(deps, tx, group, composeAds(briefOf(group), page, { count: adsPerGroup }), page);
  await saveWriting(
    tx,
    groupId,
    { briefHash: hash, pageUrl: page === null ? null : group.landingPage, page },
    new Date(deps.clock()),
  );
  return true;
}

export function writesAds(group: GroupRow | null): group is GroupRow {
  return group !== null && group.groupType === 'generative' && group.status !== 'archived';
}

/**
 * The ads become exactly these, judged: what is there already stays with its results, the rest
 * goes. Approved ads of before stay on the air until one of these is approved.
 */
export async function replaceAds(
  deps: WriteDeps,
  tx: Db,
  group: GroupRow,
  wanted: readonly ComposedAd[],
  page: PageFacts | null,
): Promise<void> {
  const before = liveOf(await listGeneratedAds(tx, group.id));
  const texts = new Set(wanted.map(textKey));
  const old = before.filter((ad) => !texts.has(textKey(ad)));
  const known = new Set(before.map(textKey));
  await addAds(
    deps,
    tx,
    group,
    wanted.filter((ad) => !known.has(textKey(ad))),
    page,
  );
  await archiveAds(
    tx,
    old.filter((ad) => ad.reviewStatus !== 'approved').map((ad) => ad.id),
    new Date(deps.clock()),
  );
  await markSuperseded(
    tx,
    group.id,
    old.map((ad) => ad.id),
  );
  await deps.review(tx, group);
}

export async function addAds(
  deps: WriteDeps,
  tx: Db,
  group: GroupRow,
  ads: readonly ComposedAd[],
  page: PageFacts | null,
): Promise<void> {
  if (ads.length === 0) return;
  const rows = ads.map(({ headline, copy, cta, way }) => ({
    id: deps.mintId(deps.clock()),
    headline,
    copy,
    cta,
    way,
    imageUrl: page?.imageUrl ?? null,
  }));
  await insertGeneratedAds(tx, group, rows, new Date(deps.clock()));
}

export function liveOf(ads: readonly GeneratedAdRow[]): GeneratedAdRow[] {
  return ads.filter((ad) => ad.status !== 'archived');
}

export function briefOf(group: GroupRow): AdBrief {
  const host = hostOf(group.landingPage);
  return {
    brand: cleanText(group.brandName ?? '') || host,
    host,
    context: group.context ?? '',
    prompt: group.adPrompt ?? '',
  };
}

/** Changes exactly when ads must be written anew. */
export function hashBrief(group: GroupRow): string {
  return createHash('sha256')
    .update(JSON.stringify([group.context, group.adPrompt, group.brandName, group.landingPage]))
    .digest('hex')
    .slice(0, 32);
}

function textKey(ad: Pick<ComposedAd, 'headline' | 'copy' | 'cta'>): string {
  return [ad.headline, ad.copy, ad.cta].map(wordsKey).join('\n');
}
