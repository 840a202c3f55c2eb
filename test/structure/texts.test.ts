import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { settingTable } from '../../src/config.js';
import { textsOf } from '../support/visible-texts.js';

// Every text of the dashboards stands in the messages (web/dashboard/messages), in every language.

const pages = fileURLToPath(new URL('../../../web/dashboard/', import.meta.url));
const messageFolder = join(pages, 'messages');

/** Words that are sent or typed, not said: defaults of ads, examples, names of browsers. */
const asTyped = new Set([
  'Ad',
  'Ad 1',
  'Bearer',
  'Deutsch',
  'Edge',
  'English',
  'How can I improve my credit score?',
  'How do I host a Postgres database for a side project?',
  'I want to start running but my knees hurt',
  'Learn more',
  'My flight got cancelled and I am stuck at the airport',
  'Opera',
  'Purchase',
  'Quick vegetarian dinner ideas for the family',
  'Send',
  'Tell me a joke about penguins',
  'Thank you. We will be in touch.',
  'a Postgres database with a free tier for a Next.js app',
  'read manage',
  'waterproof hiking boots',
]);
/** Commands for a terminal. */
const samples = new Set(['ui/curl.ts']);

const partNames = ['advertiser', 'operator', 'pages', 'playground', 'publisher', 'reports'];
/** The part of the messages a page's texts stand in, beside those all pages share. */
function partOf(file: string): string {
  // Shown on every page.
  if (file === 'publisher/approval.tsx') return 'shell';
  const [folder = ''] = file.split('/');
  return partNames.includes(folder) ? folder : 'shell';
}

const files = readdirSync(pages, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file));
const said = files.map((file) => ({
  file,
  part: partOf(file),
  ...textsOf(readFileSync(join(pages, file), 'utf8'), file),
}));

const languages = readdirSync(messageFolder);
const messagesOf = (language: string, part: string): Map<string, string> =>
  new Map(
    // A flat table of texts.
    Object.entries(
      JSON.parse(readFileSync(join(messageFolder, language, `${part}.json`), 'utf8')) as Record<
        string,
        string
      >,
    ),
  );
const namesIn = (text: string): string => (text.match(/\{\w+\}/g) ?? []).toSorted().join(' ');

describe('what the dashboards say', () => {
  it('no page says anything that does not go through the messages', () => {
    const loose = said.flatMap(({ file, loose }) =>
      samples.has(file)
        ? []
        : loose.filter((text) => !asTyped.has(text)).map((text) => `${file}: ${text}`),
    );
    assert.deepEqual(loose, [], 'say it with t(…) and add its translation in messages/');
  });

  for (const language of languages) {
    const shared = messagesOf(language, 'shell');
    const parts = new Map(partNames.map((part) => [part, messagesOf(language, part)]));

    it(`${language} has every text of every page`, () => {
      const missing = said.flatMap(({ file, part, named }) =>
        named
          .filter((text) => !shared.has(text) && parts.get(part)?.has(text) !== true)
          .map((text) => `${file}: ${text}`),
      );
      assert.deepEqual(missing, [], `add them to messages/${language}/<part>.json`);
    });

    it(`${language} has no text that nobody says`, () => {
      const all = new Set(said.flatMap(({ named }) => named));
      const unused = [...shared.keys()].filter((text) => !all.has(text));
      for (const [part, texts] of parts) {
        const own = new Set(said.flatMap((page) => (page.part === part ? page.named : [])));
        unused.push(...[...texts.keys()].filter((text) => !own.has(text) || shared.has(text)));
      }
      assert.deepEqual(unused, []);
    });

    it(`${language} says what every setting is for, and of no other`, () => {
      assert.deepEqual(
        [...messagesOf(language, 'settings').keys()].toSorted(),
        [...new Set(Object.values(settingTable).map(({ about }) => about))].toSorted(),
      );
    });

    it(`${language} keeps the names in braces, and leaves no text empty`, () => {
      for (const [text, translated] of [shared, ...parts.values()].flatMap((part) => [...part])) {
        assert.equal(namesIn(translated), namesIn(text), text);
        assert.notEqual(translated.trim(), '', text);
      }
    });
  }
});
