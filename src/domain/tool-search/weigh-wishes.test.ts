import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weighWishes } from './weigh-wishes.js';
import { readWishes } from './read-wishes.js';

const heard = (text: string, odds: Record<string, number>) =>
  weighWishes(readWishes(text), new Map(Object.entries(odds)));

test('what the model surely hears is wished, what it half hears is not', () => {
  const { wanted, region, maker, cheap } = heard('auf eigenen Servern', {
    self: 4,
    open: 3,
    free: 0.2,
    eu: 2,
    us: 1.5,
    'not-us': 3,
    cheap: -4,
  });
  assert.deepEqual(wanted, { selfHosted: true, openSource: true });
  assert.equal(region, 'eu');
  assert.deepEqual(maker, { region: 'us', isRefused: true });
  assert.equal(cheap, false);
});

test('without a model phrases alone say what is wished', () => {
  const byPhrases = readWishes('self-hosted and cheap');
  assert.equal(weighWishes(byPhrases, null), byPhrases);
  assert.deepEqual(heard('self-hosted and cheap', {}), byPhrases);
});

test('what a phrase takes back stays taken back, whatever the model hears', () => {
  assert.deepEqual(heard('it does not have to be open source', { open: 3 }).wanted, {
    openSource: false,
  });
  assert.deepEqual(heard('not self-hosted please', { self: 3 }).wanted, {
    selfHosted: false,
    managed: true,
  });
});

test('what the model surely does not hear is no wish, whatever phrase there is', () => {
  const { wanted, region, cheap } = heard('our cheap open source app, hosted in Germany', {
    open: -3,
    eu: -4,
    cheap: -3,
  });
  assert.deepEqual([wanted, region, cheap], [{}, null, false]);
  assert.equal(heard('hosted in Germany', { eu: -1 }).region, 'eu');
  assert.equal(heard('hosted in Germany', { eu: -4, us: 3 }).region, 'us');
});

test('a tool is run by oneself or by somebody else: the plainer of the two', () => {
  assert.deepEqual(heard('', { self: 3, managed: 2 }).wanted, { selfHosted: true });
  assert.deepEqual(heard('', { self: 2, managed: 3 }).wanted, { managed: true });
  assert.deepEqual(heard('self-hosted', { managed: 3 }).wanted, { selfHosted: true });
});
