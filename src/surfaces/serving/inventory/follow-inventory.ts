import { channels, type InventoryNews } from '../../../platform/channels.js';
import type { ClickModel } from '../../../domain/decision/click-model.js';
import type { Database } from '../../../platform/db/db.js';
import { shownParams } from '../../../domain/utm-params.js';
import { follow } from '../../../platform/follow.js';
import type { Log } from '../../../platform/log.js';
import { groupBy } from './group-by.js';
import { creativeOfAd, type Offer } from './inventory.js';
import { type InventoryListener, LiveOffers } from './live-offers.js';
import { type Changes, planSweep } from './plan-sweep.js';
import {
  type CampaignRow,
  type GroupRow,
  listServableGroups,
  loadAds,
  loadCampaigns,
  loadGroups,
} from '../queries.js';

/**
 * The inventory in memory, following edits of every node: by notification within milliseconds, by a
 * sweep should one be lost.
 */
export interface LiveInventory {
  offer(slot: number): Offer | undefined;
  /** Another one whenever a slot has another offer. */
  readonly version: number;
  readonly size: number;
  campaigns(): Iterable<CampaignRow>;
  campaign(id: string): CampaignRow | undefined;
  groups(): Iterable<GroupRow>;
  /** Where an ad of a live group leads; null when it is not live. */
  landing(ad: {
    campaignId: string;
    adGroupId: string | null;
    adId: string;
  }): { landingPage: string; utmParams: unknown } | null;
  refresh(campaignIds: readonly string[] | null): Promise<void>;
  /** Looks at everything, a little at a time. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Whoever loses the connection looks at everything when it is back; this is for what else may go
 * wrong, and for feedback.
 */
const sweepMs = 5 * 60_000;
/** A burst of edits becomes one load. */
const gatherMs = 20;

export async function followInventory(
  db: Database,
  model: ClickModel,
  listener: InventoryListener,
  log: Log,
): Promise<LiveInventory> {
  const offers = new LiveOffers(model, listener);
  const loading = { db, offers, changed: () => listener.changed() };

  async function sweep(): Promise<void> {
    for (const step of planSweep(await listServableGroups(db), offers.known()))
      await follower.inTurn(() => loadChanges(loading, step));
  }

  const follower = await follow({
    db,
    log,
    what: 'inventory',
    channel: channels.inventory,
    load: () => load(loading, null),
    take: (news) => loadChanges(loading, changesOf(news)),
    gatherMs,
    resyncMs: sweepMs,
    resync: sweep,
  });

  return {
    offer: (slot) => offers.at(slot),
    get version() {
      return offers.version;
    },
    get size() {
      return offers.size;
    },
    campaigns: () => offers.campaigns(),
    groups: () => offers.groups(),
    campaign: (id) => offers.campaign(id),
    landing: (ad) => landingOf(offers, ad),
    refresh: (ids) =>
      ids === null ? follower.refresh() : follower.inTurn(() => load(loading, ids)),
    sweep,
    close: follower.close,
  };
}

interface Loading {
  readonly db: Database;
  readonly offers: LiveOffers;
  /** To be told when something is other than it was. */
  readonly changed: () => void;
}

/** Reads these campaigns, or all of them. */
async function load(loading: Loading, ids: readonly string[] | null): Promise<void> {
  const { db, offers } = loading;
  const [campaigns, groupRows, adRows] = await Promise.all([
    loadCampaigns(db, ids),
    loadGroups(db, ids, null),
    loadAds(db, ids, null),
  ]);
  const groups = groupBy(groupRows, (row) => row.campaignId);
  const ads = groupBy(adRows, (row) => row.campaignId);
  const live = new Set(campaigns.map((campaign) => campaign.id));
  let isNew = false;
  for (const id of ids ?? offers.campaignIds()) if (!live.has(id)) isNew = offers.drop(id) || isNew;
  for (const campaign of campaigns)
    isNew =
      offers.merge(campaign, groups.get(campaign.id) ?? [], ads.get(campaign.id) ?? [], null) ||
      isNew;
  if (isNew) loading.changed();
}

async function loadChanges(loading: Loading, changes: Changes): Promise<void> {
  const whole = [...changes].flatMap(([id, groupIds]) => (groupIds === null ? [id] : []));
  if (whole.length > 0) await load(loading, whole);
  const parts = [...changes].flatMap(([id, groupIds]) =>
    groupIds === null ? [] : [{ id, groupIds }],
  );
  if (parts.length === 0) return;
  const others = await loadParts(loading, parts);
  if (others.length > 0) await load(loading, others);
}

/**
 * Reads these groups of these campaigns. Returns the campaigns that must be read as a whole, since
 * what is said of the campaign is part of each of its offers.
 */
async function loadParts(
  loading: Loading,
  parts: readonly { id: string; groupIds: ReadonlySet<string> }[],
): Promise<string[]> {
  const { db, offers } = loading;
  const ids = parts.map((part) => part.id);
  const groupIds = parts.flatMap((part) => [...part.groupIds]);
  const [campaigns, groups, ads] = await Promise.all([
    loadCampaigns(db, ids),
    loadGroups(db, ids, groupIds),
    loadAds(db, ids, groupIds),
  ]);
  const rows = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const others: string[] = [];
  let isNew = false;
  for (const part of parts) {
    const row = rows.get(part.id);
    if (row === undefined || !offers.isSameRow(row)) {
      others.push(part.id);
      continue;
    }
    const ownGroups = groups.filter((group) => group.campaignId === part.id);
    const ownAds = ads.filter((ad) => ad.campaignId === part.id);
    isNew = offers.merge(row, ownGroups, ownAds, part.groupIds) || isNew;
  }
  if (isNew) loading.changed();
  return others;
}

function landingOf(
  offers: LiveOffers,
  { campaignId, adGroupId, adId }: { campaignId: string; adGroupId: string | null; adId: string },
): { landingPage: string; utmParams: unknown } | null {
  const row = offers.campaign(campaignId);
  const offer = adGroupId === null ? undefined : offers.ofGroup(campaignId, adGroupId);
  const creative = offer === undefined ? undefined : creativeOfAd(offer, adId);
  if (row === undefined || creative === undefined) return null;
  return { landingPage: creative.url, utmParams: shownParams(row.utmParams, row.approvedUtm) };
}

/** What is to be read again, by campaign. */
function changesOf(news: readonly InventoryNews[]): Changes {
  const changes: Changes = new Map();
  for (const { campaignId, adGroupId } of news) {
    const groupIds = changes.get(campaignId);
    changes.set(
      campaignId,
      adGroupId === null || groupIds === null
        ? null
        : (groupIds ?? new Set<string>()).add(adGroupId),
    );
  }
  return changes;
}
