import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const root = new URL('../../../', import.meta.url);
const writer = (await import(new URL('scripts/write-words.mjs', root).href)) as {
  wordModules(): { file: string; text: string }[];
  problemsOfPatterns(text: string): string[];
  problemsOf(name: string, text: string, known: ReadonlySet<string>): string[];
}; // plain JavaScript without declarations

describe('lists of words', () => {
  it('the modules are what the lists in catalog say', () => {
    for (const { file, text } of writer.wordModules())
      assert.equal(
        readFileSync(new URL(file, root), 'utf8'),
        text,
        `${file}: run node scripts/write-words.mjs`,
      );
  });

  it('a list that cannot be read is refused with its reason', () => {
    const known = new Set(['colors', 'synonyms', 'units', 'chatter']);
    const wrong: [string, string, RegExp][] = [
      ['colours', 'red : :', /nothing reads/],
      ['colors', 'red', /cannot read/],
      ['synonyms', 'sofa couch', /cannot read/],
      ['units', 'inch inches', /name: words/],
      ['chatter', 'good good', /twice/],
      ['chatter', 'Good', /small/],
      ['chatter', 'a`b', /program/],
      ['chatter', '# only a remark', /empty/],
    ];
    for (const [name, text, reason] of wrong)
      assert.match(writer.problemsOf(name, text, known).join('; '), reason, text);
    assert.deepEqual(writer.problemsOf('chatter', 'good best\n# said often\nnice', known), []);
  });

  it('an alternative that is no expression, stands twice or shouts is refused', () => {
    assert.deepEqual(writer.problemsOfPatterns('discounts?\n# remark\nhalf price\n\\d{1,9}'), []);
    for (const [text, reason] of [
      ['discount(', /cannot read/],
      ['sale\nsale', /twice/],
      ['Sale', /small/],
      ['a`b', /program/],
      ['', /empty/],
    ] as const)
      assert.match(writer.problemsOfPatterns(text).join('; '), reason, text);
  });
});
