/**
 * Counted beacons carry the id of their ad and store nothing the ad says: publisher, advertiser,
 * campaign and what else a report asks for stand in the row of the win, under the same day and id.
 * Such a beacon is told by the advertiser it does not name.
 */
const beaconKinds = `('impression', 'viewable', 'disclosed', 'click')`;

const own = ['day', 'id', 'kind', 'at'];
/** Every win names these, so that a condition on them finds the ads by index. */
const ofTheAd = ['publisher_id', 'advertiser_id', 'campaign_id'];
const ofEither = ['ad_group_id', 'ad_id', 'placement', 'device', 'country', 'user_id'];
const rest = [
  'test',
  'invalid',
  'unbilled',
  'attribution',
  'spend_micros',
  'revenue_micros',
  'value_micros',
  'node',
  'budget_day',
  'data',
];

/** Whether `row` leaves what it is about to its ad. */
function leavesFactsToAd(row: string): string {
  return `${row}.kind in ${beaconKinds} and ${row}.advertiser_id is null`;
}

/** What is known of every event, in one order. */
export function factsIn(row: string): string {
  return [...own, ...ofTheAd, ...ofEither, ...rest].map((column) => `${row}.${column}`).join(', ');
}

/** The same, of a beacon that leaves facts to its ad filled in from `ad`. */
export function filledFrom(beacon: string, ad: string): string {
  return [
    // The ad's own, where they are the same: a condition on them then finds the ads.
    `${ad}.day`,
    `${ad}.id`,
    `${beacon}.kind`,
    `${beacon}.at`,
    ...ofTheAd.map((column) => `${ad}.${column}`),
    ...ofEither.map((column) => `coalesce(${beacon}.${column}, ${ad}.${column}) as ${column}`),
    ...rest.map((column) => `${beacon}.${column}`),
  ].join(', ');
}

/**
 * The beacons that leave their facts to this ad, one look-up by primary key. As a plain join it
 * would be planned over days without statistics, every ad against every beacon; a limit, more than
 * there can be, leaves no choice. `within` says again in which days the ads are: through the limit
 * the planner does not see it, and would prepare a look-up in every day there is.
 */
export function beaconsOf(ad: string, within: (row: string) => string): string {
  return `
    select *
    from events b
    where b.day = ${ad}.day and b.id = ${ad}.id and ${leavesFactsToAd('b')} and ${within('b')}
    limit 10`;
}

/**
 * All events with everything that is known of them, to be read from in place of `events`. A
 * condition on the account or the id reaches the index of the wins; one on a range of days has to
 * be given, because it would reach only one side.
 */
export function eventFacts(days: (column: string) => string = () => 'true'): string {
  return eventFactsWhere((row) => days(`${row}.day`));
}

/** The same of the ads whose key fits: `within` is a condition on the day and id of a row. */
export function eventFactsWhere(within: (row: string) => string): string {
  return `(
    select ${factsIn('e')}
    from events e
    where not (${leavesFactsToAd('e')}) and ${within('e')}
    union all
    select ${filledFrom('e', 'w')}
    from events w
    cross join lateral (${beaconsOf('w', within)}) e
    where w.kind = 'win' and ${within('w')}
  )`;
}
