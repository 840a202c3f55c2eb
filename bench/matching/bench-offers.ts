import { readFileSync } from 'node:fs';
import type { Reader } from '../../src/platform/embedding/create-reader.js';
import type { Db } from '../../src/platform/db/db.js';
import { dot } from '../../src/domain/matching/vectors.js';
import { createMintId } from '../../src/platform/ids.js';
import type { Offer } from './judged-sets.js';

const wantedOffers = 110;
/** An offer nearer than this to one of the set would be as right as that one. */
const sameTrade = 0.55;

/**
 * The set's own offers, and others of all trades beside them. A set without any counts every ad as
 * right for a need, so every trade must be on sale: else it would ask for the ad of another one.
 */
export async function amongOthers(
  reader: Reader,
  own: readonly Offer[],
  everybody: readonly Offer[],
): Promise<Offer[]> {
  const vectors = await reader.embed(own.map(({ context }) => context));
  const others = await reader.embed(everybody.map(({ context }) => context));
  const apart = everybody.filter(
    (_, at) => !vectors.some((vector) => dot(vector, others[at]!) > sameTrade),
  );
  const room = own.length === 0 ? apart.length : Math.max(0, wantedOffers - own.length);
  const every = Math.max(1, apart.length / Math.max(1, room));
  const chosen = Array.from(
    { length: Math.min(room, apart.length) },
    (_, at) => apart[Math.floor(at * every)]!,
  );
  return [...own, ...chosen.map((offer, at) => ({ ...offer, id: `other-${at}` }))];
}

/** What our demo advertises and every trade of the topic files, as offers. */
export function tradeOffers(): Offer[] {
  const json = (path: string): unknown =>
    JSON.parse(readFileSync(new URL(`../../../catalog/${path}`, import.meta.url), 'utf8'));
  const topics = json('topics/en/topics.json') as { name: string }[]; // Checked by the product's tests.
  return topics.map(({ name }, at) => ({ id: `trade-${at}`, context: name }));
}

const oddTrades =
  'hydraulic presses,dairy centrifuges,church organs,crane inspections,laboratory centrifuges,gas turbine blades,ship propellers,conveyor belts,brick kilns,tannery chemicals,vineyard presses,falcon hoods,bell foundries,textile looms,paper mill rollers,quarry explosives permits,sugar refinery valves,optical gratings,railway sleepers,mine ventilation,glass furnaces,fish hatcheries,sheep dip,hop kilns,cheese cave shelving,stage rigging,planetarium projectors,ice rink chillers,bee smokers,sawmill blades,foundry sand,peat harvesters,airport beacons,oyster racks,seed drills,carillon tuning,typewriter ribbons,lighthouse lenses,silo ladders,dredging pumps'.split(
    ',',
  );
const buyers =
  'cooperatives,ministries,museums,heavy industry,islands,monasteries,harbours,distilleries,universities,mountain villages,shipyards,mills,quarries,regional railways,archives,theatres,abattoirs,nurseries,canals,observatories,reservoirs,orchards,barracks,tunnels,ferries'.split(
    ',',
  );

/** A thousand offers that nobody in any set asks for. */
export function unrelatedOffers(count: number): Offer[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `odd-${at}`,
    context: `${oddTrades[at % oddTrades.length]} for ${buyers[Math.floor(at / oddTrades.length) % buyers.length]}`,
  }));
}

/** One campaign an offer; returns which campaign is which offer. */
export async function insertOffers(
  db: Db,
  advertiserId: string,
  offers: readonly Offer[],
): Promise<Map<string, string>> {
  const mintId = createMintId();
  const rows = offers.map(({ id, context }) => ({
    id,
    context,
    campaign: mintId(Date.now()),
    group: mintId(Date.now()),
    ad: mintId(Date.now()),
  }));
  const campaigns = rows.map(({ campaign }) => campaign);
  const groups = rows.map(({ group }) => group);
  const contexts = rows.map(({ context }) => context);
  await db.query(
    `insert into campaigns (
         id, advertiser_id, name, status, is_active, landing_page, daily_budget_micros,
         max_cpm_micros, review_status, deployment_status
       )
     select id, $2, 'Bench', 'active', true, 'https://bench.example/', 1000000000000, 5000000,
       'approved', 'deployed'
     from unnest($1::uuid[]) as id`,
    [campaigns, advertiserId],
  );
  await db.query(
    `insert into ad_groups (id, campaign_id, advertiser_id, name, group_type, context)
     select id, campaign, $4, 'Group', 'manual', context
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as g (id, campaign, context)`,
    [groups, campaigns, contexts, advertiserId],
  );
  await db.query(
    `insert into ads (
         id, ad_group_id, campaign_id, advertiser_id, name, headline, copy, review_status
       )
     select ad, g, campaign, $5, 'Ad', 'Headline', context, 'approved'
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) as a (ad, g, campaign, context)`,
    [rows.map(({ ad }) => ad), groups, campaigns, contexts, advertiserId],
  );
  return new Map(rows.map(({ campaign, id }) => [campaign, id]));
}
