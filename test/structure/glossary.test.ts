import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const root = new URL('../../../', import.meta.url);
const folders = ['src', 'bench', 'scripts', 'test', 'web', 'packages'];

/** A word that had several meanings or spellings, where it may still stand, and what to say. */
const gone: readonly { word: RegExp; except?: readonly RegExp[]; say: string }[] = [
  {
    word: /catalogue/i,
    // A word people search for.
    except: [/^src\/domain\/search\/word-lists\.ts$/],
    say: 'catalog (all products), `catalog/` (the folder), tool index, or messages',
  },
  { word: /\bclickId\b|\bviewId\b/, say: 'serveId' },
  { word: /\b(?:ad|topic)Slots?\b/, say: 'adIndex, topicIndex' },
  {
    word: /\bslots?\b/i,
    except: [
      // The public names of the packages, and pages that use them.
      /^packages\/|^test\/(?:browser|contract)\/|^test\/support\/ad-page/,
      /^src\/domain\/matching\/|^src\/fast\/dot-kernel|^src\/surfaces\/(?:serving|review)\//,
      /^bench\/matching\/|^test\/support\/judge-matching/,
      /word-lists|prohibited-rules/,
    ],
    say: 'placement for a place in a page; a slot is what `domain/matching` keeps an offer under',
  },
  {
    word: /\bcandidates?\b/i,
    except: [
      /^src\/domain\/decision\/|^src\/surfaces\/(?:serving|operators|dashboards|forecasts)\//,
      /^web\/dashboard\/(?:playground|publisher|messages)\//,
      /^bench\/market\/|^test\/support\/auction-entry|^src\/cli\//,
      /(?:read-campaign|ask-llm|spelling|nodes|genuine-fit)\.ts$/,
      /^test\/(?:journeys|browser|contract|faults|fixtures|fuzz|attacks)\//,
    ],
    say: 'ranked tool, listing; a candidate is an ad that may compete in an auction',
  },
];

const own = 'test/structure/glossary.test.ts';
const sources = folders
  .flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  )
  .filter((path) => /\.(?:ts|tsx|mjs)$|^web\/.*\.json$/.test(path) && path !== own)
  .filter((path) => !/\/(?:node_modules|dist)\//.test(path));

function finds(word: RegExp, except: readonly RegExp[] = []): string[] {
  return sources
    .filter((path) => !except.some((place) => place.test(path)))
    .filter((path) => word.test(path) || word.test(readFileSync(new URL(path, root), 'utf8')));
}

describe('one word, one idea', () => {
  for (const { word, except, say } of gone)
    it(`${word.source} is not used: ${say}`, () => {
      assert.ok(sources.length > 500);
      assert.deepEqual(finds(word, except), [], `see the glossary in ARCHITECTURE.md; say ${say}`);
    });

  it('the glossary explains every word once', () => {
    const text = readFileSync(new URL('ARCHITECTURE.md', root), 'utf8');
    const table = text.slice(text.lastIndexOf('| Word'));
    const words = [...table.matchAll(/^\| (.+?) +\|/gm)].map(([, word]) => word);
    assert.ok(words.length > 30);
    assert.equal(new Set(words).size, words.length);
    for (const word of ['catalog', '`catalog/`', 'slot', 'serve id', 'placement', 'candidate'])
      assert.ok(words.includes(word), word);
  });
});
