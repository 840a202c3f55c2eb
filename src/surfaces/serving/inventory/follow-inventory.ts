import { channels, type InventoryNews } from '../../../platform/channels.js';
import { createHash } from 'node:crypto';
import type { ClickModel } from '../../../domain/decision/click-model.js';
import type { Database } from '../../../platform/db/db.js';
import { shownParams } from '../../../domain/utm-params.js';
import { follow } from '../../../platform/follow.js';
import type { Log } from '../../../platform/log.js';
import { groupBy } from './group-by.js';
import { buildOffers, creativeOfAd, type Offer, unitsKey } from './inventory.js';
import { type Changes, planSweep } from './plan-sweep.js';
import {
  type AdRow,
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

export interface InventoryListener {
  /** New, or its text changed: it must be indexed. */
  added(slot: number, offer: Offer): void;
  /** Same text, other settings. */
  updated(slot: number, offer: Offer): void;
  removed(slot: number): void;
  changed(): void;
}

/**
 * Whoever loses the connection looks at everything when it is back; this is for what else may go
 * wrong, and for feedback.
 */
const sweepMs = 5 * 60_000;
/** A burst of edits becomes one load. */
const gatherMs = 20;

/**
 * A campaign as it was last read. Groups are compared one by one: an edit of one of ten thousand
 * touches one.
 */
interface Known {
  row: CampaignRow;
  rowPrint: string;
  offers: Map<string, { slot: number; print: string }>;
}

export async function followInventory(
  db: Database,
  model: ClickModel,
  listener: InventoryListener,
  log: Log,
): Promise<LiveInventory> {
  const slots: (Offer | undefined)[] = [];
  const free: number[] = [];
  const byCampaign = new Map<string, Known>();

  async function load(ids: readonly string[] | null): Promise<void> {
    const [campaigns, groupRows, adRows] = await Promise.all([
      loadCampaigns(db, ids),
      loadGroups(db, ids, null),
      loadAds(db, ids, null),
    ]);
    const groups = groupBy(groupRows, (row) => row.campaignId);
    const ads = groupBy(adRows, (row) => row.campaignId);
    const live = new Set(campaigns.map((campaign) => campaign.id));
    let isNew = false;
    for (const id of ids ?? [...byCampaign.keys()]) if (!live.has(id)) isNew = drop(id) || isNew;
    for (const campaign of campaigns)
      isNew =
        merge(campaign, groups.get(campaign.id) ?? [], ads.get(campaign.id) ?? [], null) || isNew;
    if (isNew) listener.changed();
  }

  async function loadChanges(changes: Changes): Promise<void> {
    const whole = [...changes].flatMap(([id, groupIds]) => (groupIds === null ? [id] : []));
    if (whole.length > 0) await load(whole);
    const parts = [...changes].flatMap(([id, groupIds]) =>
      groupIds === null ? [] : [{ id, groupIds }],
    );
    if (parts.length === 0) return;
    const [ids, groupIds] = [
      parts.map((part) => part.id),
      parts.flatMap((part) => [...part.groupIds]),
    ];
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
      // What is said of the campaign is part of each of its offers.
      if (row === undefined || byCampaign.get(part.id)?.rowPrint !== printOf(row))
        others.push(part.id);
      else
        isNew =
          merge(
            row,
            groups.filter((group) => group.campaignId === part.id),
            ads.filter((ad) => ad.campaignId === part.id),
            part.groupIds,
          ) || isNew;
    }
    if (isNew) listener.changed();
    if (others.length > 0) await load(others);
  }

  /**
   * Old and new are swapped in one turn of the event loop: no request sees a gap. What did not
   * change is left alone; true when something did.
   */
  function merge(
    campaign: CampaignRow,
    groups: readonly GroupRow[],
    ads: readonly AdRow[],
    only: ReadonlySet<string> | null,
  ): boolean {
    const known = byCampaign.get(campaign.id);
    const rowPrint = printOf(campaign);
    const isSameRow = known?.rowPrint === rowPrint;
    let isNew = !isSameRow;
    const row = isSameRow ? known.row : campaign;
    const offers: Known['offers'] = known?.offers ?? new Map();
    const adsOf = groupBy(ads, (ad) => ad.groupId ?? unitsKey(campaign.id));
    const groupOf = new Map(groups.map((group) => [group.id, group]));
    const isHere = (key: string): boolean =>
      adsOf.has(key) && (groupOf.has(key) || key === unitsKey(campaign.id));
    for (const [key, { slot }] of offers) {
      if ((only !== null && !only.has(key)) || isHere(key)) continue;
      clear(slot);
      offers.delete(key);
      isNew = true;
    }
    for (const [key, own] of adsOf) {
      const group = groupOf.get(key);
      const print = printOf([group, own]);
      if (!isHere(key) || (isSameRow && offers.get(key)?.print === print)) continue;
      isNew = true;
      for (const offer of buildOffers(row, group === undefined ? [] : [group], own, model))
        offers.set(key, { slot: put(offers.get(key)?.slot, offer), print });
    }
    byCampaign.set(campaign.id, { row, rowPrint, offers });
    return isNew;
  }

  /** Only what reads differently is indexed again. */
  function put(slot: number | undefined, offer: Offer): number {
    const before = slot === undefined ? undefined : slots[slot];
    if (slot === undefined || before === undefined) return place(offer);
    slots[slot] = offer;
    if (isSameText(before, offer)) listener.updated(slot, offer);
    else listener.added(slot, offer);
    return slot;
  }

  function place(offer: Offer): number {
    const slot = free.pop() ?? slots.length;
    slots[slot] = offer;
    listener.added(slot, offer);
    return slot;
  }

  function drop(campaignId: string): boolean {
    for (const { slot } of byCampaign.get(campaignId)?.offers.values() ?? []) clear(slot);
    return byCampaign.delete(campaignId);
  }

  function clear(slot: number): void {
    slots[slot] = undefined;
    listener.removed(slot);
    free.push(slot);
  }

  async function sweep(): Promise<void> {
    const known = new Map(
      [...byCampaign].map(
        ([id, { offers }]) => [id, offers.has(unitsKey(id)) ? null : offers.keys()] as const,
      ),
    );
    for (const step of planSweep(await listServableGroups(db), known))
      await follower.inTurn(() => loadChanges(step));
  }

  const follower = await follow({
    db,
    log,
    what: 'inventory',
    channel: channels.inventory,
    load: () => load(null),
    take: (news) => loadChanges(changesOf(news)),
    gatherMs,
    resyncMs: sweepMs,
    resync: sweep,
  });

  return {
    offer: (slot) => slots[slot],
    get size() {
      return slots.length - free.length;
    },
    *campaigns() {
      for (const entry of byCampaign.values()) yield entry.row;
    },
    *groups() {
      for (const offer of slots) if (offer !== undefined && offer.group !== null) yield offer.group;
    },
    campaign: (id) => byCampaign.get(id)?.row,
    landing({ campaignId, adGroupId, adId }) {
      const entry = byCampaign.get(campaignId);
      const slot = adGroupId === null ? undefined : entry?.offers.get(adGroupId)?.slot;
      const offer = slot === undefined ? undefined : slots[slot];
      const creative = offer === undefined ? undefined : creativeOfAd(offer, adId);
      return entry === undefined || creative === undefined
        ? null
        : {
            landingPage: creative.url,
            utmParams: shownParams(entry.row.utmParams, entry.row.approvedUtm),
          };
    },
    refresh: (ids) => (ids === null ? follower.refresh() : follower.inTurn(() => load(ids))),
    sweep,
    close: follower.close,
  };
}

/**
 * Rows that are the same have the same one. It is kept for each group, and the rows as text would
 * be a third of what a group takes.
 */
function printOf(rows: unknown): string {
  return createHash('sha256').update(JSON.stringify(rows)).digest('base64');
}

function isSameText(one: Offer, other: Offer): boolean {
  return (
    one.text.context === other.text.context &&
    one.text.brand === other.text.brand &&
    one.text.adText === other.text.adText &&
    one.text.landingTerms === other.text.landingTerms &&
    one.text.negativeContext === other.text.negativeContext
  );
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
