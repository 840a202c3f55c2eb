import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { after, describe, it } from 'node:test';
import { startCollector } from '../support/collector.js';
import {
  askForAd,
  aMoment,
  complains,
  killedRestore,
  newFolder,
  removeFolders,
  start,
  untilShipped,
} from '../support/command-line.js';

describe('the command line keeps accounts, backups and restores', () => {
  after(removeFolders);

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
      'id,title,description,link,image_link,price,availability\nsku1,Copper kettle,Boils,https://shop.example/kettle,https://shop.example/kettle.jpg,20.00 USD,in stock\nsku2,Steel kettle,Boils,https://shop.example/steel,,20.00 USD,in stock\n',
    );
    const said = await run('catalog', 'import', feed, '--merchant=Kettles');
    assert.match(said, /^2 read, 1 shown: 1 without a picture; 2 written/m);
    assert.doesNotMatch(said, /row 0/);
    assert.match(
      await run('catalog', 'runs'),
      /Kettles {2}2 read, 1 shown: 1 without a picture; 2 written/,
    );
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
    assert.equal((await start(['migrate'], { DATA_DIR }).ended).code, 0);
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

    const killed = { DATA_DIR: await killedRestore(file) };
    await complains(['serve'], killed, /restore of \S+ into \S+ did not end: run it again/);
    await run(['restore', file], killed);
    assert.match(await run(['explain', requestId], killed), new RegExp(requestId));
    await complains(['restore', file], killed, /store exists; move it away first/);

    const toMoment = { DATA_DIR: newFolder() };
    const until = new Date(moment).toISOString();
    const behind = ['--journal', shipped, '--until', until];
    assert.match(await run(['restore', file, ...behind], toMoment), /applied 1 events/);
    assert.match(await run(['explain', behindId], toMoment), new RegExp(behindId));
    assert.notEqual((await start(['explain', lateId], toMoment).ended).code, 0);
    const none = { DATA_DIR: newFolder() };
    await complains(['restore', file, '--until', until], none, /--journal/, 2);
    const nowhere = join(newFolder(), 'nowhere.backup');
    for (const command of ['restore', 'import'])
      await complains([command, nowhere], none, /there is no file .*nowhere.backup; nothing/);
    for (const command of [
      ['verify'],
      ['keys', 'rotate-tracking'],
      ['accounts'],
      ['accounts', 'create', 'operator', '--email=ann@test.example'],
      ['catalog', 'runs'],
    ])
      await complains(command, none, /there is no store in .*"sidelight restore FILE"/);
    assert.deepEqual(readdirSync(none.DATA_DIR), [], 'an empty store would be in the way');

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
});
