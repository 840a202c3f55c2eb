import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readSearch } from './read-search.js';
import type { ToolSearch } from './schema.js';

it('what a need is read by is found beside the context and under the names of others', () => {
  const contextOf = (more: object) => readSearch({ query: 'x', ...more } as ToolSearch).context;
  const vue = { framework: 'vue' };
  for (const [sent, expected] of [
    [{ language: 'python' }, { language: 'python' }],
    [
      { languages: ['python'], context: vue },
      { ...vue, language: ['python'] },
    ],
    [{ context: { frameworks: ['vue'] } }, { frameworks: ['vue'], framework: ['vue'] }],
    [{ framework: 'react', context: vue }, vue],
    [{ constraints: 'free' }, { constraints: 'free' }],
    [{ language: { of: 'x' } }, undefined],
    [{ context: null, note: 'x' }, null],
  ] as const)
    assert.deepEqual(contextOf(sent), expected);
});
