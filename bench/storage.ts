// What is left on disk of served ads: requests, wins, impressions and clicks through HTTP.
import { indexPartitionsBefore } from '../src/platform/events/partitions.js';
import { openBenchApp } from './support/open-bench-app.js';
import { withEngine } from './support/with-engine.js';

export const summary =
  "bytes on disk: an event by kind, a publisher's user, every table of totals, the write-ahead log";

const wants = ['hotel in Berlin', 'running shoes', 'web hosting', 'dog food', 'camping tent'];
const together = 16;

/** Arguments: ads (6000), ads a user (3), engine (both | embedded | server). */
export async function run(args: readonly string[]): Promise<void> {
  const [ads = 6000, adsOfUser = 3] = args.slice(0, 2).map(Number);
  const engine = args[2] ?? 'both';
  for (const name of ['embedded', 'server'] as const)
    if (engine === 'both' || engine === name)
      await withEngine(name, async (store) => {
        Object.assign(process.env, store);
        await measure(name, ads, adsOfUser);
        for (const setting of Object.keys(store)) delete process.env[setting];
      });
}

async function measure(engine: string, ads: number, adsOfUser: number): Promise<void> {
  const bench = await openBenchApp();
  const { app, db } = bench;
  await bench.fill(200);
  const written = async (): Promise<number> => {
    const [row] = await db.query<{ bytes: number }>(
      `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as bytes`,
    );
    return row?.bytes ?? 0;
  };
  const before = await written();
  let next = 0;
  const visit = async (): Promise<void> => {
    while (next < ads) await serveOne(bench, next++, Math.max(1, Math.floor(ads / adsOfUser)));
  };
  await Promise.all(Array.from({ length: together }, visit));
  await app.services.eventLog.drain();
  const wal = (await written()) - before;
  await db.script('checkpoint');
  await report(bench, engine, wal);
  await app.close();
}

async function serveOne({ app, publisher }: Bench, n: number, users: number): Promise<void> {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/v1/ad',
    headers: { authorization: `Bearer ${publisher.apiKey}`, 'user-agent': phone },
    payload: {
      messages: [{ role: 'user', content: `Looking for an affordable ${wants[n % wants.length]}` }],
      sessionId: `session-${n}`,
      placements: [{ placement: 'below_response', placement_id: 'main' }],
      user: { id: `user-${String(userOf(n, users)).padStart(8, '0')}` },
      device: { ua: phone, country: 'DE' },
    },
  });
  if (answer.statusCode !== 200) return;
  const [ad] = answer.json<{ impUrl: string; clickUrl: string }[]>();
  for (const url of ad === undefined ? [] : n % 40 === 0 ? [ad.impUrl, ad.clickUrl] : [ad.impUrl]) {
    const { pathname, search } = new URL(url);
    await app.http.inject({ url: pathname + search, headers: { 'user-agent': phone } });
  }
}

/** Everybody once, then whoever comes again: not those together who came together before. */
function userOf(n: number, users: number): number {
  return n < users ? n : (Math.imul(n, 0x9e3779b1) >>> 0) % users;
}

type Bench = Awaited<ReturnType<typeof openBenchApp>>;
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

async function report({ db }: Bench, engine: string, wal: number): Promise<void> {
  const sizeOf = async (tables: string): Promise<number> => {
    const [row] = await db.query<{ bytes: number }>(
      `select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as bytes
       from pg_class c
       where c.relkind = 'r' and c.relname ~ $1`,
      [tables],
    );
    return row?.bytes ?? 0;
  };
  const kinds = await db.query<{ kind: string; count: number; bytes: number; data: number }>(
    `select kind, count(*) as count, avg(pg_column_size(e.*))::float8 as bytes,
       coalesce(avg(pg_column_size(data)), 0)::float8 as data
     from events e
     group by 1
     order by 2 desc`,
  );
  const [counted] = await db.query<{ users: number }>(
    'select count(*) as users from publisher_users',
  );
  const users = counted?.users ?? 0;
  const events = kinds.reduce((sum, { count }) => sum + count, 0);
  const open = await sizeOf('^events_[0-9]{8}$');
  await indexPartitionsBefore(db, '2999-01-01');
  const closed = await sizeOf('^events_[0-9]{8}$');
  const totals = await sizeOf(
    '^(totals|campaign_|ad_group_(totals|days)|publisher_(totals|hours|days|countries))',
  );
  const people = await sizeOf('^publisher_user');
  const [rows] = await db.query<{ bytes: number }>(
    `select pg_relation_size('publisher_users') as bytes`,
  );
  await db.script('select pg_stat_force_next_flush()').catch(() => undefined);
  const [updates] = await db.query<{ all: number; in_place: number }>(
    `select n_tup_upd as all, n_tup_hot_upd as in_place
     from pg_stat_user_tables where relname = 'publisher_users'`,
  );
  const each = (bytes: number, count: number): string => (bytes / count).toFixed(0);
  process.stdout.write(
    [
      `\n${engine} engine, ${events} events of ${users} users`,
      `  an event: ${each(open, events)} bytes with its key; ${each(closed, events)} with the indexes of a closed day; ${each(totals, events)} of totals, ${each(wal, events)} of write-ahead log`,
      ...kinds.map(
        ({ kind, count, bytes, data }) =>
          `    ${kind}: ${count} rows of ${bytes.toFixed(0)} bytes, ${data.toFixed(0)} of them data`,
      ),
      `  a publisher's user: ${each(people, users)} bytes, ${each(rows?.bytes ?? 0, users)} of them its row and the room beside it; ${updates?.in_place ?? '?'} of ${updates?.all ?? '?'} updates in its page`,
    ].join('\n') + '\n',
  );
}
