import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = (...args: string[]) =>
  spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });

interface Lock {
  packages: Record<string, { version?: string; dev?: boolean }>;
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
