import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url));
/** The rule came with this one: `docs/decisions/0126-expand-and-contract.md`. */
const ruleSince = 131;

/** What a release that runs beside the one that does it would stumble over. */
const contractions = [
  /\bdrop\s+(?:table|column|view|function)\b/i,
  /\brename\s+(?:to|column)\b/i,
  /\balter\s+column\s+\w+\s+(?:set\s+data\s+)?type\b/i,
  /\balter\s+column\s+\w+\s+set\s+not\s+null\b/i,
  /\badd\s+column\s+\w+\s+[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)/i,
];

/**
 * A rule that rows of the earlier release were not written by; free on a table that is new itself.
 */
function addsUniqueIndex(statements: string): boolean {
  return [...statements.matchAll(/\bcreate\s+unique\s+index\s+\w+\s+on\s+(\w+)/gi)].some(
    ([, table]) => !new RegExp(`\\bcreate\\s+table\\s+${table}\\b`, 'i').test(statements),
  );
}

function breaksEarlierRelease(sql: string): boolean {
  const statements = sql.replace(/--[^\n]*/g, '');
  return addsUniqueIndex(statements) || contractions.some((pattern) => pattern.test(statements));
}

function isAllowed(sql: string): boolean {
  return !breaksEarlierRelease(sql) || /^-- contracts: since \d+\.\d+\.\d+ /m.test(sql);
}

describe('migrations', () => {
  it('only add, unless they name the release that stopped using what they take away', () => {
    const wrong = readdirSync(folder)
      .filter((name) => /^\d{4}_.*\.sql$/.test(name) && Number(name.slice(0, 4)) >= ruleSince)
      .filter((name) => !isAllowed(readFileSync(join(folder, name), 'utf8')));
    assert.deepEqual(wrong, []);
  });

  it('would be refused if they did not', () => {
    for (const sql of [
      'alter table a drop column b;',
      'drop table a;',
      'alter table a rename to b;',
      'alter table a alter column b type bigint;',
      'alter table a alter column b set not null;',
      'alter table a add column b text not null;',
      'create unique index c on a (b);',
    ])
      assert.equal(isAllowed(sql), false, sql);
    for (const sql of [
      'create table a (b text not null); create unique index c on a (b);',
      "alter table a add column b text not null default '';",
      'create index c on a (b); drop index d;',
      '-- drop table a',
      '-- contracts: since 0.3.0 nobody reads it\nalter table a drop column b;',
    ])
      assert.equal(isAllowed(sql), true, sql);
  });
});
