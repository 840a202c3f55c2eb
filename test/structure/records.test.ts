import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  impersonalColumns,
  personalColumns,
  recordsPage,
} from '../../src/domain/privacy/personal-columns.js';

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Columns that can hold words or keys of somebody; ids of our own making cannot. */
function speakingColumns(schema: string): string[] {
  return [...schema.matchAll(/^create table (\w+) \((.*?)^\)/gms)].flatMap(([, table, body = '']) =>
    body.split('\n').flatMap((line) => {
      const [, column = '', type = ''] = /^ {2}(\w+) (\S+)/.exec(line) ?? [];
      const isOwnId = /^id$|_ids?$/.test(column) && type.startsWith('uuid');
      const speaks = /^(?:text|json|bytea|inet|uuid)/.test(type) && column !== 'constraint';
      return speaks && !isOwnId ? [`${table}.${column}`] : [];
    }),
  );
}

describe('records of processing', () => {
  const personal = Object.entries(personalColumns).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  const others = impersonalColumns
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [table = '', columns = ''] = line.split(': ');
      return columns.split(' ').map((column) => `${table}.${column}`);
    });

  it('name every column of the schema once: src/domain/privacy/personal-columns.ts', () => {
    const columns = speakingColumns(read('migrations/schema.sql'));
    assert.ok(columns.length > 200);
    const listed = new Set([...personal, ...others]);
    assert.equal(listed.size, personal.length + others.length, 'a column is in both lists');
    assert.deepEqual(
      columns.filter((column) => !listed.has(column)),
      [],
      'new columns: can they point to a person?',
    );
    assert.deepEqual(
      [...listed].filter((column) => !columns.includes(column)),
      [],
      'columns that are gone',
    );
  });

  it('would be incomplete without a new column', () => {
    assert.deepEqual(speakingColumns('create table a (\n  id uuid,\n  nick text,\n  n bigint\n)'), [
      'a.nick',
    ]);
  });

  it('are the page docs/records.md shows', () => {
    // Written with padding by the formatter.
    const bare = (text: string): string => text.replace(/ {2,}/g, ' ').replace(/-{3,}/g, '---');
    assert.ok(bare(read('docs/records.md')).includes(bare(recordsPage())));
  });
});
