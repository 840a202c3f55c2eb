import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { after, describe, it } from 'node:test';
import { startCollector } from '../support/collector.js';
import { startSilentProxy } from '../support/silent-proxy.js';
import { openServerTestDatabase } from '../support/test-database.js';

const main = fileURLToPath(new URL('../../server/main.js', import.meta.url));
const sources = fileURLToPath(new URL('../../../scripts/', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'sidelight-cli-'));
let folders = 0;
const newFolder = (): string => {
  const path = join(root, String((folders += 1)));
  mkdirSync(path);
  return path;
};

interface Ended {
  code: number | null;
  out: string;
  complaint: string;
}

const quiet = {
  HOST: '127.0.0.1',
  PORT: '0',
  DEMO: '0',
  MATCHING: 'fast',
  LOG_LEVEL: 'silent',
  // A crowded machine is slow to answer, and not away.
  DATABASE_SILENCE_MS: '60000',
  DRAIN_SECONDS: '0',
  SHUTDOWN_SECONDS: '120',
  PATH: process.env['PATH'],
};

function start(
  args: readonly string[],
  environment: Record<string, string>,
): {
  child: ChildProcess;
  ended: Promise<Ended>;
  ready: Promise<string>;
  complained: Promise<string>;
} {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: root,
    env: { ...quiet, ...environment },
  });
  let out = '';
  let complaint = '';
  const complained = new Promise<string>((resolve) => {
    child.stderr.on('data', (part: Buffer) => {
      complaint += part.toString();
      if (complaint.includes('\n')) resolve(complaint);
    });
  });
  const ready = new Promise<string>((resolve) => {
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString();
      const address = /ready at (\S+)/.exec(out)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code) => resolve({ code, out, complaint })),
  );
  return { child, ended, ready, complained };
}

/** One line that says what to do, nothing else, and no success. */
async function complains(
  args: readonly string[],
  environment: Record<string, string>,
  expected: RegExp,
  code = 1,
): Promise<void> {
  const ended = await start(args, environment).ended;
  assert.match(ended.complaint, expected);
  assert.equal(ended.complaint.trim().split('\n').length, 1, ended.complaint);
  assert.equal(ended.code, code);
}

/** The id of an ad request a server answered. */
async function askForAd(address: string, key: string): Promise<string> {
  const asked = await fetch(`${address}/api/v1/ad`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"messages":[{"role":"user","content":"a kettle"}],"sessionId":"s","placements":[{"placement":"below_response","placement_id":"p"}]}',
  });
  return asked.headers.get('x-ad-request-id') ?? '';
}

