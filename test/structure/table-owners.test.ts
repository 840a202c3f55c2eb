import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** They erase or rename what is kept about a person, wherever it lies. */
const erasers = ['surfaces/privacy', 'surfaces/ad-choices', 'platform/privacy'];

const tables = [...read('migrations/schema.sql').matchAll(/^create table (\w+)/gim)].flatMap(
  ([, name]) => (name === undefined ? [] : [name]),
);

/** Who may write each table, as the architecture says; its owner first. */
function statedWriters(): ReadonlyMap<string, readonly string[]> {
  const [, section = ''] = read('ARCHITECTURE.md').split('## Who writes which table');
  const [part = ''] = section.split('\n## ');
  const writers = new Map<string, string[]>();
  for (const line of part
    .split('\n')
    .filter((each) => each.startsWith('|'))
    .slice(2)) {
    const [, names = '', owner = '', others = ''] = line.split('|');
    const folders = [...`${owner} ${others}`.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');
    for (const name of names.split(',').map((each) => each.trim())) {
      assert.ok(!writers.has(name), `${name} is named twice`);
      writers.set(name, folders);
    }
  }
  return writers;
}

/** Folders whose statements write a table. */
function actualWriters(): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>();
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.test)\.ts$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name).slice(join(root, 'src/').length);
    const folder = path.replaceAll('\\', '/').split('/').slice(0, 2).join('/');
    if (!/^(surfaces|platform)\//.test(folder)) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    for (const [, table = ''] of text.matchAll(/\b(?:insert into|update|delete from)\s+(\w+)/g)) {
      const known = writers.get(table) ?? new Set();
      writers.set(table, known.add(folder.replace(/\.ts$/, '')));
    }
  }
  return writers;
}

describe('who writes which table', () => {
  const stated = statedWriters();

  it('every table of the schema has an owner, and no other is named', () => {
    assert.ok(tables.length > 50);
    assert.deepEqual([...stated.keys()].sort(), [...tables].sort());
  });

  it('no statement writes a table of somebody else', () => {
    const bad = [...actualWriters()].flatMap(([table, folders]) =>
      [...folders]
        .filter((folder) => stated.get(table)?.includes(folder) === false)
        .filter((folder) => !erasers.includes(folder))
        .map((folder) => `${folder} writes ${table}`),
    );
    assert.deepEqual(bad, []);
  });
});
