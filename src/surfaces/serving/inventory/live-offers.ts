import { createHash } from 'node:crypto';
import type { ClickModel } from '../../../domain/decision/click-model.js';
import type { AdRow, CampaignRow, GroupRow } from '../queries.js';
import { groupBy } from './group-by.js';
import { buildOffers, type Offer, unitsKey } from './inventory.js';

export interface InventoryListener {
  /** New, or its text changed: it must be indexed. */
  added(slot: number, offer: Offer): void;
  /** Same text, other settings. */
  updated(slot: number, offer: Offer): void;
  removed(slot: number): void;
  changed(): void;
}

/**
 * A campaign as it was last read. Groups are compared one by one: an edit of one of ten thousand
 * touches one.
 */
interface Known {
  row: CampaignRow;
  rowPrint: string;
  offers: Map<string, { slot: number; print: string }>;
}

/** Offers by slot, and by the campaigns they were made of. */
export class LiveOffers {
  /** Another one whenever a slot has another offer. */
  version = 0;
  private readonly model: ClickModel;
  private readonly listener: InventoryListener;
  private readonly slots: (Offer | undefined)[] = [];
  private readonly free: number[] = [];
  private readonly byCampaign = new Map<string, Known>();

  constructor(model: ClickModel, listener: InventoryListener) {
    this.model = model;
    this.listener = listener;
  }

  get size(): number {
    return this.slots.length - this.free.length;
  }

  at(slot: number): Offer | undefined {
    return this.slots[slot];
  }

  ofGroup(campaignId: string, adGroupId: string): Offer | undefined {
    const slot = this.byCampaign.get(campaignId)?.offers.get(adGroupId)?.slot;
    return slot === undefined ? undefined : this.slots[slot];
  }

  campaign(id: string): CampaignRow | undefined {
    return this.byCampaign.get(id)?.row;
  }

  campaignIds(): string[] {
    return [...this.byCampaign.keys()];
  }

  *campaigns(): Iterable<CampaignRow> {
    for (const entry of this.byCampaign.values()) yield entry.row;
  }

  *groups(): Iterable<GroupRow> {
    for (const offer of this.slots)
      if (offer !== undefined && offer.group !== null) yield offer.group;
  }

  /** The groups of each campaign; null where units of the account are among its ads. */
  known(): Map<string, Iterable<string> | null> {
    return new Map(
      [...this.byCampaign].map(
        ([id, { offers }]) => [id, offers.has(unitsKey(id)) ? null : offers.keys()] as const,
      ),
    );
  }

  /** Whether the campaign itself, its groups and ads aside, is as it was last read. */
  isSameRow(campaign: CampaignRow): boolean {
    return this.byCampaign.get(campaign.id)?.rowPrint === printOf(campaign);
  }

  /**
   * Old and new are swapped in one turn of the event loop: no request sees a gap. What did not
   * change is left alone; true when something did.
   */
  merge(
    campaign: CampaignRow,
    groups: readonly GroupRow[],
    ads: readonly AdRow[],
    only: ReadonlySet<string> | null,
  ): boolean {
    const known = this.byCampaign.get(campaign.id);
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
      this.clear(slot);
      offers.delete(key);
      isNew = true;
    }
    for (const [key, own] of adsOf) {
      const group = groupOf.get(key);
      const print = printOf([group, own]);
      if (!isHere(key) || (isSameRow && offers.get(key)?.print === print)) continue;
      isNew = true;
      for (const offer of buildOffers(row, group === undefined ? [] : [group], own, this.model))
        offers.set(key, { slot: this.put(offers.get(key)?.slot, offer), print });
    }
    this.byCampaign.set(campaign.id, { row, rowPrint, offers });
    return isNew;
  }

  /** Only what reads differently is indexed again. */
  private put(slot: number | undefined, offer: Offer): number {
    this.version += 1;
    const before = slot === undefined ? undefined : this.slots[slot];
    if (slot === undefined || before === undefined) return this.place(offer);
    this.slots[slot] = offer;
    if (isSameText(before, offer)) this.listener.updated(slot, offer);
    else this.listener.added(slot, offer);
    return slot;
  }

  private place(offer: Offer): number {
    const slot = this.free.pop() ?? this.slots.length;
    this.slots[slot] = offer;
    this.listener.added(slot, offer);
    return slot;
  }

  drop(campaignId: string): boolean {
    for (const { slot } of this.byCampaign.get(campaignId)?.offers.values() ?? []) this.clear(slot);
    return this.byCampaign.delete(campaignId);
  }

  private clear(slot: number): void {
    this.version += 1;
    this.slots[slot] = undefined;
    this.listener.removed(slot);
    this.free.push(slot);
  }
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
