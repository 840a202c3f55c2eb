import { createRandom } from '../../src/domain/decision/seeded-random.js';
import type { EventKind, EventRecord } from '../../src/platform/events/event.js';
import { ingestEvents } from '../../src/platform/events/ingest-events.js';
import { formatUuidV7, uuidDay } from '../../src/domain/uuid.js';
import type { TestApp } from './test-app.js';

export interface Traffic {
  advertiserId: string;
  publisherIds: string[];
  campaignIds: string[];
  /** Campaign of each group. */
  groups: { id: string; campaignId: string; archived: boolean }[];
  /** Linked to the last campaign, which has no group. */
  unitIds: string[];
  /** In a campaign of its own, whose events name no ad. */
  lonelyUnit: { id: string; campaignId: string };
  events: EventRecord[];
}

const hour = 3_600_000;
/** Around the clock changes of North America, Europe and Lord Howe, and a plain day. */
const anchors = [
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-06-15',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
].map((day) => Date.parse(`${day}T00:00:00Z`));

/** An account with random events of every kind, stored through the event log's own statement. */
export async function insertRandomTraffic(
  app: TestApp,
  options: { seed: number; events: number; moreCampaigns?: number },
): Promise<Traffic> {
  const random = createRandom(options.seed);
  // the lists are not empty
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const advertiser = await app.newAdvertiser();
  const publisherIds = [(await app.newPublisher()).id, (await app.newPublisher()).id];
  const inventory = await insertInventory(app, advertiser.id, options.moreCampaigns ?? 0);
  const events: EventRecord[] = [];
  const mint = (at: number): string =>
    formatUuidV7(
      at,
      Uint8Array.from({ length: 16 }, () => Math.floor(random() * 256)),
    );
  for (let index = 0; index < options.events; index += 1) {
    const served =
      pick(anchors) +
      Math.floor((random() * 96 - 48) * 4) * (hour / 4) +
      Math.floor(random() * 900_000);
    const ad = pick(inventory.ads);
    const base = {
      publisherId: pick(publisherIds),
      advertiserId: advertiser.id,
      campaignId: ad.campaignId,
      adGroupId: ad.groupId,
      adId: ad.adId,
      placement: pick(['below_response', 'top_page', null]),
      device: pick(['desktop', 'mobile', 'tablet', null]),
      country: pick(['DE', 'US', 'NP', null]),
      userId: pick(['u1', 'U_2', 'u%3', null]),
      test: random() < 0.05,
    };
    const id = mint(served);
    const add = (kind: EventKind, at: number, more: Partial<EventRecord> = {}): void =>
      void events.push({ ...base, id, kind, at, ...more });
    const spend = Math.floor(random() * 20_000);
    const money = { spendMicros: spend, revenueMicros: Math.floor(spend * 0.7) };
    const fate = random();
    events.push({
      id: mint(served),
      kind: 'request',
      at: served,
      publisherId: base.publisherId,
      placement: base.placement,
      device: base.device,
      country: base.country,
      userId: base.userId,
      test: base.test,
    });
    if (fate < 0.2) continue;
    add('win', served);
    if (fate < 0.3) continue;
    const invalid = random() < 0.1 || base.test;
    const paysViews = random() < 0.3;
    const back = { spendMicros: -money.spendMicros, revenueMicros: -money.revenueMicros };
    add('impression', served + 1000, {
      ...(invalid || paysViews ? {} : money),
      invalid: invalid && !base.test ? 'bot' : null,
    });
    if (random() < 0.5) {
      const isPaid = paysViews && !invalid;
      add('viewable', served + 2000, isPaid ? money : {});
      if (isPaid && random() < 0.2) add('viewable_reversal', served + 2000, back);
      if (random() < 0.7) add('disclosed', served + 2000);
    }
    if (random() < 0.1 && !invalid)
      add('impression_reversal', served + 1000, paysViews ? {} : back);
    if (random() < 0.5)
      add('click', served + Math.floor(random() * 3 * hour), {
        invalid: random() < 0.1 ? 'too_fast' : null,
      });
    if (random() < 0.3) {
      const attribution = pick(['click', 'view'] as const);
      const conversion = {
        id: mint(served + 9 * hour),
        attribution,
        ...(attribution === 'view' ? { adGroupId: null } : {}),
      };
      const value = Math.floor(random() * 90_000_000);
      add('conversion', served + 9 * hour, { ...conversion, valueMicros: value });
      if (random() < 0.2)
        add('conversion_reversal', served + 9 * hour, { ...conversion, valueMicros: -value });
    }
  }
  await app.services.partitions.ensure(new Set(events.map((event) => uuidDay(event.id))));
  for (let from = 0; from < events.length; from += 500) {
    await app.db.transaction((tx) => ingestEvents(tx, events.slice(from, from + 500)));
  }
  return { advertiserId: advertiser.id, publisherIds, ...inventory, events };
}

/** Four campaigns, and more of one group and one ad each. */
async function insertInventory(app: TestApp, advertiserId: string, moreCampaigns: number) {
  const mint = (): string => app.services.mintId(app.clock.now);
  const more = Array.from({ length: moreCampaigns }, mint);
  const campaignIds = [mint(), mint(), mint(), mint(), ...more];
  const [first = '', second = '', units = '', lonely = ''] = campaignIds;
  const groups = [first, first, second, ...more].map((campaignId, index) => ({
    id: mint(),
    campaignId,
    archived: index === 1,
  }));
  const unitIds = [mint(), mint()];
  const lonelyUnit = { id: mint(), campaignId: lonely };
  for (const id of campaignIds)
    await app.db.query(
      `insert into campaigns (id, advertiser_id, name, landing_page, daily_budget_micros)
       values ($1, $2, 'C', 'https://c.example', 1)`,
      [id, advertiserId],
    );
  for (const group of groups)
    await app.db.query(
      `insert into ad_groups (id, campaign_id, advertiser_id, name, status)
       values ($1, $2, $3, '=G "1"', $4)`,
      [group.id, group.campaignId, advertiserId, group.archived ? 'archived' : 'active'],
    );
  for (const id of [...unitIds, lonelyUnit.id])
    await app.db.query(`insert into ad_units (id, advertiser_id, name) values ($1, $2, 'U')`, [
      id,
      advertiserId,
    ]);
  for (const id of unitIds)
    await app.db.query(`insert into campaign_ad_units (campaign_id, ad_unit_id) values ($1, $2)`, [
      units,
      id,
    ]);
  await app.db.query(`insert into campaign_ad_units (campaign_id, ad_unit_id) values ($1, $2)`, [
    lonely,
    lonelyUnit.id,
  ]);
  const ads = [
    ...groups.map((group) => ({ campaignId: group.campaignId, groupId: group.id, adId: mint() })),
    ...unitIds.map((id) => ({ campaignId: units, groupId: null, adId: id })),
    { campaignId: lonely, groupId: null, adId: null },
  ];
  return { campaignIds, groups, unitIds, lonelyUnit, ads };
}

/** Zones at whole, half and quarter hours, with and without clock changes. */
export const zones = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

/** The obvious local date: what the platform's calendar prints. */
export function localDates(tz: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: tz,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at) => format.format(at);
}
