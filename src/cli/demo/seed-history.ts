import type { App } from '../../app.js';
import { createRandom } from '../../domain/decision/seeded-random.js';
import { splitRevenue } from '../../domain/money.js';
import type { Db } from '../../platform/db/db.js';
import { eventFacts } from '../../platform/events/event-facts.js';
import type { EventRecord } from '../../platform/events/event.js';
import type { DemoCampaign } from './demo-campaigns.js';
import { campaignName } from './seed-campaigns.js';
import { dayMs, utcDay, utcMidnight } from '../../domain/time/utc-day.js';

const days = 30;
const requestsADay = 150;
/** Days appended together: large batches cost a fraction of small ones. */
const daysABatch = 10;
const placements = [
  'below_response',
  'below_response',
  'below_response',
  'inline_response',
  'right_response',
  'search_result',
] as const;
const devices = ['desktop', 'desktop', 'mobile', 'mobile', 'mobile', 'tablet'] as const;
const countries = [
  'US',
  'US',
  'US',
  'US',
  'GB',
  'GB',
  'DE',
  'DE',
  'FR',
  'CA',
  'AU',
  'IN',
  'NL',
  'ES',
  'BR',
  'JP',
] as const;

interface DemoAd {
  adId: string;
  adGroupId: string;
  campaignId: string;
  advertiserId: string;
  maxCpmMicros: number;
  /** The name of its campaign. */
  campaign: string;
}

/**
 * Thirty days of traffic before today, through the event log like any other. Same seed, same shape.
 * Days that a start that was cut off had finished are left alone.
 */
export async function seedHistory(
  { services }: Pick<App, 'services'>,
  publisherId: string,
  campaigns: readonly DemoCampaign[],
): Promise<void> {
  const { db, eventLog, mintId, clock, node, pseudonyms } = services;
  const ads = await listDemoAds(db);
  const random = createRandom(20_261_115);
  const fits = createRandom(20_261_116);
  const talk = createRandom(20_261_117);
  const topics = new Map(campaigns.map((one) => [campaignName(one), one.topics]));
  const topicOf = (campaign: string): string => drawTopic(topics.get(campaign) ?? [], talk);
  const today = utcMidnight(clock());
  const known = await knownDays(db, publisherId);
  let served: EventRecord[] = [];
  let beacons: EventRecord[] = [];
  for (let day = days; day >= 1; day -= 1) {
    const start = today - day * dayMs;
    const isNew = !known.has(utcDay(start));
    const weekday = new Date(start).getUTCDay();
    const volume =
      requestsADay * (weekday === 0 || weekday === 6 ? 0.7 : 1) * (1 + (days - day) / 60);
    for (let n = 0; n < volume; n += 1) {
      // Also of days that are there: what comes after them stays as it was drawn.
      const of = { publisherId, ads, start, node: node.number, pseudonyms, fits, topicOf };
      const made = imagineRequest(of, random, mintId);
      if (!isNew) continue;
      served.push(...made.served);
      beacons.push(...made.beacons);
    }
    if ((day - 1) % daysABatch !== 0) continue;
    // Together or not at all: a start that is cut off leaves no day half done.
    await eventLog.append([...served, ...beacons]);
    await countAsked(db, served);
    served = [];
    beacons = [];
  }
}

/** What serving counts of requests beside their events: where they came from, what became of them. */
async function countAsked(db: Db, served: readonly EventRecord[]): Promise<void> {
  const asked = served.map(({ publisherId, at, country, device, kind }) => ({
    publisher_id: publisherId,
    day: utcDay(at),
    country,
    device,
    is_win: kind === 'win',
  }));
  const rows = `json_to_recordset($1::text::json)
    as e (publisher_id uuid, day date, country text, device text, is_win boolean)`;
  await db.query(
    `insert into request_days as d (publisher_id, day, country, device, requests, wins)
     select publisher_id, day, country, device, count(*) filter (where not is_win),
       count(*) filter (where is_win)
     from ${rows}
     group by 1, 2, 3, 4
     on conflict (publisher_id, day, country, device) do update
     set requests = d.requests + excluded.requests, wins = d.wins + excluded.wins`,
    [JSON.stringify(asked)],
  );
  await db.query(
    `insert into reading_days as d (publisher_id, day, outcome, requests)
     select publisher_id, day, outcome, requests
     from (
         select publisher_id, day, count(*) filter (where is_win) as won,
           count(*) filter (where not is_win) as asked
         from ${rows}
         group by 1, 2
       ) s
     cross join lateral (values ('served', won), ('no_need', asked - won)) as o (outcome, requests)
     where requests > 0
     on conflict (publisher_id, day, outcome) do update
     set requests = d.requests + excluded.requests`,
    [JSON.stringify(asked)],
  );
}

function listDemoAds(db: Db): Promise<DemoAd[]> {
  return db.query<DemoAd>(
    `select d.id as "adId", d.ad_group_id as "adGroupId", d.campaign_id as "campaignId",
       d.advertiser_id as "advertiserId", coalesce(c.max_cpm_micros, 3000000) as "maxCpmMicros",
       c.name as campaign
     from ads d
     join campaigns c on c.id = d.campaign_id
     where c.review_status = 'approved'
     order by c.name, d.name`,
  );
}

