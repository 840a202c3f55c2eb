import { createHash } from 'node:crypto';
import { createRandom } from '../src/domain/decision/seeded-random.js';
import { type Arm, liftOf } from '../src/domain/experiments/lift.js';
import { insertLiveCampaign } from '../test/support/live-campaign.js';
import { managing } from '../test/support/managed-campaign.js';
import { buildTestApp, type TestApp } from '../test/support/test-app.js';
import { openEmbeddedTestDatabase } from '../test/support/test-database.js';

export const summary =
  'experiments: p-values of equal arms, simulated and through the API, and what intervals hold';

/** Farther than this from uniform is one chance in a thousand, times the root of how many. */
const mostDistance = 1.95;

/**
 * Arguments: simulated experiments of each setting (2000), rounds through the API (5) of
 * experiments at once (40) with people (250).
 */
export async function run(args: readonly string[]): Promise<void> {
  const [simulated = 2000, rounds = 5, atOnce = 40, people = 250] = args.map(Number);
  const isSound = [simulateEqual(simulated), simulateCoverage(simulated)].every(Boolean);
  const pValues: number[] = [];
  const app = await buildTestApp(await openEmbeddedTestDatabase());
  try {
    for (let round = 0; round < rounds; round += 1)
      pValues.push(...(await askForEqual(app, { round, atOnce, people })));
  } finally {
    await app.close();
  }
  const isUniform = tell(`through the API, ${people} people`, pValues);
  if (!isSound || !isUniform) process.exitCode = 1;
}

function draw(random: () => number, units: number, chance: number): Arm {
  let successes = 0;
  for (let at = 0; at < units; at += 1) if (random() < chance) successes += 1;
  return { units, successes };
}

/** Two arms that are one: every p is as likely as every other. */
function simulateEqual(times: number): boolean {
  process.stdout.write(
    '| equal arms | experiments | distance from uniform | allowed | p < .05 | p < .01 |\n|---|---|---|---|---|---|\n',
  );
  return (
    [
      [0.02, 4000, 4000],
      [0.05, 2000, 2000],
      [0.2, 900, 900],
      [0.05, 600, 5400],
    ] as const
  )
    .map(([rate, few, many], n) => {
      const random = createRandom(100 + n);
      const pValues = Array.from(
        { length: times },
        () => liftOf(draw(random, few, rate), draw(random, many, rate))?.pValue ?? 1,
      );
      return tell(`rate ${rate}, ${few} and ${many} people`, pValues);
    })
    .every(Boolean);
}

/** How often the intervals hold the truth; nineteen times in twenty is promised. */
function simulateCoverage(times: number): boolean {
  process.stdout.write('\n| rates | people | difference held | ratio held |\n|---|---|---|---|\n');
  let isSound = true;
  for (const [n, [rate, base, units]] of (
    [
      [0.02, 0.02, 1500],
      [0.022, 0.02, 5000],
      [0.05, 0.04, 1000],
      [0.3, 0.25, 400],
      [0.01, 0.02, 2000],
      [0.002, 0.001, 4000],
    ] as const
  ).entries()) {
    const random = createRandom(200 + n);
    let [difference, ratio] = [0, 0];
    for (let time = 0; time < times; time += 1) {
      const lift = liftOf(draw(random, units, rate), draw(random, units, base));
      if (lift === null) continue;
      const holds = ({ low, high }: { low: number; high: number }, truth: number): boolean =>
        low <= truth && truth <= high;
      if (holds(lift.difference, rate - base)) difference += 1;
      if (lift.relative === null || holds(lift.relative, rate / base - 1)) ratio += 1;
    }
    process.stdout.write(
      `| ${rate} and ${base} | ${units} | ${share(difference / times)} | ${share(ratio / times)} |\n`,
    );
    // Rare events make any interval wider than it must be, never narrower.
    isSound &&= Math.min(difference, ratio) / times > 0.935;
  }
  process.stdout.write('\n');
  return isSound;
}

