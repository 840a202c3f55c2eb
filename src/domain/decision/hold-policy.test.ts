import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { askFor, grantOf, keepOf } from './hold-policy.js';

interface Node {
  available: number;
}

/**
 * The obvious version: one purse, nodes that take and give coins of it by the policy, and a market
 * that asks a node for an ad of a price. Nothing may be lost, and nobody may go hungry for long
 * while somebody else has what it needs.
 */
function run(limit: number, price: number, visits: readonly number[], count: number): number {
  let spent = 0;
  const nodes: Node[] = Array.from({ length: count }, () => ({ available: 0 }));
  const hungry = new Set<number>();
  let isShort = false;
  const held = (): number => nodes.reduce((sum, node) => sum + node.available, 0);
  const balance = (node: Node, index: number): void => {
    const wants = hungry.has(index);
    const state = () => ({
      limitMicros: limit,
      nodes: count,
      availableMicros: node.available,
      neededMicros: wants ? 4 * price : 0,
      adMicros: wants ? price : 0,
      lastMicros: 0,
      usualMicros: 4 * price,
      isShort,
    });
    const asked = askFor(state());
    if (asked !== null) {
      const granted = grantOf({
        ...asked,
        leftMicros: limit - spent,
        heldMicros: held(),
        ownHeldMicros: node.available,
        nodes: count,
      });
      assert.ok(granted >= 0 && granted <= limit - spent - held());
      node.available += granted;
      if (granted < asked.needMicros && wants) isShort = true;
    }
    const keep = keepOf({ ...state(), excessMicros: 0 });
    assert.ok(keep >= 0 && keep <= node.available);
    node.available = keep;
  };
  for (const visit of visits) {
    const index = visit % count;
    const node = nodes[index] as Node;
    hungry.add(index);
    if (node.available >= price) {
      node.available -= price;
      spent += price;
    }
    assert.ok(spent + held() <= limit);
    nodes.forEach(balance);
  }
  return spent;
}

test('no more than a budget is ever held and spent, and any budget is spent to the last ad', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 16 }),
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 60 }),
      (count, price, ads, visits) => {
        const limit = price * ads + Math.floor(price / 2);
        // Whoever comes, and then everybody, for as long as it takes.
        const all = [...visits, ...Array.from({ length: 2 * (ads + 2) * count }, (_, n) => n)];
        assert.equal(run(limit, price, all, count), price * ads);
      },
    ),
    { numRuns: 60 },
  );
});

test('while there is plenty half of what is left stays free for late clicks', () => {
  const asked = askFor({
    limitMicros: 1_000_000,
    nodes: 4,
    availableMicros: 0,
    neededMicros: 400,
    adMicros: 100,
    lastMicros: 0,
    usualMicros: 400,
    isShort: false,
  });
  assert.deepEqual(asked, { amountMicros: 250_000, needMicros: 400 });
  const granted = grantOf({
    ...(asked ?? assert.fail()),
    leftMicros: 800_000,
    heldMicros: 300_000,
    ownHeldMicros: 0,
    nodes: 4,
  });
  assert.equal(granted, 100_000);
});
