import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';

const root = new URL('../../../', import.meta.url);
const writer = (await import(new URL('scripts/write-words.mjs', root).href)) as {
  wordModules(): { file: string; text: string }[];
  problemsOfPatterns(text: string, form?: { capitals?: boolean; named?: boolean }): string[];
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

  it('a list of names says of each what is written for it, and nothing in it captures', () => {
    const problems = (text: string): string =>
      writer.problemsOfPatterns(text, { named: true, capitals: true }).join('; ');
    assert.equal(problems('next js: \\bnext\\.?js\\b|{before-code} Next'), '');
    assert.match(problems('nextjs'), /name: words/);
    assert.match(problems('nextjs: (next)js'), /captures/);
    assert.match(problems('nextjs: next('), /cannot read/);
  });

  it('stand in catalog and not in the source: no expression lists nine words and more', () => {
    const generated = new Set(writer.wordModules().map(({ file }) => file));
    const sources = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
      .map((path) => `src/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .filter((path) => !generated.has(path));
    const found = sources.filter((path) => wordLists(readFileSync(new URL(path, root), 'utf8')));
    assert.deepEqual(found.sort(), Object.keys(noWords).sort());
  });

  it('a list in the source would be found', () => {
    assert.ok(wordLists('/(?:one|two|three|four|five|six|seven|eight|nine)/'));
    assert.ok(!wordLists("type A = 'one' | 'two'; /(?:one|two)/"));
  });
});

/** Files with as many alternatives that are no words of a language. */
const noWords: Readonly<Record<string, string>> = {
  'src/domain/ad-writing/noun-phrase.ts': 'endings of words',
  'src/domain/review/brand-match.ts': 'endings of domains',
  'src/domain/search/sizes.ts': 'signs of units',
};

function wordLists(text: string): boolean {
  return /(?<![\w|])[a-z][a-z' ]+(?:\|[a-z][a-z' ?()[\]:]*){8}/.test(text);
}
