import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openToken, type TrackingKey, type TrackingToken } from '../../domain/tracking-token.js';
import { createTrackingTokens } from './tracking-tokens.js';

const id = '0192f0c1-2345-7abc-8def-0123456789ab';
const ad: TrackingToken = {
  serveId: id,
  advertiserId: id,
  campaignId: id,
  adGroupId: null,
  adId: id,
  publisherId: id,
  placement: 'below_response',
  billingModel: 'cpm',
  priceMicros: 1234,
  node: 1,
  test: false,
  holdsAdGroup: false,
  holdsAdvertiser: true,
};

function newKey(number: number): TrackingKey {
  return { id: number, key: createSecretKey(randomBytes(32)) };
}

function tokensOf(known: TrackingKey[]) {
  const find = (number: number) => known.find((key) => key.id === number)?.key;
  const current = (): TrackingKey => known.at(-1) ?? newKey(1);
  return { find, tokens: createTrackingTokens({ current, find }, () => randomBytes(12)) };
}

test('what this node sealed says the same whether it is remembered or opened', () => {
  const { find, tokens } = tokensOf([newKey(7)]);
  for (const more of [
    {},
    { unlinked: true, unheld: true },
    { adGroupId: id, test: true },
  ] as const) {
    const text = tokens.seal({ ...ad, ...more });
    assert.deepEqual(tokens.open(text), { ...ad, ...more });
    assert.deepEqual(tokens.open(text), openToken(text, find));
  }
});

test('what another node sealed under the same key is opened', () => {
  const known = [newKey(7)];
  assert.deepEqual(tokensOf(known).tokens.open(tokensOf(known).tokens.seal(ad)), ad);
});

test('a token with another character is not known', () => {
  const { tokens } = tokensOf([newKey(7)]);
  const text = tokens.seal(ad);
  for (let at = 0; at < text.length; at += 1) {
    const other = text[at] === 'A' ? 'B' : 'A';
    assert.equal(tokens.open(text.slice(0, at) + other + text.slice(at + 1)), null);
  }
  assert.equal(tokens.open(`${text}A`), null);
  assert.equal(tokens.open(text.slice(0, -1)), null);
  assert.equal(tokens.open(''), null);
});

test('a token is no longer known once its key is gone', () => {
  const known = [newKey(7)];
  const { tokens } = tokensOf(known);
  const text = tokens.seal(ad);
  known.splice(0, 1, newKey(8));
  assert.equal(tokens.open(text), null);
});

test('more ads than are remembered are opened all the same', () => {
  const { tokens } = tokensOf([newKey(7)]);
  const first = tokens.seal(ad);
  for (let sealed = 0; sealed < 20_001; sealed += 1) tokens.seal({ ...ad, priceMicros: sealed });
  assert.deepEqual(tokens.open(first), ad);
});
