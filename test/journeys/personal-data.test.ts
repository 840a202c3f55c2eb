import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type App, buildApp } from '../../src/app.js';
import { openStore } from '../../src/cli/open-store.js';
import { readConfig } from '../../src/config.js';
import type { Database } from '../../src/platform/db/db.js';
import { createLog } from '../../src/platform/log.js';
import { openAdvertiser, openPublisher } from '../../src/surfaces/accounts/open-account.js';
import { openServerTestDatabase } from '../support/test-database.js';

const plain = {
  em: 'Zebulon.Quagmire@Privat-Mail.Example',
  ph: '+49 (151) 2345-67890',
  fn: 'Zebulonia',
  ln: 'Quagmirowski',
  external: 'customer-Xylophon-4711',
};
/** Every spelling that could survive: as sent, normalised, and escaped in a link. */
const needles = [
  plain.em,
  plain.em.toLowerCase(),
  encodeURIComponent(plain.em),
  'quagmire@privat',
  plain.ph,
  '4915123456',
  '151) 2345',
  plain.fn,
  plain.fn.toLowerCase(),
  plain.ln,
  plain.ln.toLowerCase(),
  plain.external,
];

const folder = mkdtempSync(join(tmpdir(), 'sidelight-pii-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Sends personal data through every door that takes it, good and bad requests alike, and returns
 * what was logged.
 */
async function sendEverything(db: Database, nodeDir: string): Promise<string> {
  const lines: string[] = [];
  const config = readConfig({
    DATA_DIR: nodeDir,
    DEMO: '0',
    MATCHING: 'fast',
    LOG_LEVEL: 'debug',
    JOURNAL_KEEP_MINUTES: '0',
  });
  const app = await buildApp({
    config,
    db,
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    clock: Date.now,
    nodeDir,
    outbound: () => Promise.reject(new Error('no way out')),
  });
  try {
    const { mintId } = app.services;
    const { apiKey } = await db.transaction((tx) =>
      openAdvertiser(
        { tx, mintId, now: Date.now() },
        { name: 'A', email: 'a@test.example', billingEnabled: true },
      ),
    );
    await app.services.directory.refresh();
    const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
      app.http.inject({
        method: 'POST',
        url,
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          ...headers,
        },
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      });
    const user_data = {
      em: [plain.em],
      ph: [plain.ph],
      fn: plain.fn,
      ln: plain.ln,
      external_id: [plain.external],
    };
    const url = `https://shop.example/thanks?email=${encodeURIComponent(plain.em)}&phone=${encodeURIComponent(plain.ph)}&first_name=${plain.fn}`;
    const event = {
      event_name: 'Purchase',
      event_id: 'p1',
      event_time: Math.floor(Date.now() / 1000),
      event_source_url: url,
      action_source: plain.em,
      user_data,
      client_context: {
        timezone: plain.em,
        screen: { [plain.em]: plain.em, width: 9 },
        customer: plain.fn,
      },
      custom_data: {
        value: 5,
        order_id: plain.em,
        content_name: `Gift for ${plain.em}`,
        note: plain.ln,
        contents: [{ id: plain.em, title: plain.em, buyer: plain.fn }],
      },
    };
    const answer = await post('/gateway/events', {
      data: [
        event,
        { ...event, event_id: plain.em },
        { ...event, event_id: 'p3', event_time: plain.ph },
        { ...event, event_id: 'p4', opt_out: true },
        { ...event, event_name: `Order of ${plain.em}` },
        { ...event, event_name: plain.em },
      ],
      note: plain.em,
    });
    assert.deepEqual(
      answer.json().results.map((result: { status: string }) => result.status),
      ['ok', 'ok', 'error', 'skipped', 'ok', 'error'],
    );
    await post('/gateway/events', { data: [event], test_event_code: plain.em });
    await post('/gateway/events', { data: plain.em });
    await post('/gateway/events', `{"data": "${plain.em}`);
    await post(
      `/gateway/events?api_key=${encodeURIComponent(plain.em)}`,
      { data: [event] },
      { authorization: '' },
    );
    const pixel = (
      await app.http.inject({
        method: 'POST',
        url: '/advertiser-dashboard/pixels',
        headers: { 'x-api-key': apiKey },
        payload: { url: 'shop.example' },
      })
    ).json();
    const page = {
      event_type: 'page_view',
      event_id: 'v1',
      url,
      timestamp: Date.now(),
      properties: { ...user_data, title: plain.em },
    };
    for (const events of [
      [page, { ...page, event_type: 'Lead', event_id: 'l1' }],
      [{ ...page, event_type: plain.em }],
      [{ ...page, event_id: plain.em }],
      plain.em,
    ])
      await post('/track/gr-events', {
        pixel_id: pixel.id,
        visitor_id: 'v',
        session_id: 's',
        events,
      });
    await converse(app, db, nodeDir);
    await post('/privacy/opt-out', user_data);
    await post('/privacy/opt-out', { em: { bad: plain.em } });
    await app.services.jobs.runDue();
  } finally {
    await app.close();
  }
  return lines.join('');
}

/**
 * The same data as a publisher would send it: names of users and sessions, and what people write.
 */
async function converse(app: App, db: Database, nodeDir: string): Promise<void> {
  const { apiKey, id } = await db.transaction((tx) =>
    openPublisher(
      { tx, mintId: app.services.mintId, now: Date.now() },
      { name: 'P', url: 'https://chat.example', status: 'approved' },
    ),
  );
  await app.services.directory.refresh();
  const post = (url: string, payload: Record<string, unknown>) =>
    app.http.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${apiKey}`, 'x-api-key': apiKey },
      payload,
    });
  const words = `I am reached at ${plain.em} or ${plain.ph}, see https://x.example/users/${plain.fn}`;
  const [ad] = (
    await post('/api/v1/ad', {
      messages: [{ role: 'user', content: words }],
      sessionId: plain.external,
      user: { id: plain.em, hashed_email: plain.em },
      userId: plain.external,
      placements: [{ placement: 'below_response', placement_id: 'main' }],
      testAd: true,
    })
  ).json();
  await post('/api/v1/ad', {
    messages: [{ role: 'user', content: words }],
    sessionId: plain.external,
    user: { id: plain.external },
    placements: [{ placement: 'below_response', placement_id: 'main' }],
  });
  await post('/ad-feedback', {
    sessionId: plain.external,
    userId: plain.external,
    impUrl: ad.impUrl,
    sentiment: 'thumbs_down',
    comment: words,
    reasons: [plain.em],
  });
  for (const url of ['/search', '/shop/search'])
    assert.equal(
      (
        await post(url, {
          query: `an email api, ${words}`,
          external_user_id: plain.external,
          external_session_id: plain.external,
          hashed_email: plain.em,
          metadata: { note: words },
        })
      ).statusCode,
      200,
    );
  const names = [plain.external, plain.em].map((name) => app.services.pseudonyms.user(id, name));
  const journalled = (): string[] => names.filter((name) => filesWith(nodeDir, name) > 0);
  assert.deepEqual(journalled(), names, 'the journal knows them by their pseudonyms');
  const { pathname } = new URL(ad.choicesUrl);
  const byLink = await app.http.inject({
    method: 'POST',
    url: `${pathname}?action=delete`,
    headers: { accept: 'application/json' },
  });
  assert.equal(byLink.statusCode, 200, byLink.body);
  const erased = await post('/publisher-dashboard/privacy-requests', {
    kind: 'erase',
    user_id: [plain.external, plain.em],
    session_id: plain.external,
    em: plain.em,
  });
  assert.equal(erased.statusCode, 200, erased.body);
  assert.equal(erased.json().found.searches, 2);
  assert.deepEqual(journalled(), [], 'and no longer does');
}

/** How many files of the journal hold the text. */
function filesWith(nodeDir: string, text: string): number {
  return readdirSync(nodeDir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(nodeDir, name))
    .filter((file) => file.includes('journal') && statSync(file).isFile())
    .filter((file) => readFileSync(file).includes(text)).length;
}

function findNeedle(bytes: Buffer): string | undefined {
  return needles.find((needle) => bytes.includes(needle));
}

function assertClean(root: string): number {
  let read = 0;
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const file = join(root, name);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    const bytes = readFileSync(file);
    read += bytes.length;
    assert.equal(findNeedle(bytes), undefined, `${findNeedle(bytes)} in ${name}`);
  }
  return read;
}