/** Experiments with two equal arms, asked for, bought from and read through HTTP. */
async function askForEqual(
  app: TestApp,
  { round, atOnce, people }: { round: number; atOnce: number; people: number },
): Promise<number[]> {
  const random = createRandom(300 + round);
  const advertiser = await app.newAdvertiser();
  const publisher = await app.newPublisher();
  await app.db.query(
    `update publishers
     set blocked_advertisers = array(select id from advertisers where id <> $2)
     where id = $1`,
    [publisher.id, advertiser.id],
  );
  await app.services.directory.refresh();
  const call = managing(app, advertiser);
  const ids: string[] = [];
  const campaignIds: string[] = [];
  for (let n = 0; n < atOnce; n += 1) {
    const { campaignId } = await insertLiveCampaign(app, advertiser.id, {
      context: 'telescopes that show the rings of saturn',
      maxCpmMicros: 5_000_000,
    });
    const variants = [
      { name: 'a', weight: 1 },
      { name: 'b', weight: 1 },
    ];
    const made = await call('POST', 'experiments', {
      campaign_id: campaignId,
      name: `A/A ${n}`,
      kind: 'ab',
      variants,
    });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    ids.push(made.body.experiment_id);
    campaignIds.push(campaignId);
    await app.serving.inventory.refresh([campaignId]);
  }
  const names = Array.from({ length: people }, (_, n) => `person ${round} ${n}`);
  for (const name of names) await ask(app, publisher.apiKey, name);
  const buyers = names.filter(() => random() < 0.3);
  await buy(app, advertiser.apiKey, buyers);
  const pValues: number[] = [];
  for (const id of ids) {
    const { results } = (await call('GET', `experiments/${id}`)).body;
    if (results[0].units + results[1].units !== people)
      throw new Error(`${results[0].units} and ${results[1].units} of ${people} are in it`);
    pValues.push(results[1].conversion_lift.p_value);
  }
  // The next round's campaigns say the same words: these must not stand in their way.
  await app.db.query(`update campaigns set status = 'paused' where advertiser_id = $1`, [
    advertiser.id,
  ]);
  await app.serving.inventory.refresh(campaignIds);
  return pValues;
}

const hashed = (text: string): string => createHash('sha256').update(text).digest('hex');

async function ask(app: TestApp, apiKey: string, name: string): Promise<void> {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/v1/ad',
    headers: { authorization: `Bearer ${apiKey}` },
    payload: {
      messages: [{ role: 'user', content: 'which telescope shows the rings of saturn?' }],
      sessionId: `session of ${name}`,
      placements: [{ placement: 'below_response', placement_id: 'main' }],
      user: { id: name, hashed_email: hashed(name) },
    },
  });
  if (answer.statusCode !== 200) throw new Error(`an ad request answered ${answer.statusCode}`);
}

async function buy(app: TestApp, apiKey: string, people: readonly string[]): Promise<void> {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/gateway/events',
    headers: { authorization: `Bearer ${apiKey}` },
    payload: {
      data: people.map((person) => ({
        event_name: 'Purchase',
        event_id: `order of ${person}`,
        event_time: Math.floor(app.clock.now / 1000),
        user_data: { em: [hashed(person)] },
      })),
    },
  });
  if (answer.json().events_errored !== 0) throw new Error(answer.body);
}

/** A line of the table, and whether the p-values may be uniform. */
function tell(name: string, pValues: readonly number[]): boolean {
  const sorted = [...pValues].sort((a, b) => a - b);
  const count = sorted.length;
  const distance = Math.max(...sorted.map((p, n) => Math.max((n + 1) / count - p, p - n / count)));
  const allowed = mostDistance / Math.sqrt(count);
  const below = (bound: number): string =>
    share(sorted.filter((p) => p < bound).length / Math.max(1, count));
  process.stdout.write(
    `| ${name} | ${count} | ${distance.toFixed(3)} | ${allowed.toFixed(3)} | ${below(0.05)} | ${below(0.01)} |\n`,
  );
  return distance < allowed;
}

function share(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}
