import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import {
  createNoReader,
  createReader,
  type Reader,
} from '../../src/platform/embedding/create-reader.js';
import { judgeMatching } from '../support/judge-matching.js';
import type { JudgedConversations } from '../support/judge-matching.js';

const judged: unknown = JSON.parse(
  readFileSync(
    new URL('../../../test/fixtures/judged-conversations.json', import.meta.url),
    'utf8',
  ),
);
const { everyday, harder, knowledge, spoken } = judged as Record<
  'everyday' | 'harder' | 'knowledge' | 'spoken',
  JudgedConversations
>; // Our own file.

let reader: Reader;
before(async () => {
  reader = createReader({
    workers: 2,
    cacheSize: 5000,
    log: { info() {}, warn() {} },
    patienceMs: Infinity,
  });
  await reader.ready;
});
after(() => reader.close());

test('people with everyday needs get the right ad, people without any get none', async () => {
  const verdict = await judgeMatching(everyday, reader);
  const mistakes = verdict.mistakes.join('\n');
  assert.ok(verdict.precision >= 0.9, mistakes);
  assert.ok(verdict.right >= 0.64, mistakes);
  assert.ok(verdict.servedOnSmallTalk <= 0.01, mistakes);
  assert.ok(verdict.servedOnOther <= 0.01, mistakes);
});

test('needs told in passing to a voice assistant, lower case and misspelt, get the right ad', async () => {
  const verdict = await judgeMatching(spoken, reader);
  const mistakes = verdict.mistakes.join('\n');
  assert.ok(verdict.precision >= 0.92, mistakes);
  assert.ok(verdict.right >= 0.66, mistakes);
  assert.ok(verdict.servedOnSmallTalk <= 0.01, mistakes);
});

test('needs told in a roundabout way are seldom answered wrongly, and small talk never', async () => {
  const verdict = await judgeMatching(harder, reader);
  const mistakes = verdict.mistakes.join('\n');
  assert.ok(verdict.precision >= 0.8, mistakes);
  assert.ok(verdict.right >= 0.31, mistakes);
  assert.ok(verdict.servedOnSmallTalk <= 0.01, mistakes);
});

test('questions of knowledge, sums, poems, feelings and code get no ad, plain and indirect needs beside them the right one', async () => {
  const verdict = await judgeMatching(knowledge, reader);
  const mistakes = verdict.mistakes.join('\n');
  assert.ok(verdict.servedOnOther <= 0.01, mistakes);
  assert.ok(verdict.precision >= 0.9, mistakes);
  assert.ok(verdict.right >= 0.62, mistakes);
});

test('when the wanted ad does not exist, most people are shown nothing', async () => {
  const verdict = await judgeMatching(everyday, reader);
  assert.ok(verdict.servedWithoutWanted <= 0.18, String(verdict.servedWithoutWanted));
});

test('without a model few ads are shown, and hardly any on small talk', async () => {
  const verdict = await judgeMatching(everyday, createNoReader());
  assert.ok(
    verdict.servedOnSmallTalk <= 0.05,
    verdict.mistakes.filter((each) => each.startsWith('nothing')).join('\n'),
  );
});
