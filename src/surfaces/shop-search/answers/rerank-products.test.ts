import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Llm, LlmUnavailable } from '../../../platform/llm/llm.js';
import { silentLog } from '../../../platform/log.js';
import { type RerankItem, orderByTier, rerankProducts } from './rerank-products.js';

const listing = (id: string, payoutMicros: number): RerankItem => ({
  id,
  title: id,
  brand: null,
  merchant: 'm',
  category: null,
  description: '',
  priceMicros: 1,
  currency: 'USD',
  payoutMicros,
});
const llm = (answer: unknown): Llm => ({
  model: 'm',
  complete: () => Promise.reject(new Error('not used')),
  completeJson: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
});
const rerank = (answer: unknown, listings: readonly RerankItem[]) =>
  rerankProducts({ llm: llm(answer), log: silentLog }, 'q', null, listings);

describe('ranking with a language model', () => {
  it('a better tier beats any payout; inside a tier the higher payout comes first; misfits are dropped', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ payout: fc.nat(5), tier: fc.integer({ min: 0, max: 3 }) }), {
          maxLength: 30,
        }),
        (rows) => {
          const listings = rows.map((row, at) => listing(String(at), row.payout));
          const order = orderByTier(
            listings,
            rows.map((row) => row.tier),
          ).map(Number);
          assert.deepEqual(
            new Set(order),
            new Set(rows.flatMap((row, at) => (row.tier >= 2 ? [at] : []))),
          );
          for (const [place, id] of order.entries()) {
            const next = order[place + 1];
            const [a, b] = [rows[id], next === undefined ? undefined : rows[next]];
            if (a === undefined || b === undefined || next === undefined) continue;
            assert.ok(
              a.tier > b.tier ||
                (a.tier === b.tier &&
                  (a.payout > b.payout || (a.payout === b.payout && id < next))),
            );
          }
        },
      ),
    );
  });

  it('may keep none', async () => {
    assert.deepEqual(
      await rerank({ scores: { 1: 0, 2: 1 } }, [listing('a', 1), listing('b', 1)]),
      [],
    );
  });

  it('an answer that is late, malformed or incomplete changes nothing', async () => {
    for (const answer of [
      new LlmUnavailable('slow'),
      null,
      [],
      {},
      { scores: [] },
      { scores: { 1: 'good' } },
      { scores: { 1: 9, 2: -1 } },
      { scores: { 7: 3 } },
    ]) {
      assert.equal(await rerank(answer, [listing('a', 1), listing('b', 1), listing('c', 1)]), null);
    }
  });
});
