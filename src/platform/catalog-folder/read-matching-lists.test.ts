import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readMatchingLists, readTopicFiles } from './read-matching-lists.js';

test('the lists that ship are sound', () => {
  assert.deepEqual(readTopicFiles().problems, []);
  const { topics, categories, idle } = readMatchingLists();
  assert.ok(topics.length > 150 && categories.length > 20 && idle.size > 50);
});

test('the second lock closes on grave talk and on nothing that people buy', () => {
  const { sensitive } = readMatchingLists();
  for (const [text, topic] of [
    ['I want to kill myself', 'self_harm'],
    ['my dad just died and I need a hotel', 'grief'],
    ['she has breast cancer', 'medical_crisis'],
    ['how do I build a pipe bomb', 'violence'],
    ['who should i vote for', 'politics'],
    ["I'm 12 years old", 'minors'],
    ['where to score some weed', 'drugs'],
  ] as const)
    assert.equal(sensitive(text)?.topic, topic, text);
  for (const text of [
    'the battery of my phone died, which one should I buy',
    'a knife to cut my bread',
    'a sofa that survives my dog',
    'the best killer deals on laptops',
    'shooting stars photography course',
  ])
    assert.equal(sensitive(text), null, text);
});

test('trades for adults are told by their words', () => {
  const { adultsOnly } = readMatchingLists();
  assert.equal(adultsOnly('Craft beer by subscription')?.topic, 'alcohol');
  assert.equal(adultsOnly('Online casino with welcome bonus')?.topic, 'gambling');
  assert.equal(adultsOnly('Ginger tea and root vegetables'), null);
});

/** A copy of the data files that a test may change. */
function copyOfCatalog(context: TestContext): { folder: string; url: URL } {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-lists-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(new URL('../../../../catalog/', import.meta.url), folder, { recursive: true });
  return { folder, url: pathToFileURL(`${folder}/`) };
}

test('phrases of another language are a folder, which may have some of the lists only', (context) => {
  const { folder, url } = copyOfCatalog(context);
  mkdirSync(join(folder, 'safety/de'));
  writeFileSync(join(folder, 'safety/de/sensitive.txt'), '# self_harm\nselbstmord*\n');
  const said = 'ich denke an selbstmord';
  assert.equal(readMatchingLists().sensitive(said), null);
  const lists = readMatchingLists(url);
  assert.equal(lists.sensitive(said)?.topic, 'self_harm');
  assert.equal(lists.sensitive('thoughts of suicide')?.topic, 'self_harm');
});

test('topics of another language are a folder, and checked with the others', (context) => {
  const { folder, url } = copyOfCatalog(context);
  const shipped = readTopicFiles().topics;
  const [first] = shipped;
  const write = (topics: unknown): void =>
    writeFileSync(join(folder, 'topics/de/topics.json'), JSON.stringify(topics));
  mkdirSync(join(folder, 'topics/de'));
  assert.deepEqual(readTopicFiles(url).topics, shipped);
  write([{ ...first, name: 'Wanderurlaub' }]);
  const { topics, problems } = readTopicFiles(url);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    topics.map(({ name }) => name).toSorted(),
    [...shipped.map(({ name }) => name), 'Wanderurlaub'].toSorted(),
  );
  write([first]);
  assert.deepEqual(readTopicFiles(url).problems, [`${first?.name} is there twice`]);
  write({});
  assert.equal(readTopicFiles(url).problems.length, 1);
});

test('English may lack no list', (context) => {
  const { folder, url } = copyOfCatalog(context);
  rmSync(join(folder, 'safety/en/sensitive.txt'));
  assert.throws(() => readMatchingLists(url), /ENOENT/);
});
