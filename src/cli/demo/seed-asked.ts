import type { App } from '../../app.js';
import { createRandom } from '../../domain/decision/seeded-random.js';
import { signsOf } from '../../domain/matching/sign-vectors.js';
import { addScaled, normalise } from '../../domain/matching/vectors.js';
import {
  type AskedRequest,
  hasAskedRequests,
  insertAskedRequests,
} from '../../surfaces/serving/learning/asked-queries.js';
import type { DemoCampaign } from './demo-campaigns.js';
import { dayMs } from '../../domain/time/utc-day.js';

const hourMs = 3_600_000;
const days = 14;
const requestsADay = 4;
/** How many requests of the demo's network one row stands for. */
const weight = 12;
const countries = 'US US US US GB GB DE FR CA AU'.split(' ');
const devices = ['mobile', 'mobile', 'desktop', 'desktop', 'tablet'];

/**
 * Two weeks of requests for what the demo sells, so that forecasts can be tried out. Where
 * conversations are matched by words there are no forecasts, and nothing is kept.
 */
export async function seedAsked(
  { services: { db, clock, reader } }: Pick<App, 'services'>,
  advertiserId: string,
  campaigns: readonly DemoCampaign[],
): Promise<void> {
  await reader.ready;
  if (reader.status !== 'ready' || reader.modelId === null) return;
  if (await hasAskedRequests(db)) return;
  const vectors = await reader.embed(campaigns.map(({ context }) => context));
  const random = createRandom(14);
  const firstHour = Math.floor(clock() / hourMs) * hourMs - days * dayMs;
  const rows: AskedRequest[] = [];
  for (const [at, vector] of vectors.entries())
    for (let n = 0; n < days * requestsADay; n += 1)
      rows.push({
        ...imagined(vector, random),
        hour: new Date(firstHour + Math.floor((n * 24) / requestsADay) * hourMs),
        modelId: reader.modelId,
        advertiserIds: [advertiserId],
        scores: [Math.round((campaigns[at]?.cpmDollars ?? 5) * 900_000 * (0.3 + 0.5 * random()))],
      });
  await insertAskedRequests(db, rows);
}

/** Somebody who needs what lies in this direction, more or less. */
function imagined(
  vector: Float32Array,
  random: () => number,
): Omit<AskedRequest, 'hour' | 'modelId' | 'advertiserIds' | 'scores'> {
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const meant = vector.slice();
  const other = normalise(Float32Array.from(vector, () => random() - 0.5));
  addScaled(meant, other, 0.4);
  const { bits, reach } = signsOf(normalise(meant));
  return {
    country: pick(countries),
    device: pick(devices),
    topic: '',
    signs: bits,
    reach,
    need: 2 + 2 * random(),
    never: -5,
    trade: 0.6,
    shift: 0,
    minRelevance: 0.5,
    floorCpmMicros: 0,
    places: 1,
    weight,
  };
}