describe('personal data', () => {
  it('is in no byte of the embedded store, its log, the spool or the server’s log', async () => {
    const config = readConfig({ DATA_DIR: folder, DEMO: '0' });
    const store = await openStore(config);
    const logged = await sendEverything(store.db, store.nodeDir);
    const hashed = await store.db.query(
      `select 1 from conversions where details::text like '%"em":["%'`,
    );
    assert.ok(hashed.length > 0);
    await store.db.query('checkpoint');
    await store.close();
    assert.equal(findNeedle(Buffer.from(logged)), undefined);
    assert.ok(assertClean(folder) > 1_000_000);
  });

  it('is in no byte a PostgreSQL server wrote', async () => {
    const { database } = await openServerTestDatabase();
    const nodeDir = mkdtempSync(join(folder, 'node-'));
    try {
      const logged = await sendEverything(database, nodeDir);
      assert.equal(findNeedle(Buffer.from(logged)), undefined);
      await database.query('checkpoint');
      const [place] = await database.query<{ dir: string; db: string; wal: string }>(
        `select current_setting('data_directory') as dir,
           (select oid::text from pg_database where datname = current_database()) as db,
           pg_walfile_name(pg_current_wal_lsn()) as wal`,
      );
      assert.ok(place !== undefined);
      assertClean(join(place.dir, 'base', place.db));
      assert.equal(findNeedle(readFileSync(join(place.dir, 'pg_wal', place.wal))), undefined);
      assertClean(nodeDir);
    } finally {
      await database.close();
    }
  });
});
