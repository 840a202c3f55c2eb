import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const root = new URL('../../../', import.meta.url);
const folders = ['src', 'web', 'packages', 'bench', 'scripts', 'test'];
const most = 100;

const sources = folders
  .flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  )
  .filter((path) => /\.(?:ts|tsx|mjs)$/.test(path) && !/\.test\.tsx?$/.test(path))
  .filter((path) => !/\/(?:node_modules|dist|generated)\//.test(path));

/** A literal on one line: behind what an expression may follow, up to its closing slash. */
const literal =
  /(?<=^|[=(,:!&|?[{;\s])\/(?![*/])((?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)\/[dgimsuvy]*/g;

function longOnes(text: string): string[] {
  if (text.startsWith('// Generated from ')) return [];
  return text
    .split('\n')
    .filter((line) => line.length > most)
    .flatMap((line) => [...line.matchAll(literal)].map(([found]) => found))
    .filter((found) => found.length > most && !/\$\{| \+ /.test(found));
}

describe('regular expressions', () => {
  it(`none over ${most} characters stands in source without names for its parts`, () => {
    assert.ok(sources.length > 900);
    const found = sources.flatMap((path) =>
      longOnes(readFileSync(new URL(path, root), 'utf8')).map((one) => `${path}: ${one}`),
    );
    assert.deepEqual(found, []);
  });

  it('the check finds a long one', () => {
    assert.equal(longOnes(`const long = /^(?:${'word|'.repeat(30)}last)$/i;`).length, 1);
    assert.equal(longOnes(`const short = /^(?:one|two)$/i; // ${'prose '.repeat(20)}`).length, 0);
  });
});
