import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, describe, it } from 'node:test';
import { newFolder, removeFolders, type Ended } from '../support/command-line.js';

const sources = fileURLToPath(new URL('../../../scripts/', import.meta.url));

describe('a clone that was never started', () => {
  after(removeFolders);

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
  const startClone = async (
    clone: string,
    options: string[] = [],
    env: Record<string, string> = {},
  ): Promise<Ended> => {
    const own = { PATH: process.env['PATH'], HOME: clone, npm_config_cache: join(clone, 'cache') };
    const child = spawn(process.execPath, [...options, join(clone, 'scripts/start.mjs')], {
      cwd: clone,
      env: { ...own, ...env },
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

  it('a registry that cannot be reached is not asked for one package after the other', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo; // a TCP server has a port
    await new Promise((resolve) => gone.close(resolve));
    const npm = {
      npm_config_user_agent: 'npm/11',
      npm_config_registry: `http://127.0.0.1:${port}/`,
    };
    const { code, complaint } = await startClone(newClone(), [], npm);
    assert.equal(code, 1);
    assert.match(complaint, /ENOTCACHED/);
    assert.match(complaint, /Installing needs the network/);
  });

  it('an old Node is told in one line which one is needed', async () => {
    const clone = newClone();
    const old = join(clone, 'old.cjs');
    writeFileSync(
      old,
      `Object.defineProperty(process, 'version', { value: 'v18.20.4' });
       Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });`,
    );
    assert.deepEqual(await startClone(clone, ['--require', old]), {
      code: 1,
      out: '',
      complaint: 'Sidelight needs Node 20 or newer; this is v18.20.4.\n',
    });
  });
});
