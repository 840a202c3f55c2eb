// A stream of raw events: how fast, and whether memory depends on how many.
import { indexPartitionsBefore } from '../src/platform/events/partitions.js';
import { buildTestApp, type TestApp } from '../test/support/test-app.js';
import { openEmbeddedTestDatabase, openServerTestDatabase } from '../test/support/test-database.js';
import { download, show, timeWith, watchMemory } from './support/report-timing.js';

export const summary = 'export of raw events: rate and memory';

const now = Date.parse('2026-11-15T12:00:00Z');
const days = Array.from({ length: 12 }, (_, day) =>
  new Date(now - day * 86_400_000).toISOString().slice(0, 10),
);

/**
 * `npm run bench -- exports [server|embedded] [events]`: 1,200,000 without a number, then a tenth
 * of the days to compare memory with.
 */
export async function run(args: string[]): Promise<void> {
  const db =
    args[0] === 'embedded'
      ? await openEmbeddedTestDatabase()
      : (await openServerTestDatabase()).database;
  const app = await buildTestApp(db, { now });
  try {
    const account = await app.newAdvertiser();
    await generate(app, account.id, Number(args[1] ?? 1_200_000));
    const address = await app.http.listen({ port: 0, host: '127.0.0.1' });
    const time = await timeWith(db);
    for (const last of [1, days.length]) {
      let [bytes, above] = [0, 0];
      const ms = await time(async () => {
        const memory = watchMemory();
        const answer = await download(
          `${address}/advertiser-dashboard/exports/events?start_date=${days[last - 1]}&end_date=${days[0]}`,
          { 'x-api-key': account.apiKey },
        );
        [bytes, above] = [answer.bytes, Math.max(above, memory.stop())];
        return answer.ms;
      }, 2);
      show(
        `${last} days, ${(bytes / 1e6).toFixed(0)} MB`,
        ms,
        Number.NaN,
        `, at most ${(above / 1e6).toFixed(0)} MB above idle`,
      );
    }
  } finally {
    await app.close();
  }
}

/**
 * Three of four events are the account's; days that are over have the index that exports read by.
 */
async function generate(app: TestApp, advertiserId: string, events: number): Promise<void> {
  await app.services.partitions.ensure(days);
  for (const day of days)
    await app.db.query(
      `insert into events (
           day, id, kind, at, advertiser_id, campaign_id, placement, device, country, spend_micros
         )
       select $1::date, gen_random_uuid(), 'impression', $1::date + n * interval '0.6 seconds', case
         when n % 4 = 0 then gen_random_uuid() else $2 end, $2, 'below_response', 'mobile', 'DE',
         n % 5000
       from generate_series(1, $3::int) n`,
      [day, advertiserId, Math.ceil((events / days.length) * (4 / 3))],
    );
  await indexPartitionsBefore(app.db, days[1] ?? '');
  await app.db.script('vacuum analyze events', { unhurried: true });
}
