import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import { openServerDatabase } from '../../src/platform/db/open-server-database.js';
import { UnreachableDatabase } from '../../src/platform/db/unreachable-database.js';
import { revokeKeys } from '../../src/surfaces/accounts/queries.js';
import { silentLog } from '../../src/platform/log.js';
import { insertLiveCampaign } from '../support/live-campaign.js';
import { type SilentProxy, startSilentProxy } from '../support/silent-proxy.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { openServerTestDatabase } from '../support/test-database.js';

type Opened = Awaited<ReturnType<typeof openServerTestDatabase>>;

/**
 * Short while the database is silent, so that nobody waits; long otherwise, because a crowded
 * machine is slow to answer and not away.
 */
let isImpatient = false;
const silenceMs = (): number => (isImpatient ? 500 : 60_000);

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

describe('a database that falls silent', () => {
  let direct: Opened;
  let proxy: SilentProxy;
  /** Trusts what it remembers for a moment only, and for ever. */
  let careful: TestApp;
  let trusting: TestApp;
  const address = new Map<TestApp, string>();
  let [publisherId, publisherKey, advertiserKey] = ['', '', ''];
  let sessions = 0;

  before(async () => {
    direct = await openServerTestDatabase();
    proxy = await startSilentProxy(direct.url);
    const node = async (UNHEARD_SECONDS: string): Promise<TestApp> => {
      const app = await buildTestApp(
        await openServerDatabase(proxy.url, { maxConnections: 4, silenceMs }),
        { environment: { UNHEARD_SECONDS } },
      );
      address.set(app, await app.http.listen({ port: 0, host: '127.0.0.1' }));
      return app;
    };
    careful = await node('3');
    trusting = await node('0');
    const advertiser = await careful.newAdvertiser();
    const publisher = await careful.newPublisher();
    [publisherId, publisherKey, advertiserKey] = [
      publisher.id,
      publisher.apiKey,
      advertiser.apiKey,
    ];
    const { campaignId } = await insertLiveCampaign(careful, advertiser.id, {
      context: 'hiking boots for wide feet',
      maxCpmMicros: 5_000_000,
    });
    await trusting.services.directory.refresh();
    await trusting.serving.inventory.refresh([campaignId]);
    for (const app of [careful, trusting, careful]) await app.serving.balance();
  });
  after(async () => {
    await proxy.close();
    await direct.database.close();
  });

  const get = (app: TestApp, path: string, key?: string): Promise<Response> =>
    fetch(`${address.get(app)}${path}`, key === undefined ? {} : { headers: { 'x-api-key': key } });
  const ask = (app: TestApp): Promise<Response> =>
    fetch(`${address.get(app)}/api/v1/ad`, {
      method: 'POST',
      headers: { authorization: `Bearer ${publisherKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        messages: [{ role: 'user', content: 'which hiking boots are good for wide feet?' }],
        sessionId: `s${(sessions += 1)}`,
        placements: [{ placement: 'below_response', placement_id: 'main' }],
      }),
    });
  const report = (app: TestApp): Promise<Response> =>
    get(app, '/advertiser-dashboard/campaigns', advertiserKey);
  const isAway = async (app: TestApp): Promise<boolean> =>
    ((await (await get(app, '/health')).json()) as { database: string }).database === 'away';

  it('a connection that was cut alone is found, and the next one answers', async () => {
    const db = await openServerDatabase(proxy.url, { maxConnections: 1, silenceMs });
    await db.query('select 1');
    proxy.cutAll();
    isImpatient = true;
    await assert.rejects(db.query('select 1'), UnreachableDatabase);
    isImpatient = false;
    await until(() =>
      db.query('select 1').then(
        () => true,
        () => false,
      ),
    );
    await db.close();
    for (const app of [careful, trusting])
      await until(async () => !(await isAway(app)) && (await report(app)).status === 200);
  });

  it('fails what needs it with 503, serves what is remembered, and in the end only what it can vouch for', async () => {
    for (const app of [careful, trusting]) await until(async () => (await ask(app)).status === 200);
    proxy.silence();
    isImpatient = true;
    // Asked while nobody knows yet, and again when it is known.
    const waiting = await Promise.all(Array.from({ length: 8 }, () => report(trusting)));
    for (const answer of waiting) {
      assert.equal(answer.status, 503);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
    }
    await until(() => isAway(trusting));
    assert.equal((await get(trusting, '/health')).status, 200);
    assert.equal((await report(trusting)).status, 503);
    await direct.database.transaction((tx) => revokeKeys(tx, 'publisher', publisherId));
    await until(async () => (await ask(careful)).status === 503);
    assert.equal((await ask(trusting)).status, 200);
    // Each of them finds out by itself.
    await until(() => isAway(careful));
    const unready = await get(careful, '/ready');
    assert.equal(unready.status, 503);
    const { ready, checks } = (await unready.json()) as {
      ready: boolean;
      checks: Record<string, { ok: boolean; reason?: string }>;
    };
    assert.deepEqual(
      [ready, checks['database']?.ok, checks['serving']?.reason, checks['disk']?.ok],
      [false, false, 'database_silent', true],
    );
    // It lives, so it is not started anew, and it does not call itself ready.
    const living = await get(careful, '/health');
    const told = (await living.json()) as Record<string, unknown>;
    assert.deepEqual(
      [living.status, told['status'], told['ready'], told['reason']],
      [200, 'ok', false, 'database_silent'],
    );
    const degraded = await get(trusting, '/ready');
    const trusted = (await (await get(trusting, '/health')).json()) as Record<string, unknown>;
    assert.deepEqual([trusted['ready'], trusted['reason']], [true, undefined]);
    assert.deepEqual(
      [degraded.status, ((await degraded.json()) as { status: string }).status],
      [200, 'degraded'],
    );
  });

  it('what was revoked meanwhile is refused as soon as it is heard again', async () => {
    isImpatient = false;
    proxy.restore();
    for (const app of [careful, trusting]) {
      await until(async () => !(await isAway(app)));
      await until(async () => (await ask(app)).status === 401);
      await until(async () => (await report(app)).status === 200);
    }
    // What was answered meanwhile is counted now.
    await until(async () => {
      const rows = await direct.database.query(
        `select 1 from events where kind = 'request' limit 1`,
      );
      return rows.length > 0;
    });
  });

  it('is logged when it begins and when it ends, not with every try', async () => {
    const lines: { message: string; fields: Record<string, unknown> }[] = [];
    const note = (fields: Record<string, unknown>, message: string): void =>
      void lines.push({ message, fields });
    const failures = () =>
      lines.filter(({ fields }) => /UnreachableDatabase|cannot reach/.test(JSON.stringify(fields)));
    const noted = await buildTestApp(
      await openServerDatabase(proxy.url, { maxConnections: 4, silenceMs }),
      { log: { ...silentLog, info: note, warn: note, error: note } },
    );
    address.set(noted, await noted.http.listen({ port: 0, host: '127.0.0.1' }));
    noted.start();
    try {
      proxy.silence();
      isImpatient = true;
      await until(() => isAway(noted));
      const before = failures().length;
      assert.ok(before <= new Set(failures().map(({ message }) => message)).size);
      for (let tries = 0; tries < 5; tries += 1) {
        assert.equal((await report(noted)).status, 503);
        await sleep(300);
      }
      assert.deepEqual(failures().slice(before), []);
      assert.ok(failures().every(({ fields }) => fields['stack'] === undefined));
      isImpatient = false;
      proxy.restore();
      const over = () => lines.find(({ message }) => message === 'the database answers again');
      await until(async () => over() !== undefined);
      assert.ok(Number(over()?.fields['failedTries']) >= 5);
    } finally {
      isImpatient = false;
      proxy.restore();
      await noted.close();
    }
  });

  it('does not keep a node from ending', async () => {
    const isIdle = (): boolean => careful.services.eventLog.stats.journalled === 0;
    await until(async () => isIdle());
    proxy.silence();
    isImpatient = true;
    await Promise.all([careful.close(), trusting.close()]);
  });
});