interface Imagined {
  served: EventRecord[];
  beacons: EventRecord[];
}

/** One request of one day: mostly filled, mostly seen, seldom clicked. */
function imagineRequest(
  of: {
    publisherId: string;
    ads: readonly DemoAd[];
    start: number;
    node: number;
    pseudonyms: App['services']['pseudonyms'];
    /** Draws of its own: how well the best ad fitted changes nothing else. */
    fits: () => number;
    /** What was talked about where a campaign was shown; draws of its own too. */
    topicOf: (campaign: string) => string;
  },
  random: () => number,
  mintId: (at: number) => string,
): Imagined {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const at = of.start + Math.floor(hourOfDay(random) * 3_600_000);
  const { publisherId, pseudonyms } = of;
  const name = `demo-user-${1 + Math.floor(random() ** 2 * 180)}`;
  const user = {
    publisherId,
    userId: pseudonyms.user(publisherId, name),
    device: pick(devices),
    country: pick(countries),
  };
  const isFilled = random() <= 0.72 && of.ads.length > 0;
  const asked = {
    topic: '',
    need: null,
    matching: 'semantic',
    ...bestOf(isFilled, of.fits),
    candidates: '',
  };
  const userName = pseudonyms.seal(publisherId, name);
  const served: EventRecord[] = [
    { ...user, userName, id: mintId(at), kind: 'request', at, data: asked },
  ];
  if (!isFilled) return { served, beacons: [] };
  // Some campaigns are simply more popular.
  const ad = of.ads[Math.floor(random() ** 1.6 * of.ads.length)] as DemoAd;
  asked.topic = of.topicOf(ad.campaign);
  const price = Math.floor((ad.maxCpmMicros / 1000) * (0.35 + 0.5 * random()));
  const shared = {
    ...user,
    id: mintId(at),
    advertiserId: ad.advertiserId,
    campaignId: ad.campaignId,
    adGroupId: ad.adGroupId,
    adId: ad.adId,
    placement: pick(placements),
    node: of.node,
  };
  served.push({
    ...shared,
    kind: 'win',
    at,
    data: { topic: asked.topic, price_micros: price, charge: 'cpm' },
  });
  return { served, beacons: imagineBeacons(shared, { at, price }, random) };
}

/** Mostly the first; now and then people come to it from something else. */
function drawTopic(topics: readonly string[], random: () => number): string {
  const drawn = random();
  return topics[drawn < 0.8 ? 0 : Math.floor(((drawn - 0.8) / 0.2) * topics.length)] ?? '';
}

/** As serving records it: above the baseline where an ad was shown, below it or unsaid where not. */
function bestOf(isFilled: boolean, fits: () => number): { best?: number } {
  const drawn = fits();
  if (isFilled) return { best: Math.round((0.5 + 0.45 * drawn ** 1.3) * 1e6) };
  return drawn < 0.4 ? {} : { best: Math.round((0.1 + 0.39 * drawn) * 1e6) };
}

/** What a page reports of an ad it was given. */
function imagineBeacons(
  shared: Omit<EventRecord, 'kind' | 'at'>,
  { at, price }: { at: number; price: number },
  random: () => number,
): EventRecord[] {
  if (random() > 0.86) return [];
  const beacons: EventRecord[] = [];
  const seenAt = at + 500 + Math.floor(random() * 4000);
  const isBot = random() < 0.015;
  const money = isBot
    ? {}
    : {
        spendMicros: price,
        revenueMicros: splitRevenue(price, 7000).revenueMicros,
        budgetDay: utcDay(seenAt),
      };
  beacons.push({
    ...shared,
    kind: 'impression',
    at: seenAt,
    invalid: isBot ? 'bot' : null,
    ...money,
  });
  if (isBot) return beacons;
  if (random() < 0.8) {
    beacons.push({
      ...shared,
      kind: 'viewable',
      at: seenAt + 1000,
      data: { ms: 1000 + Math.floor(random() * 9000) },
    });
    if (random() < 0.97) beacons.push({ ...shared, kind: 'disclosed', at: seenAt + 1000 });
  }
  if (random() > 0.045) return beacons;
  const clickedAt = seenAt + 2000 + Math.floor(random() * 20_000);
  beacons.push({ ...shared, kind: 'click', at: clickedAt });
  return beacons;
}

/** A day counts as done when people saw ads on it. */
async function knownDays(db: Db, publisherId: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ day: string }>(
    `select distinct day from ${eventFacts()} e where publisher_id = $1 and kind = 'impression'`,
    [publisherId],
  );
  return new Set(rows.map(({ day }) => day));
}

/** More in the evening than at night, in UTC hours. */
function hourOfDay(random: () => number): number {
  for (;;) {
    const hour = random() * 24;
    if (random() < 0.35 + 0.65 * Math.sin((Math.PI * ((hour + 18) % 24)) / 24)) return hour;
  }
}
