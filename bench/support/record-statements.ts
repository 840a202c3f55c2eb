import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTraffic } from '../../test/faults/traffic.js';
import { startPostgresServer } from '../../test/support/postgres-server.js';
import { runFuzz } from '../fuzz/run-fuzz.js';
import { startBuiltServer } from './built-server.js';
import { openStatementTap } from './statement-tap.js';

const run = promisify(execFile);
const requests = 4_000;
const plannable = /^\s*(?:with|select|insert|update|delete|merge)\b/i;

/**
 * What a release says to its database while people see ads, every operation of its API is asked for
 * and its commands are used, each statement once.
 */
export async function recordStatements(main: string): Promise<string[]> {
  const postgres = await startPostgresServer();
  const tap = await openStatementTap(postgres.url);
  try {
    const server = await startBuiltServer(
      { DATABASE_URL: tap.url, MATCHING: 'fast' },
      undefined,
      main,
    );
    const traffic = startTraffic({
      addresses: () => [server.address],
      key: server.demo.publisher.api_key,
      workers: 2,
      pauseMs: 50,
    });
    // The server's own document.
    const document = JSON.parse((await server.send('/openapi.json')).body) as Record<
      string,
      unknown
    >;
    await runFuzz(
      {
        document,
        adminToken: server.adminToken,
        send: ({ method, url, payload }, headers) => server.send(url, { method, payload, headers }),
      },
      { seed: 1, count: requests, together: 2 },
    );
    await traffic.stop();
    const feed = join(server.folder, 'feed.csv');
    writeFileSync(
      feed,
      'id,title,description,link,image_link,price,availability\n1,Kettle,Boils,https://shop.example/1,https://shop.example/1.jpg,10.00 USD,in stock\n',
    );
    const env = { ...process.env, DATABASE_URL: tap.url, DATA_DIR: server.folder };
    for (const args of [
      ['catalog', 'import', feed, '--merchant', 'Kettles'],
      ['accounts', 'create', 'publisher', '--name=P', '--email=p@test.example', '--approved'],
      ['accounts', 'list'],
      ['keys', 'rotate-tracking'],
      ['verify'],
    ])
      await run(process.execPath, [main, ...args], { env, cwd: server.folder });
    await server.stop();
  } finally {
    await tap.close();
    await postgres.stop();
  }
  const once = new Map<string, string>();
  for (const text of tap.statements)
    if (plannable.test(text)) once.set(text.replace(/\s+/g, ' ').trim(), text);
  return [...once.keys()].sort();
}
