import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductRow } from '../queries.js';
import { KeptRows } from './kept-rows.js';

function rowOf(n: number, version = 0): ProductRow {
  const isSale = n % 3 === 0;
  return {
    id: `prd_${n}`,
    merchantId: `m${n % 5}`,
    groupId: n % 2 === 0 ? null : `g${n}`,
    title: `Lampe « ${n} » 灯 🪔 version ${version}`,
    brand: n % 4 === 0 ? null : 'Ærø "quoted"',
    category: null,
    description: 'ü'.repeat((n * 37 + version * 11) % 90),
    color: 'navy',
    sizes: ['S', 'M'].slice(n % 3),
    gender: null,
    attributes: { material: 'wool', 'a\nb': '\\' },
    currency: 'USD',
    priceMicros: 1_000_000 + n,
    salePriceMicros: isSale ? n : null,
    saleStartsAt: isSale ? new Date(1_700_000_000_000 + n) : null,
    saleEndsAt: isSale ? new Date(1_800_000_000_000 + n) : null,
    regularPublished: n % 7 !== 0,
    inStock: true,
    imageUrl: 'https://shop.example/i.png',
    pageUrl: `https://shop.example/${n}`,
    checkoutItemId: n % 2 === 0 ? null : `v${n}`,
    continueUrl: null,
    variants: n % 2 === 0 ? [] : [{ id: 'v', title: 'S / red', priceMicros: n, available: true }],
    removed: false,
  };
}

test('a row is given back as it was kept, also in a later version', () => {
  const kept = new KeptRows(1 << 22);
  for (let n = 0; n < 50; n++) kept.put(rowOf(n));
  for (let n = 0; n < 50; n += 2) kept.put(rowOf(n, 1));
  for (let n = 0; n < 50; n++)
    assert.deepEqual(kept.get(`prd_${n}`), rowOf(n, n % 2 === 0 ? 1 : 0));
  assert.equal(kept.size, 50);
  assert.equal(kept.get('prd_50'), undefined);
});

test('never more memory than allowed, and never a row that was replaced or forgotten', () => {
  const pieceBytes = 4096;
  for (const pieces of [1, 2, 8, 40]) {
    const kept = new KeptRows(pieces * pieceBytes, pieceBytes);
    const truth = new Map<string, ProductRow>();
    let seed = pieces;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    for (let step = 0; step < 6000; step++) {
      const n = random(120);
      const what = random(10);
      if (what < 5) {
        const row = rowOf(n, step);
        kept.put(row);
        truth.set(row.id, row);
      } else if (what === 5) {
        kept.forget(`prd_${n}`);
        truth.delete(`prd_${n}`);
      } else if (step % 997 === 0) {
        kept.forgetAll();
        truth.clear();
      } else {
        const row = kept.get(`prd_${n}`);
        if (row !== undefined) assert.deepEqual(row, truth.get(`prd_${n}`));
      }
      assert.ok(kept.bytes <= pieces * pieceBytes);
    }
    for (const id of truth.keys()) if (pieces === 40) assert.ok(kept.get(id), id);
  }
});

test('a shop that changes all the time takes no more memory than it needs', () => {
  const kept = new KeptRows(1 << 24, 4096);
  for (let round = 0; round < 200; round++) for (let n = 0; n < 20; n++) kept.put(rowOf(n, round));
  assert.ok(kept.bytes <= 8 * 4096, String(kept.bytes));
  for (let n = 0; n < 20; n++) assert.deepEqual(kept.get(`prd_${n}`), rowOf(n, 199));
});

test('what is asked for stays when the memory is full', () => {
  const kept = new KeptRows(16 * 4096, 4096);
  kept.put(rowOf(1));
  for (let n = 100; n < 2000; n++) {
    kept.put(rowOf(n));
    assert.ok(kept.get('prd_1'));
  }
  assert.equal(kept.get('prd_100'), undefined);
});

test('a row that is longer than a piece is not kept', () => {
  const kept = new KeptRows(16 * 4096, 4096);
  kept.put(rowOf(1));
  kept.put({ ...rowOf(1), description: 'x'.repeat(5000) });
  assert.equal(kept.get('prd_1'), undefined);
});
