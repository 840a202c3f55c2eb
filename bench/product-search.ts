// Product search measured: relevance on judged data when it is there, speed, memory and build time
// on made-up catalogs always.   npm run bench -- product-search [--products 100000] [--queries
// 2000] [--million] [--judged-only [--worst 20] [--long-tail 100000]] [--http] [--http-only]
// SIDELIGHT_DATA names a folder with relevance/<set>/{products.jsonl.gz,queries.tsv,qrels.tsv.gz}.
import type { ProductFilters } from '../src/domain/search/product-filters.js';
import { createProductIndex, type ProductIndex } from '../src/domain/search/product-index.js';
import { judgeRelevance } from './products/judge-relevance.js';
import { measureShop } from './products/measure-shop.js';
import { makeProducts, makeQueries, makeRandom } from './products/make-products.js';

export const summary = 'product search: NDCG@10 on judged data, latency, memory, build time';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function someFilters(random: () => number): ProductFilters {
  const filters: ProductFilters = {};
  if (random() < 0.6) filters.priceMaxMicros = Math.round(random() * 300) * 1_000_000 + 20_000_000;
  if (random() < 0.3) filters.colors = ['black', 'navy'];
  if (random() < 0.2) filters.sizes = ['M', '9'];
  if (random() < 0.2) filters.gender = 'women';
  if (random() < 0.2)
    filters.categories = ['footwear', 'apparel', 'electronics_computing', 'home_kitchen'];
  if (random() < 0.2) filters.onSaleOnly = true;
  return filters;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function timeSearches(index: ProductIndex, queries: readonly string[]): void {
  const random = makeRandom(7);
  for (const query of queries.slice(0, 200))
    index.search({ query, filters: someFilters(random), limit: 10, fit: true });
  const times: number[] = [];
  for (const query of queries) {
    const filters = someFilters(random);
    const before = process.cpuUsage();
    index.search({ query, filters, limit: 10, fit: true });
    const used = process.cpuUsage(before);
    times.push((used.user + used.system) / 1000);
  }
  times.sort((a, b) => a - b);
  say(
    `search with filters: p50 ${percentile(times, 0.5).toFixed(2)} ms, p95 ${percentile(times, 0.95).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms CPU over ${times.length} queries`,
  );
}

function collect(): void {
  // Node offers the collector only under --expose-gc; without it the figures include garbage.
  for (let round = 0; round < 2; round++) if (typeof globalThis.gc === 'function') globalThis.gc();
}

function heldBytes(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function measure(count: number, queryCount: number, wordsOfProse?: number): void {
  // A million listings are made up while they are indexed; fewer are made before, to time the index
  // alone.
  const products =
    count > 200_000
      ? makeProducts(count, 1, wordsOfProse)
      : [...makeProducts(count, 1, wordsOfProse)];
  const before = heldBytes();
  const index = createProductIndex();
  const started = performance.now();
  const cpu = process.cpuUsage();
  index.bulk(products, (done) => {
    if (done % 100_000 === 0 && done < count)
      say(
        `  ${done} of ${count} products in ${((performance.now() - started) / 1000).toFixed(1)} s`,
      );
  });
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage(cpu);
  const perProduct = (heldBytes() - before) / count;
  const { terms, postings, segments } = index.stats();
  say(
    `${count} products built in ${seconds.toFixed(1)} s (${((used.user + used.system) / 1e6).toFixed(1)} s CPU${Array.isArray(products) ? '' : ', making them up included'}), ${Math.round(perProduct)} bytes a product, ${terms} terms, ${postings} postings, ${segments} segments`,
  );
  timeSearches(index, makeQueries(queryCount, 3));
  timeChanges(index, count);
}

function timeChanges(index: ProductIndex, count: number): void {
  const fresh = [...makeProducts(Math.min(5000, count), 99)];
  const started = performance.now();
  let slowest = 0;
  for (const product of fresh) {
    const before = performance.now();
    index.upsert(product);
    slowest = Math.max(slowest, performance.now() - before);
  }
  say(
    `${fresh.length} products replaced one by one: ${(((performance.now() - started) / fresh.length) * 1000).toFixed(0)} µs each, slowest ${slowest.toFixed(0)} ms`,
  );
}

function option(args: readonly string[], name: string, fallback: number): number {
  const at = args.indexOf(name);
  return at < 0 ? fallback : Number(args[at + 1]);
}

export async function run(args: string[]): Promise<void> {
  const products = option(args, '--products', 100_000);
  const queries = option(args, '--queries', 2000);
  if (!args.includes('--http-only')) {
    judgeRelevance(option(args, '--worst', 0), option(args, '--long-tail', 0));
    if (args.includes('--judged-only')) return;
    measure(products, queries);
    if (args.includes('--million')) measure(1_000_000, 500, 40);
  }
  if (!args.includes('--http') && !args.includes('--http-only')) return;
  await measureShop(products, queries);
  if (args.includes('--million')) await measureShop(1_000_000, 500);
}
