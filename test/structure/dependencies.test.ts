import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = (...args: string[]) =>
  spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });

interface Lock {
  packages: Record<string, { version?: string; integrity?: string; link?: boolean }>;
}

describe('what we install', () => {
  it('has no version the list of advisories warns of', () => {
    const { status, stdout } = run('scripts/audit.mjs');
    assert.equal(status, 0, stdout);
  });

  it('would be refused if it had', () => {
    // The lock file is ours.
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
    const version = lock.packages['node_modules/fastify']?.version ?? '';
    const folder = mkdtempSync(join(tmpdir(), 'sidelight-audit-'));
    const listed = (range: string): number | null => {
      const advisories = [{ package: 'fastify', id: 'x', range, severity: 'high', title: 'x' }];
      writeFileSync(join(folder, 'list.json'), JSON.stringify({ updated: 'today', advisories }));
      return run('scripts/audit.mjs', join(folder, 'list.json')).status;
    };
    assert.equal(listed(`<=${version}`), 1);
    assert.equal(listed(`>=1.0.0 <2.0.0 || = ${version}`), 1);
    assert.equal(listed(`<${version}`), 0);
    assert.equal(listed(`>${version} <999.0.0`), 0);
    rmSync(folder, { recursive: true });
  });

  it('is asked about where packages come from, and a list that cannot be fetched stays', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sidelight-audit-'));
    const list = join(folder, 'list.json');
    const known = { package: 'a', id: 'GHSA-1', range: '<1.0.0', severity: 'low', title: 'Old' };
    writeFileSync(list, JSON.stringify({ updated: '2026-01-01', advisories: [known] }));
    let asked = '';
    const registry = createServer((request, response) => {
      request.on('data', (part) => (asked += String(part)));
      request.on('end', () => {
        const url = 'https://github.com/advisories/GHSA-2';
        const found = { url, title: 'New', severity: 'high', vulnerable_versions: '<=99.0.0' };
        response.writeHead(request.url === '/-/npm/v1/security/advisories/bulk' ? 200 : 404);
        response.end(JSON.stringify({ fastify: [found] }));
      });
    });
    registry.listen(0, '127.0.0.1');
    await once(registry, 'listening');
    // A TCP server that listens has an address object.
    const { port } = registry.address() as AddressInfo;
    const update = async (place: string): Promise<number> => {
      const child = spawn(process.execPath, ['scripts/audit.mjs', '--update', list], {
        cwd: root,
        env: { ...process.env, npm_config_registry: `http://127.0.0.1:${port}${place}` },
        stdio: 'ignore',
      });
      // The exit code comes first.
      const [status] = (await once(child, 'exit')) as [number];
      return status;
    };
    const ids = (): string[] =>
      // The script wrote it in this shape.
      (JSON.parse(readFileSync(list, 'utf8')) as { advisories: { id: string }[] }).advisories.map(
        ({ id }) => id,
      );
    assert.equal(await update('/elsewhere/'), 2);
    assert.deepEqual(ids(), ['GHSA-1']);
    // What is found is written, and what is locked is one of those it warns of.
    assert.equal(await update('/'), 1);
    assert.deepEqual(ids(), ['GHSA-1', 'GHSA-2']);
    assert.match(asked, /"fastify":\["\d/);
    registry.close();
    rmSync(folder, { recursive: true });
  });

  it('runs nothing while it is installed, and is exactly what was hashed', () => {
    assert.match(readFileSync(join(root, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m);
    // Both are ours.
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
    const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
      string,
      Record<string, string> | undefined
    >;
    const unhashed = Object.entries(lock.packages).filter(
      ([path, { link, integrity }]) =>
        path.includes('node_modules/') && link !== true && !integrity?.startsWith('sha512-'),
    );
    assert.deepEqual(unhashed, []);
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
      for (const [name, version] of Object.entries(own[kind] ?? {}))
        assert.match(version, /^\d+\.\d+\.\d+/, `${name} is not exact`);
  });

  it('is listed completely, with hashes, and without what only builds it', () => {
    const { stdout } = run('scripts/sbom.mjs');
    // The script wrote it in this shape.
    const bom = JSON.parse(stdout) as {
      bomFormat: string;
      components: { name: string; version: string; hashes?: unknown[] }[];
    };
    assert.equal(bom.bomFormat, 'CycloneDX');
    const names = new Set(bom.components.map(({ name }) => name));
    assert.ok(names.has('fastify') && names.has('@electric-sql/pglite'));
    assert.ok(!names.has('prettier') && !names.has('recheck'));
    assert.ok(bom.components.every(({ hashes }) => hashes?.length === 1));
    assert.equal(run('scripts/sbom.mjs').stdout, stdout);
  });
});