/** Waits until copies of the journals in a folder tell of a request. */
async function untilShipped(shipped: string, requestId: string): Promise<void> {
  const isShipped = (): boolean =>
    readdirSync(shipped, { recursive: true }).some(
      (name) =>
        String(name).endsWith('.log') &&
        readFileSync(join(shipped, String(name)), 'utf8').includes(requestId),
    );
  while (!isShipped()) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** A moment that is over. */
async function aMoment(): Promise<number> {
  const moment = Date.now();
  while (Date.now() === moment) await new Promise(setImmediate);
  return moment;
}

describe('the command line', () => {
  after(() => rmSync(root, { recursive: true, force: true }));

  it('says that the port is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    // A server that listens on TCP has an address object.
    const { port } = holder.address() as AddressInfo;
    await complains(
      ['serve'],
      { PORT: String(port), DATA_DIR: newFolder() },
      process.platform === 'linux'
        ? new RegExp(`port ${port} is taken by process ${process.pid} \\(.*PORT`)
        : new RegExp(`port ${port} is taken.*PORT`),
    );
    holder.close();
  });

  /** A clone that was never started, with nothing but what a first start reads. */
  const newClone = (): string => {
    const clone = newFolder();
    mkdirSync(join(clone, 'scripts'));
    for (const name of ['start.mjs', 'bootstrap.mjs'])
      copyFileSync(join(sources, name), join(clone, 'scripts', name));
    writeFileSync(join(clone, 'package.json'), '{"name":"clone","version":"1.0.0"}');
    const packages = {
      '': { name: 'clone', version: '1.0.0', dependencies: { absent: '1.0.0' } },
      'node_modules/absent': { version: '1.0.0' },
    };
    writeFileSync(
      join(clone, 'package-lock.json'),
      JSON.stringify({ name: 'clone', version: '1.0.0', lockfileVersion: 3, packages }),
    );
    writeFileSync(
      join(clone, 'package.json'),
      '{"name":"clone","version":"1.0.0","dependencies":{"absent":"1.0.0"}}',
    );
    // Nobody listens there.
    writeFileSync(join(clone, '.npmrc'), 'registry=http://127.0.0.1:9/\nfetch-retries=0\n');
    return clone;
  };
  const startClone = async (clone: string, ...options: string[]): Promise<Ended> => {
    const child = spawn(process.execPath, [...options, join(clone, 'scripts/start.mjs')], {
      cwd: clone,
      env: { PATH: process.env['PATH'], HOME: clone, npm_config_cache: join(clone, 'cache') },
    });
    let [out, complaint] = ['', ''];
    child.stdout.on('data', (part: Buffer) => (out += part.toString()));
    child.stderr.on('data', (part: Buffer) => (complaint += part.toString()));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, out, complaint };
  };

  it('a first start without network says what is missing', async () => {
    const { code, complaint } = await startClone(newClone());
    assert.equal(code, 1);
    assert.match(complaint, /needs the network: the packages named in package-lock\.json/);
    assert.doesNotMatch(complaint, /\n\s+at /);
  });

  it('an old Node is told in one line which one is needed', async () => {
    const clone = newClone();
    const old = join(clone, 'old.cjs');
    writeFileSync(
      old,
      `Object.defineProperty(process, 'version', { value: 'v18.20.4' });
       Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });`,
    );
    assert.deepEqual(await startClone(clone, '--require', old), {
      code: 1,
      out: '',
      complaint: 'Sidelight needs Node 20 or newer; this is v18.20.4.\n',
    });
  });

  it('says that the data folder cannot be written', async () => {
    const blocked = join(newFolder(), 'file');
    writeFileSync(blocked, '');
    await complains(['serve'], { DATA_DIR: join(blocked, 'data') }, /DATA_DIR/);
    if (process.getuid?.() === 0) return;
    const locked = newFolder();
    chmodSync(locked, 0o500);
    await complains(['serve'], { DATA_DIR: locked }, /DATA_DIR/);
  });

  it('serves until told to stop, keeps others out of its data folder meanwhile, and leaves it in order', async () => {
    const DATA_DIR = newFolder();
    const first = start(['serve'], { DATA_DIR });
    const address = await first.ready;
    const health = await fetch(`${address}/health`);
    assert.equal(health.status, 200);
    const { status, ready } = (await health.json()) as { status: string; ready: boolean };
    assert.deepEqual([status, ready], ['ok', true]);
    await complains(['serve'], { DATA_DIR }, /in use.*DATA_DIR/);
    await complains(['migrate'], { DATA_DIR }, /in use.*DATA_DIR/);
    await complains(
      ['serve'],
      { DATA_DIR, PORT: new URL(address).port },
      new RegExp(`already runs in this folder, at ${address}`),
    );
    first.child.kill('SIGINT');
    const ended = await first.ended;
    assert.deepEqual([ended.code, ended.complaint], [0, '']);
    const verified = await start(['verify'], { DATA_DIR }).ended;
    assert.equal(verified.code, 0, verified.complaint);
  });

  it('refuses a damaged backup in one line and leaves nothing behind', async () => {
    const whole = gzipSync(Buffer.alloc(100_000, 'not a tar'));
    for (const bytes of [Buffer.from('not a backup'), whole, whole.subarray(0, 80)]) {
      const DATA_DIR = newFolder();
      const file = join(newFolder(), 'backup.tar.gz');
      writeFileSync(file, bytes);
      await complains(['restore', file], { DATA_DIR }, /not a whole backup/);
      assert.deepEqual(readdirSync(DATA_DIR), []);
    }
  });

  it('still answers after SIGTERM, as the last of each connection, and is no longer ready', async () => {
    const server = start(['serve'], { DATA_DIR: newFolder(), DRAIN_SECONDS: '60' });
    const address = await server.ready;
    const before = await fetch(`${address}/ready`);
    assert.deepEqual([before.status, before.headers.get('connection')], [200, 'keep-alive']);
    server.child.kill('SIGTERM');
    let probe = await fetch(`${address}/ready`);
    while (probe.status === 200) probe = await fetch(`${address}/ready`);
    assert.deepEqual([probe.status, probe.headers.get('connection')], [503, 'close']);
    const answer = await fetch(`${address}/docs`);
    assert.deepEqual([answer.status, answer.headers.get('connection')], [200, 'close']);
    // Told twice it does not wait.
    server.child.kill('SIGTERM');
    assert.equal((await server.ended).code, 130);
  });

  it('waits for a database that does not answer and says so in one line, without its password', async () => {
    const { database, url } = await openServerTestDatabase();
    const proxy = await startSilentProxy(url);
    proxy.refuse();
    const address = new URL(proxy.url);
    address.password = 'hunter2';
    const server = start(['serve'], { DATABASE_URL: address.href, DATA_DIR: newFolder() });
    const complaint = await server.complained;
    assert.match(complaint, /cannot reach the database.*DATABASE_URL/);
    assert.doesNotMatch(complaint, /hunter2/);
    proxy.restore();
    await server.ready;
    server.child.kill('SIGTERM');
    const ended = await server.ended;
    assert.equal(ended.complaint.trim().split('\n').length, 1, ended.complaint);
    assert.equal(ended.code, 0);
    await proxy.close();
    await database.close();
  });

  it('does not wait for a database that refuses it', async () => {
    const { database, url } = await openServerTestDatabase();
    const nowhere = new URL(url);
    nowhere.pathname = '/no_such_database';
    await complains(
      ['serve'],
      { DATABASE_URL: nowhere.href, DATA_DIR: newFolder() },
      /cannot reach the database.*DATABASE_URL/,
    );
    await database.close();
  });

  it('a role without rights is told what to grant', async () => {
    const { database, url } = await openServerTestDatabase();
    const role = `without_rights_${process.pid}`;
    await database.query(`create role ${role} login password 'none'`);
    const stranger = new URL(url);
    stranger.username = role;
    stranger.password = 'none';
    await complains(
      ['serve'],
      { DATABASE_URL: stranger.href, DATA_DIR: newFolder() },
      /GRANT USAGE, CREATE ON SCHEMA public TO/,
    );
    await database.query(`drop role ${role}`);
    await database.close();
  });

  it('leaves a database made by a newer version alone', async () => {
    const { database, url } = await openServerTestDatabase();
    const [table] = await database.query<{ name: string }>(
      `select table_name as name
       from information_schema.columns
       where column_name = 'checksum' and table_schema = 'public'`,
    );
    assert.ok(table !== undefined);
    await database.query(
      `insert into ${table.name}
       select (
           jsonb_populate_record(
             m, '{"number": 9999, "version": 9999, "id": 9999, "name": "9999_future"}'
           )
         ).*
       from ${table.name} m
       limit 1`,
    );
    await complains(['serve'], { DATABASE_URL: url, DATA_DIR: newFolder() }, /newer/);
    await database.close();
  });

  it('starts several nodes at once on an empty database; one of them opens the demo accounts', async () => {
    const { database, url } = await openServerTestDatabase({ migrated: false });
    const folders = [newFolder(), newFolder(), newFolder()];
    const shipped = newFolder();
    const shipping = { JOURNAL_SHIP_DIR: shipped, JOURNAL_SHIP_SECONDS: '1' };
    const nodes = folders.map((DATA_DIR) =>
      start(['serve'], { DATABASE_URL: url, DATA_DIR, DEMO: 'accounts', ...shipping }),
    );
    const outcomes = await Promise.all(
      nodes.map(({ ready, ended }) =>
        Promise.race([ready.then(() => 'ready'), ended.then(({ complaint }) => complaint)]),
      ),
    );
    assert.deepEqual(outcomes, ['ready', 'ready', 'ready']);
    const file = join(newFolder(), 'backup.jsonl.gz');
    const passphrase = { BACKUP_PASSPHRASE: 'a passphrase for the test' };
    const settings = { DATABASE_URL: url, DATA_DIR: folders[0] ?? '', ...passphrase };
    const saved = await start(['backup', file], settings).ended;
    assert.deepEqual([saved.code, saved.complaint], [0, '']);
    const withDemo = folders.filter((folder) => existsSync(join(folder, 'demo.json')));
    assert.equal(withDemo.length, 1);
    // Each node has a journal of its own.
    // Written by the server just now.
    const { publisher } = JSON.parse(
      readFileSync(join(withDemo[0] ?? '', 'demo.json'), 'utf8'),
    ) as { publisher: { api_key: string } };
    const addresses = await Promise.all(nodes.map(({ ready }) => ready));
    const behind: string[] = [];
    for (const address of addresses) behind.push(await askForAd(address, publisher.api_key));
    const moment = await aMoment();
    const lateId = await askForAd(addresses[1] ?? '', publisher.api_key);
    for (const id of [...behind, lateId]) await untilShipped(shipped, id);
    for (const { child } of nodes) child.kill('SIGTERM');
    await Promise.all(nodes.map(({ ended }) => ended));

    const target = await openServerTestDatabase({ migrated: false });
    const toMoment = { DATABASE_URL: target.url, DATA_DIR: newFolder(), ...passphrase };
    const until = ['--journal', shipped, '--until', new Date(moment).toISOString()];
    const replayed = await start(['restore', file, ...until], toMoment).ended;
    assert.deepEqual([replayed.code, replayed.complaint], [0, '']);
    assert.match(replayed.out, /applied 3 events/);
    const requests = await target.database.query<{ id: string }>(
      `select id::text as id from events where kind = 'request' order by at`,
    );
    assert.deepEqual(
      requests.map(({ id }) => id),
      behind,
    );
    assert.match((await start(['verify'], toMoment).ended).out, /^ok .*limits/m);
    await target.database.close();
    // Their secret lies in the store; a sealed copy does not give it to who finds the file.
    const restored = { DATA_DIR: newFolder() };
    await complains(['restore', file], settings, /already has data/);
    assert.match((await start(['restore', file], restored).ended).out, /restored \d+ rows/);
    await complains(['keys', 'rotate-tracking'], restored, /BACKUP_PASSPHRASE/);
    const rotated = await start(['keys', 'rotate-tracking'], { ...restored, ...passphrase }).ended;
    assert.equal(rotated.code, 0, rotated.complaint);
    writeFileSync(`${file}.cut`, readFileSync(file).subarray(0, -200));
    const empty = newFolder();
    await complains(['restore', `${file}.cut`], { DATA_DIR: empty }, /not a whole export/);
    assert.deepEqual(readdirSync(empty), []);
    await database.close();
  });

  it('opens accounts, replaces keys, erases, imports and checks through the running server', async () => {
    const DATA_DIR = newFolder();
    const collector = await startCollector();
    const server = start(['serve'], {
      DATA_DIR,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=t1',
      TRACES_PERCENT: '100',
    });
    const address = await server.ready;
    const run = async (...args: string[]) => {
      const ended = await start(args, { DATA_DIR }).ended;
      assert.equal(ended.code, 0, ended.complaint);
      return ended.out;
    };
    const out = await run(
      'accounts',
      'create',
      'publisher',
      '--name=Live',
      '--email=live@test.example',
      '--approved',
    );
    const [id = '', key = ''] = [/id +(\S+)/.exec(out)?.[1], /api key +(\S+)/.exec(out)?.[1]];
    const stats = async (apiKey: string): Promise<number> =>
      (await fetch(`${address}/publisher-dashboard/stats`, { headers: { 'x-api-key': apiKey } }))
        .status;
    assert.equal(await stats(key), 200);
    assert.match(await run('accounts', 'list'), new RegExp(`publisher +${id} +approved +Live`));
    const fresh = (await run('keys', 'regenerate', id)).trim();
    assert.deepEqual([await stats(key), await stats(fresh)], [401, 200]);
    assert.match(await run('keys', 'list', id), /default/);
    assert.match(await run('privacy', 'erase', '--email=ada@test.example'), /^erased: 0 links/);
    assert.match(await run('privacy', 'opt-out', '--email=ada@test.example'), /opt-out list/);
    const feed = join(newFolder(), 'feed.csv');
    writeFileSync(
      feed,
      'id,title,description,link,image_link,price,availability\nsku1,Copper kettle,Boils,https://shop.example/kettle,https://shop.example/kettle.jpg,20.00 USD,in stock\n',
    );
    assert.match(await run('catalog', 'import', feed, '--merchant=Kettles'), /1 written/);
    assert.match(await run('catalog', 'runs'), /Kettles {2}1 read, 1 written/);
    assert.match(await run('verify'), /^ok .*ledger/m);
    await complains(['keys', 'list', 'nobody'], { DATA_DIR }, /there is no account nobody/);
    await complains(['keys', 'dance'], { DATA_DIR }, /--help/, 2);
    await run('accounts', 'block', id);
    assert.match(await run('accounts', 'list'), /blocked/);
    assert.match(await run('keys', 'rotate-tracking'), /tracking key 2/);
    server.child.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
    assert.equal(existsSync(join(DATA_DIR, 'admin.json')), false);
    // What was not sent yet was sent in leaving.
    const { traces, metrics } = await collector.close();
    assert.match(traces, /"GET \/publisher-dashboard\/stats".*"http.response.status_code".*401/);
    assert.match(metrics, /"name":"sidelight_http_request_seconds".*"explicitBounds":\[0.001/);
    assert.match(metrics, /"name":"sidelight_journal_lag_seconds"/);
    assert.match(await run('accounts', 'list'), new RegExp(`publisher +${id} +blocked +Live`));
  });

  it('backs up a running server, which can be restored with the passphrase and nothing else', async () => {
    const DATA_DIR = newFolder();
    const passphrase = { BACKUP_PASSPHRASE: 'a passphrase for the test' };
    const shipped = newFolder();
    const server = start(['serve'], {
      DATA_DIR,
      JOURNAL_SHIP_DIR: shipped,
      JOURNAL_SHIP_SECONDS: '1',
    });
    const address = await server.ready;
    const run = async (args: string[], settings: Record<string, string>) => {
      const ended = await start(args, settings).ended;
      assert.deepEqual([ended.code, ended.complaint], [0, '']);
      return ended.out;
    };
    const opening = ['accounts', 'create', 'publisher', '--name=Live', '--email=live@test.example'];
    const key = /api key +(\S+)/.exec(await run([...opening, '--approved'], { DATA_DIR }))?.[1];
    const requestId = await askForAd(address, key ?? '');
    const file = join(newFolder(), 'backup.tar.gz');
    await run(['backup', file], { DATA_DIR, ...passphrase });
    assert.equal((await fetch(`${address}/health`)).status, 200);
    const behindId = await askForAd(address, key ?? '');
    const moment = await aMoment();
    const lateId = await askForAd(address, key ?? '');
    await untilShipped(shipped, lateId);
    server.child.kill('SIGTERM');
    await server.ended;
    assert.deepEqual(
      readdirSync(DATA_DIR).filter((name) => name.includes('backup')),
      [],
    );

    const restored = { DATA_DIR: newFolder() };
    await run(['restore', file], restored);
    assert.match(await run(['explain', requestId], restored), new RegExp(requestId));
    assert.match(await run(['verify'], restored), /^ok .*limits/m);
    await complains(['serve'], restored, /BACKUP_PASSPHRASE/);
    const again = start(['serve'], { ...restored, ...passphrase });
    const stats = await fetch(`${await again.ready}/publisher-dashboard/stats`, {
      headers: { 'x-api-key': key ?? '' },
    });
    assert.equal(stats.status, 200);
    again.child.kill('SIGTERM');
    await again.ended;

    const toMoment = { DATA_DIR: newFolder() };
    const until = new Date(moment).toISOString();
    const behind = ['--journal', shipped, '--until', until];
    assert.match(await run(['restore', file, ...behind], toMoment), /applied 1 events/);
    assert.match(await run(['explain', behindId], toMoment), new RegExp(behindId));
    assert.notEqual((await start(['explain', lateId], toMoment).ended).code, 0);
    const none = { DATA_DIR: newFolder() };
    await complains(['restore', file, '--until', until], none, /--journal/, 2);

    const bytes = readFileSync(file);
    for (const at of [0.3, 0.6, 0.9]) {
      const damaged = Buffer.from(bytes);
      const place = Math.floor(damaged.length * at);
      damaged[place] = (damaged[place] ?? 0) ^ 1;
      writeFileSync(`${file}.damaged`, damaged);
      const folder = newFolder();
      await complains(['restore', `${file}.damaged`], { DATA_DIR: folder }, /not a whole backup/);
      assert.deepEqual(readdirSync(folder), []);
    }
  });

  it('in public makes no demo and prints a link for the first operator, until there is one', async () => {
    const DATA_DIR = newFolder();
    const settings = { DATA_DIR, HOST: '0.0.0.0', DEMO: 'auto' };
    const first = start(['serve'], settings);
    const address = await first.ready;
    assert.equal(existsSync(join(DATA_DIR, 'demo.json')), false);
    first.child.kill('SIGTERM');
    const { out } = await first.ended;
    const link = /https?:\S+\/app\/link#(\S+)/.exec(out);
    assert.ok(link !== null && address !== '', out);
    const second = start(['serve'], settings);
    const again = await second.ready;
    const used = await fetch(`${again}/links/use`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        token: link[1],
        email: 'boss@test.example',
        password: 'a long enough password',
      }),
    });
    assert.equal(used.status, 200);
    second.child.kill('SIGTERM');
    await second.ended;
    const third = start(['serve'], settings);
    await third.ready;
    third.child.kill('SIGTERM');
    assert.doesNotMatch((await third.ended).out, /app\/link/);
  });

  it('lists every wrong setting, and nothing of their values', async () => {
    const ended = await start(['serve'], {
      PORT: 'x',
      SECRET_KEY: 'short',
      DEMO: '7',
      DATA_DIR: newFolder(),
    }).ended;
    for (const name of ['PORT', 'SECRET_KEY', 'DEMO'])
      assert.match(ended.complaint, new RegExp(`${name} must`));
    assert.doesNotMatch(ended.complaint, /short/);
    assert.equal(ended.code, 1);
  });

  it('says which setting names a file that is not there or wrong', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'clouds'), '10.0.0.0/8\nexample.com\n');
    for (const [name, file, reason] of [
      ['GEO_MMDB', 'none', 'no such file'],
      ['DATA_CENTRES', 'none', 'no such file'],
      ['DATA_CENTRES', 'clouds', 'line 2'],
    ] as const) {
      const ended = await start(['serve'], { [name]: join(folder, file), DATA_DIR: newFolder() })
        .ended;
      assert.match(
        ended.complaint,
        new RegExp(`${name} names a file that cannot be used: .*${reason}`),
      );
      assert.doesNotMatch(ended.complaint, /\bat .*\.js/);
      assert.notEqual(ended.code, 0);
    }
  });

  it('opens no account in a time zone that does not exist', async () => {
    const DATA_DIR = newFolder();
    for (const zone of ['Mars/Phobos', '+05:30', ''])
      await complains(
        [
          'accounts',
          'create',
          'advertiser',
          '--name',
          'Acme',
          '--email',
          'a@acme.example',
          '--zone',
          zone,
        ],
        { DATA_DIR },
        /--zone must be/,
        2,
      );
    const opened = await start(
      [
        'accounts',
        'create',
        'advertiser',
        '--name',
        'Acme',
        '--email',
        'a@acme.example',
        '--zone',
        'Australia/Eucla',
      ],
      { DATA_DIR },
    ).ended;
    assert.equal(opened.code, 0, opened.complaint);
  });

  it('knows its commands, and teaches them', async () => {
    await complains(['dance'], {}, /no command "dance".*--help/, 2);
    const help = await start(['--help'], {}).ended;
    assert.equal(help.code, 0);
    for (const command of [
      'serve',
      'migrate',
      'accounts',
      'keys',
      'verify',
      'rebuild',
      'backup',
      'restore',
      'export',
      'import',
      'config',
      'explain',
    ]) {
      assert.match(help.out, new RegExp(`^  ${command} `, 'm'));
      const own = await start([command, '--help'], {}).ended;
      assert.equal(own.code, 0);
      assert.match(own.out, new RegExp(`Usage: sidelight ${command}`));
    }
    const config = await start(['config'], {
      SECRET_KEY: 'a-secret-of-more-than-32-characters',
      PORT: '99',
    }).ended;
    assert.match(config.out, /^PORT=99$/m);
    assert.doesNotMatch(config.out, /a-secret/);
  });
});
