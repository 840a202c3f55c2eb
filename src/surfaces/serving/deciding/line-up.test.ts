import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entry } from '../../../../test/support/auction-entry.js';
import type { Match } from '../../../domain/matching/match.js';
import { createLineups, type LineupDeps } from './line-up.js';

test('those who fit are remembered until inventory, pacing, budgets or their matches are others', () => {
  const state = { inventory: 0, pacing: 0, rooms: 0 };
  const deps: LineupDeps = {
    inventory: {
      offer: () => undefined,
      get version() {
        return state.inventory;
      },
    },
    pacing: {
      multiplier: () => 1,
      groupRoom: () => 5,
      get version() {
        return state.pacing;
      },
    },
    budgets: {
      roomsOf() {
        const { rooms } = state;
        return { isOf: () => rooms === state.rooms, of: () => 9 };
      },
    },
  };
  const lineUp = createLineups(deps);
  const matches: readonly Match[] = [];
  let known = lineUp(matches, 0);
  assert.equal(lineUp(matches, 1), known);
  for (const what of ['inventory', 'pacing', 'rooms'] as const) {
    state[what] += 1;
    const next = lineUp(matches, 2);
    assert.notEqual(next, known);
    assert.equal(lineUp(matches, 3), next);
    known = next;
  }
  assert.notEqual(lineUp([], 3), known);
  assert.notEqual(
    lineUp(matches, 3, () => true),
    known,
  );
  assert.equal(known.offerOf(entry(0).candidate), undefined);
});
