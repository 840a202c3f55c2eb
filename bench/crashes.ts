// The server as people run it, killed under load again and again, its journal damaged in between.
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyJournal } from '../src/cli/apply-journal.js';
import { openStore } from '../src/cli/open-store.js';
import { readConfig } from '../src/config.js';
import { verifyTotals } from '../src/platform/events/verify-totals.js';
import { type BuiltServer, startBuiltServer } from './support/built-server.js';

export const summary =
  'kill -9 under load through HTTP, with zeros, torn and flipped bytes in the journal: acknowledged = stored, once';

const wants = ['hotel in Berlin', 'running shoes', 'web hosting', 'dog food', 'camping tent'];
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const env = { MATCHING: 'fast' };
const trouble = ['nothing', 'zeros', 'a torn frame', 'a flipped byte'] as const;

/** What was answered with 200, by the ad request it belongs to. */
interface Acknowledged {
  served: Set<string>;
  seen: Set<string>;
}

/** Arguments: rounds (20), clients (16), acknowledged a round before it is killed (300). */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 20, clients = 16, wanted = 300] = args.map(Number);
  const acknowledged: Acknowledged = { served: new Set(), seen: new Set() };
  let folder: string | undefined;
  let flipped = 0;
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const server = await startBuiltServer(env, folder);
    folder = server.folder;
    const readyMs = Math.round(performance.now() - started);
    const count = (): number => acknowledged.served.size + acknowledged.seen.size;
    const before = count();
    const state = { isKilled: false };
    const working = Array.from({ length: clients }, (_, client) =>
      visit(server, `r${round}c${client}`, state, acknowledged),
    );
    while (count() < before + wanted * (0.5 + Math.random() / 2)) await pause(5);
    state.isKilled = true;
    await server.kill();
    await Promise.all(working);
    const harm = trouble[round % trouble.length] ?? 'nothing';
    if (damage(folder, harm)) flipped += 1;
    process.stdout.write(
      `  round ${round + 1}: ready in ${readyMs} ms, ${count() - before} acknowledged, killed; then ${harm} at the end of its journal\n`,
    );
  }
  if (folder !== undefined) {
    await compare(folder, acknowledged, flipped);
    rmSync(folder, { recursive: true, force: true });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function visit(
  server: BuiltServer,
  name: string,
  state: { readonly isKilled: boolean },
  acknowledged: Acknowledged,
): Promise<void> {
  for (let n = 0; !state.isKilled; n += 1) {
    const user = `${name}n${n}`;
    try {
      const answer = await server.send('/api/v1/ad', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${server.demo.publisher.api_key}`,
          'content-type': 'application/json',
        },
        payload: JSON.stringify({
          messages: [{ role: 'user', content: `I want to buy ${wants[n % wants.length]}` }],
          sessionId: user,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          user: { id: user },
          device: { ua: phone, country: 'DE' },
        }),
      });
      if (answer.status !== 200) {
        await pause(50);
        continue;
      }
      const [ad] = JSON.parse(answer.body) as { impUrl: string }[];
      if (ad === undefined) continue;
      acknowledged.served.add(answer.requestId);
      const { pathname, search } = new URL(ad.impUrl);
      const shown = await server.send(pathname + search, { headers: { 'user-agent': phone } });
      if (shown.status === 200) acknowledged.seen.add(answer.requestId);
    } catch {
      // Cut off: it was not acknowledged.
    }
  }
}

/** Says whether it hurt something that may have been acknowledged. */
function damage(folder: string, harm: (typeof trouble)[number]): boolean {
  const journal = join(folder, 'journal');
  const last = readdirSync(journal)
    .filter((name) => name.endsWith('.log'))
    .sort()
    .at(-1);
  if (last === undefined || harm === 'nothing') return false;
  const path = join(journal, last);
  if (harm === 'zeros') appendFileSync(path, Buffer.alloc(4096));
  if (harm === 'a torn frame') appendFileSync(path, readFileSync(path).subarray(0, 40));
  if (harm !== 'a flipped byte') return false;
  const bytes = readFileSync(path);
  if (bytes.length === 0) return false;
  const at = Math.max(0, bytes.length - 60);
  bytes[at] = (bytes[at] ?? 0) ^ 0x20;
  writeFileSync(path, bytes);
  return true;
}

async function compare(folder: string, told: Acknowledged, flipped: number): Promise<void> {
  const store = await openStore(readConfig({ DATA_DIR: folder }));
  try {
    await applyJournal(store, (line) => process.stdout.write(`  ${line}\n`));
    const rows = await store.db.query<{ request: string; kind: string; count: number }>(
      `select w.request_id as request, e.kind, count(*) as count
       from events w
       join events e on e.day = w.day and e.id = w.id and e.kind in ('win', 'impression')
       where w.kind = 'win' and w.request_id is not null
       group by 1, 2`,
    );
    const stored = (kind: string): Map<string, number> =>
      new Map(
        rows.filter((row) => row.kind === kind).map(({ request, count }) => [request, count]),
      );
    let isRight = true;
    for (const [kind, requests] of [
      ['win', told.served],
      ['impression', told.seen],
    ] as const) {
      const counts = stored(kind);
      const missing = [...requests].filter((request) => !counts.has(request)).length;
      const twice = [...counts.values()].filter((count) => count > 1).length;
      isRight &&= twice === 0 && missing <= flipped;
      process.stdout.write(
        `  ${kind}: ${requests.size} acknowledged, ${counts.size} stored, ${missing} missing, ${twice} twice\n`,
      );
    }
    const { isClean } = await verifyTotals(store.db);
    process.stdout.write(
      `  ${flipped} frames were flipped; totals ${isClean ? 'agree' : 'DIFFER'} with the events: ${isRight && isClean ? 'right' : 'WRONG'}\n`,
    );
    if (!isRight || !isClean) process.exitCode = 1;
  } finally {
    await store.close();
  }
}
