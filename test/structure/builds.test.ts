import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

const root = new URL('../../../', import.meta.url);
const { bundleServer } = (await import(new URL('scripts/bundle-server.mjs', root).href)) as {
  bundleServer(root: string): Promise<void>;
};

describe('builds', () => {
  it('leave a running server the files it has not read yet, and let them go some builds later', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sidelight-builds-'));
    after(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, 'src'));
    writeFileSync(
      join(folder, 'src/main.ts'),
      `export const later = () => import('./command.js');`,
    );
    const commands = (): string[] =>
      readdirSync(join(folder, 'build/server')).filter((name) => name.startsWith('command-'));
    const buildOf = async (release: number): Promise<void> => {
      writeFileSync(join(folder, 'src/command.ts'), `export const release = ${release};`);
      await bundleServer(folder);
    };
    await buildOf(1);
    const [first = ''] = commands();
    await buildOf(2);
    assert.ok(commands().includes(first), 'whoever runs the first may still ask for it');
    for (let release = 3; release < 9; release += 1) await buildOf(release);
    assert.ok(!commands().includes(first));
    assert.equal(commands().length, 5);
  });

  it('write the declarations of the packages: npm runs no script of theirs when they are packed', () => {
    for (const name of ['sdk', 'react'])
      for (const file of ['index.d.ts', 'index.d.cts'])
        assert.ok(existsSync(new URL(`packages/${name}/dist/${file}`, root)), `${name}: ${file}`);
  });
});
