import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serverVersion } from '../../src/platform/version.js';
import { complains, newFolder, removeFolders, start } from '../support/command-line.js';

describe('the command line', () => {
  after(removeFolders);

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

  it('says that an address to listen on or of a database is none, and what to write', async () => {
    for (const HOST of ['192.0.2.1', 'http://127.0.0.1'])
      await complains(
        ['serve'],
        { HOST, DATA_DIR: newFolder(), DEMO: '0' },
        new RegExp(`^sidelight: cannot listen on HOST=${HOST}.*127\\.0\\.0\\.1`, 'm'),
      );
    const unread = await start(['serve'], {
      DATABASE_URL: 'postgres://app:pass#word@127.0.0.1/ads',
      DATA_DIR: newFolder(),
    }).ended;
    assert.match(unread.complaint, /DATABASE_URL must be a postgres:\/\/ address.*%23/);
    assert.equal(unread.code, 1);
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
    const itself = `process ${first.child.pid}: Sidelight already runs there, at ${address}\\.`;
    await complains(['serve'], { DATA_DIR }, new RegExp(`in use by ${itself}.*DATA_DIR`));
    await complains(['migrate'], { DATA_DIR }, /in use.*DATA_DIR/);
    await complains(
      ['serve'],
      { DATA_DIR, PORT: new URL(address).port },
      new RegExp(`already runs in this folder, at ${address}`),
    );
    first.child.kill('SIGTERM');
    const ended = await first.ended;
    assert.deepEqual([ended.code, ended.complaint], [0, '']);
    const verified = await start(['verify'], { DATA_DIR }).ended;
    assert.equal(verified.code, 0, verified.complaint);
  });

  it('ends at once when told to while it makes its demo, whatever its threads are at', async () => {
    const DATA_DIR = newFolder();
    const { child, ended } = start(['serve'], { DATA_DIR, DEMO: '1' });
    let out = '';
    child.stdout?.on('data', (part: Buffer) => {
      out += part.toString();
      if (out.includes('Making the demo')) child.kill('SIGINT');
    });
    assert.equal((await ended).complaint, '');
    // By the signal itself: a handler would wait for a busy thread.
    assert.equal(child.signalCode, 'SIGINT');
    const next = start(['serve'], { DATA_DIR });
    await next.ready;
    next.child.kill('SIGTERM');
    assert.equal((await next.ended).code, 0);
  });

  it('ends with the shell npm started it in, which hands no signal on', async () => {
    if (process.platform === 'win32') return;
    const script = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));
    // A shell that has something left to do does not make way for the server.
    const shell = spawn('sh', ['-c', `'${process.execPath}' '${script}'; true`], {
      env: {
        PATH: process.env['PATH'],
        npm_lifecycle_event: 'start',
        HOST: '127.0.0.1',
        PORT: '0',
        DEMO: '0',
        MATCHING: 'fast',
        DATA_DIR: newFolder(),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // Its output ends with the last process that holds it.
    const ended = once(shell, 'close');
    let out = '';
    for await (const part of shell.stdout) {
      out += String(part);
      if (/ready at/.test(out)) shell.kill('SIGTERM');
    }
    await ended;
    assert.match(out, /ready at/);
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

  it('knows its commands, and teaches them', async () => {
    await complains(['dance'], {}, /no command "dance".*--help/, 2);
    const version = await start(['--version'], {}).ended;
    assert.deepEqual([version.code, version.out.trim()], [0, serverVersion]);
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
