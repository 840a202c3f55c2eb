import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
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

const decisions = 'docs/decisions/';

/**
 * Why a record is not one: the problem, what was decided, what follows from it and, where figures
 * decided, the figures, under these headings and in this order.
 */
function problemsOfRecord(text: string): string[] {
  const [title = '', ...lines] = text.split('\n');
  const problems: string[] = [];
  if (!/^# \D/.test(title)) problems.push('begins with a title without a number');
  const headings = lines.filter((line) => /^##? /.test(line)).map((line) => line.slice(3));
  const order = ['Problem', 'Decision', 'Consequence', 'Measured'];
  const expected = order.slice(0, Math.max(3, Math.min(4, headings.length)));
  if (headings.join() !== expected.join())
    problems.push(`headings are ${headings.join(', ') || 'missing'}, not ${expected.join(', ')}`);
  if (lines.find((line) => line !== '') !== '## Problem')
    problems.push('something stands before the problem');
  for (const part of text.split(/^## /m).slice(1))
    if (part.split('\n').every((line, at) => at === 0 || line === ''))
      problems.push(`nothing is said under ${part.trim()}`);
  const lead = /^\*\*(?:Problem|Decision|Consequences?|Measured|Why)\b/m.exec(text);
  if (lead !== null) problems.push(`${lead[0]} is a heading`);
  const diary = /\b(?:as before|measured again|not done yet|used to take|yesterday|since then)\b/i;
  const past = diary.exec(lines.filter((line) => !line.includes('](')).join('\n'));
  if (past !== null) problems.push(`“${past[0]}” belongs into a diary`);
  return problems;
}

describe('decision records', () => {
  it('say the problem, the decision and the consequence, in this form', () => {
    const names = readdirSync(new URL(`../../../${decisions}`, import.meta.url));
    assert.ok(names.length > 30);
    for (const name of names) {
      assert.match(name, /^\d{4}-[a-z0-9-]+\.md$/);
      assert.deepEqual(problemsOfRecord(read(decisions + name)), [], name);
    }
    const numbers = names.map((name) => name.slice(0, 4));
    assert.equal(new Set(numbers).size, numbers.length, 'a number is taken twice');
  });

  it('are refused in another form, with the reason', () => {
    const good = '# A\n\n## Problem\n\nP.\n\n## Decision\n\nD.\n\n## Consequence\n\nC.\n';
    assert.deepEqual(problemsOfRecord(good), []);
    assert.deepEqual(problemsOfRecord(`${good}\n## Measured\n\nM.\n`), []);
    const wrong: [string, RegExp][] = [
      ['# A\n\nWe do it so.\n', /headings are missing/],
      [good.replace('# A', '# 12. A'), /without a number/],
      [good.replace('## Decision', '## Why'), /headings are Problem, Why/],
      [good.replace('D.', ''), /nothing is said under Decision/],
      [good.replace('P.', '**Why.** P.'), /is a heading/],
      [good.replace('\n\n## Problem', '\n\nNote.\n\n## Problem'), /before the problem/],
      [good.replace('D.', 'Done as before.'), /diary/],
      [`${good}\n## Status\n\nS.\n`, /headings are/],
    ];
    for (const [text, reason] of wrong)
      assert.match(problemsOfRecord(text).join('; '), reason, text);
  });
});
