import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noConstraints } from './constraints.js';
import type { NeedState, Turn } from './need-state.js';
import { readContext } from './read-need.js';
import type { Tool } from './tool.js';
import { surePlace, trustReading } from './trust-reading.js';

const readingOf = (likeness: readonly number[], need = 3, odds: Record<string, number> = {}) => ({
  likeness: Float32Array.from(likeness),
  need,
  wishes: new Map<string, number>(),
  outright: new Map(Object.entries(odds)),
});

const tool = {
  slug: 'queue-in-postgres',
  facts: {
    self_hostable: true,
    open_source: false,
    free_tier: null,
    price_level: 2,
    regions: [],
    languages: ['python'],
    frameworks: [],
    requires: [['postgres']],
  },
  credentials: null,
} as unknown as Tool; // All that conditions ask for.

const turnWith = (said: Partial<NeedState>, named: string | null = null) =>
  ({
    named,
    state: { constraints: noConstraints, shown: [], refused: [], like: [], ...said },
  }) as unknown as Turn; // All that is looked at.

const openWanted = { constraints: { ...noConstraints, openSource: true } };

describe('a tool the model is sure of', () => {
  it('has four fifths of what is likely, in a message that is a need', () => {
    assert.equal(surePlace(readingOf([-4, 0, -4])), 1);
    assert.equal(surePlace(readingOf([-2, 0, -2])), -1);
    assert.equal(surePlace(readingOf([-4, 0, -4], -1)), -1);
    assert.equal(surePlace(null), -1);
  });

  it('frees the message of conditions it fails and the model did not hear', () => {
    const turn = turnWith({ ...openWanted, unwanted: ['postgres', 'crypto'] });
    const state = trustReading(turn, tool, readingOf([0], 3, { open: -1 }), readContext({}));
    assert.equal(state?.constraints.openSource, false);
    assert.deepEqual(state?.unwanted, ['crypto']);
  });

  it('is not believed against what the model heard itself', () => {
    const heard = readingOf([0], 3, { open: 0.5 });
    assert.equal(trustReading(turnWith(openWanted), tool, heard, readContext({})), null);
  });

  it('is not believed against what the caller set', () => {
    const asked = readContext({ constraints: ['open source'] });
    const unheard = readingOf([0], 3, { open: -1 });
    assert.equal(trustReading(turnWith(openWanted), tool, unheard, asked), null);
  });

  it('is not believed against a stack that is named', () => {
    const turn = turnWith({ constraints: { ...noConstraints, languages: ['go'] } });
    assert.equal(trustReading(turn, tool, readingOf([0]), readContext({})), null);
  });

  it('is not recommended where it is refused, left or shown, or another one is asked for', () => {
    const { slug } = tool;
    for (const turn of [
      turnWith({ refused: [slug] }),
      turnWith({ like: [slug] }),
      turnWith({ shown: [slug] }),
      turnWith({}, 'another'),
    ])
      assert.equal(trustReading(turn, tool, readingOf([0]), readContext({})), null);
  });
});
