import type { ClickModel } from '../../domain/decision/click-model.js';
import type { Database } from '../../platform/db/db.js';
import { errorFields, type Log } from '../../platform/log.js';
import { buildOffers, type Offer } from './inventory.js';
import { type CampaignRow, type GroupRow, inventoryChannel, loadAds, loadCampaigns, loadGroups } from './queries.js';

/** The inventory in memory, following edits of every node: by notification within milliseconds, by a sweep should one be lost. */
export interface LiveInventory {
  offer(slot: number): Offer | undefined;
  readonly size: number;
  campaigns(): Iterable<CampaignRow>;
  campaign(id: string): CampaignRow | undefined;
  groups(): Iterable<GroupRow>;
  /** Where an ad of a live group leads; null when it is not live. */
  landing(ad: { campaignId: string; adGroupId: string | null; adId: string }): { landingPage: string; utmParams: unknown } | null;
  refresh(campaignIds: readonly string[] | null): Promise<void>;
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

const coalesceMs = 20;
const sweepMs = 30_000;

export async function followInventory(db: Database, model: ClickModel, listener: InventoryListener, log: Log): Promise<LiveInventory> {
  const slots: (Offer | undefined)[] = [];
  const free: number[] = [];
  const byCampaign = new Map<string, { row: CampaignRow; slots: Map<string, number>; fingerprint: string }>();
  let waiting: Set<string> | 'all' | null = null;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let closed = false;

  async function load(ids: readonly string[] | null): Promise<void> {
    const [campaigns, groupRows, adRows] = await Promise.all([loadCampaigns(db, ids), loadGroups(db, ids), loadAds(db, ids)]);
    const groups = groupBy(groupRows, (row) => row.campaignId);
    const ads = groupBy(adRows, (row) => row.campaignId);
    const live = new Set(campaigns.map((campaign) => campaign.id));
    for (const id of ids ?? [...byCampaign.keys()]) if (!live.has(id)) drop(id);
    for (const campaign of campaigns) {
      const parts = [campaign, groups.get(campaign.id) ?? [], ads.get(campaign.id) ?? []] as const;
      const fingerprint = JSON.stringify(parts);
      if (byCampaign.get(campaign.id)?.fingerprint === fingerprint) continue;
      byCampaign.set(campaign.id, { row: campaign, slots: swap(byCampaign.get(campaign.id)?.slots ?? new Map(), buildOffers(...parts, model)), fingerprint });
    }
    listener.changed();
  }

  /** Old and new are swapped in one turn of the event loop: no request sees a gap. Only what reads differently is indexed again. */
  function swap(old: ReadonlyMap<string, number>, offers: readonly Offer[]): Map<string, number> {
    const taken = new Map<string, number>();
    for (const offer of offers) {
      const slot = old.get(offer.key);
      const before = slot === undefined ? undefined : slots[slot];
      if (slot === undefined || before === undefined) {
        taken.set(offer.key, place(offer));
        continue;
      }
      slots[slot] = offer;
      taken.set(offer.key, slot);
      if (isSameText(before, offer)) listener.updated(slot, offer);
      else listener.added(slot, offer);
    }
    for (const [key, slot] of old) if (!taken.has(key)) clear(slot);
    return taken;
  }

  function place(offer: Offer): number {
    const slot = free.pop() ?? slots.length;
    slots[slot] = offer;
    listener.added(slot, offer);
    return slot;
  }

  function drop(campaignId: string): void {
    for (const slot of byCampaign.get(campaignId)?.slots.values() ?? []) clear(slot);
    byCampaign.delete(campaignId);
  }

  function clear(slot: number): void {
    slots[slot] = undefined;
    listener.removed(slot);
    free.push(slot);
  }

  function refresh(ids: readonly string[] | null): Promise<void> {
    const next = running.then(() => load(ids));
    running = next.catch((error: unknown) => log.warn(errorFields(error), 'inventory not refreshed'));
    return next;
  }

  /** A burst of edits becomes one load. */
  function soon(campaignId: string): void {
    if (campaignId === '') waiting = 'all';
    else if (waiting !== 'all') waiting = (waiting ?? new Set<string>()).add(campaignId);
    timer ??= setTimeout(() => {
      const ids = waiting;
      waiting = null;
      timer = null;
      if (ids !== null && !closed) void refresh(ids === 'all' ? null : [...ids]).catch(() => undefined);
    }, coalesceMs);
  }

  await load(null);
  const stopListening = await db.listen(inventoryChannel, soon);
  const sweep = setInterval(() => soon(''), sweepMs);
  sweep.unref();

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
      const slot = adGroupId === null ? undefined : entry?.slots.get(adGroupId);
      const creative = slot === undefined ? undefined : slots[slot]?.creatives.get(adId);
      return entry === undefined || creative === undefined ? null : { landingPage: creative.url, utmParams: entry.row.utmParams };
    },
    refresh,
    async close() {
      closed = true;
      clearInterval(sweep);
      if (timer !== null) clearTimeout(timer);
      await stopListening();
      await running;
    },
  };
}

function isSameText(one: Offer, other: Offer): boolean {
  return one.text.context === other.text.context && one.text.brand === other.text.brand && one.text.adText === other.text.adText && one.text.landingTerms === other.text.landingTerms && one.text.negativeContext === other.text.negativeContext;
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
