// Product search measured: relevance on judged data when it is there, speed, memory and build time on made-up catalogues always.
//   npm run bench -- product-search [--products 100000] [--queries 2000] [--million] [--judged-only]
// SIDELIGHT_DATA names a folder with relevance/<set>/{products.jsonl.gz,queries.tsv,qrels.tsv.gz}.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ProductDocument } from '../src/domain/search/product-document.js';
import type { ProductFilters } from '../src/domain/search/product-filters.js';
import { createProductIndex, type ProductIndex } from '../src/domain/search/product-index.js';
import { makeProducts, makeQueries, makeRandom } from './catalogue/make-products.js';

export const summary = 'product search: NDCG@10 on judged data, latency, memory, build time';

interface JudgedSet { name: string; products: ProductDocument[]; queries: [string, string][]; grades: Map<string, Map<string, number>> }

interface JudgedRow { product_id: string; name: string; model?: string; brand?: string; merchant?: string; category?: string; description?: string; color?: string; ean?: string; currency?: string; price?: number; attrs?: Record<string, string> }

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function toProduct(row: JudgedRow): ProductDocument {
  return {
    product_id: row.product_id, title: row.name, brand: row.brand ?? null, merchant: row.merchant ?? '', category: row.category ?? null, description: row.description ?? '', color: row.color ?? null,
    attributes: { ...(row.model !== undefined && { model: row.model }), ...(row.ean !== undefined && { ean: row.ean }), ...row.attrs },
    currency: row.currency ?? 'USD', priceMicros: Math.round((row.price ?? 10) * 1_000_000), regularPriceMicros: null, inStock: true, hasImage: true,
  };
}

function readSet(folder: string, name: string): JudgedSet {
  const unzip = (file: string): string => gunzipSync(readFileSync(join(folder, name, file))).toString('utf8');
  const grades = new Map<string, Map<string, number>>();
  for (const line of lines(unzip('qrels.tsv.gz'))) {
    const [query = '', product = '', grade = '0'] = line.split('\t');
    const known = grades.get(query) ?? new Map<string, number>();
    grades.set(query, known.set(product, Number(grade)));
  }
  const queries = lines(readFileSync(join(folder, name, 'queries.tsv'), 'utf8')).map((line): [string, string] => [line.split('\t')[0] ?? '', line.split('\t')[1] ?? '']);
  // Rows of this set have the fields of JudgedRow by its own description.
  return { name, products: lines(unzip('products.jsonl.gz')).map((line) => toProduct(JSON.parse(line) as JudgedRow)), queries, grades };
}

/** NDCG@10 with gain 2^grade − 1; null when nothing relevant was judged. */
function ndcg(ids: readonly string[], grades: ReadonlyMap<string, number>): number | null {
  const worth = (list: readonly number[]): number => list.slice(0, 10).reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0);
  const ideal = worth([...grades.values()].sort((a, b) => b - a));
  return ideal === 0 ? null : worth(ids.map((id) => grades.get(id) ?? 0)) / ideal;
}

function judge(set: JudgedSet): void {
  const started = performance.now();
  const index = createProductIndex();
  index.bulk(set.products);
  const built = performance.now() - started;
  for (const fit of [false, true]) {
    const found: number[] = [];
    let empty = 0;
    for (const [id, query] of set.queries) {
      const hits = index.search({ query, limit: 10, fit }).hits.map((hit) => hit.id);
      const value = ndcg(hits, set.grades.get(id) ?? new Map());
      if (value === null) continue;
      found.push(value);
      if (hits.length === 0) empty += 1;
    }
    const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
    say(`${set.name.padEnd(16)} ${fit ? 'fit' : 'raw'}  NDCG@10 ${mean.toFixed(4)}  over ${found.length} queries, ${empty} without result  (${set.products.length} products built in ${Math.round(built)} ms)`);
  }
}

function judged(): void {
  const folder = process.env['SIDELIGHT_DATA'] === undefined ? undefined : join(process.env['SIDELIGHT_DATA'], 'relevance');
  if (folder === undefined || !existsSync(folder)) {
    say('no judged data: set SIDELIGHT_DATA to a folder with relevance/<set>/');
    return;
  }
  for (const name of readdirSync(folder).sort()) if (existsSync(join(folder, name, 'qrels.tsv.gz'))) judge(readSet(folder, name));
}

function someFilters(random: () => number): ProductFilters {
  const filters: ProductFilters = {};
  if (random() < 0.6) filters.priceMaxMicros = Math.round(random() * 300) * 1_000_000 + 20_000_000;
  if (random() < 0.3) filters.colors = ['black', 'navy'];
  if (random() < 0.2) filters.sizes = ['M', '9'];
  if (random() < 0.2) filters.gender = 'women';
  if (random() < 0.2) filters.categories = ['footwear', 'apparel', 'electronics_computing', 'home_kitchen'];
  if (random() < 0.2) filters.onSaleOnly = true;
  return filters;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function timeSearches(index: ProductIndex, queries: readonly string[]): void {
  const random = makeRandom(7);
  for (const query of queries.slice(0, 200)) index.search({ query, filters: someFilters(random), limit: 10, fit: true });
  const times: number[] = [];
  for (const query of queries) {
    const filters = someFilters(random);
    const before = process.cpuUsage();
    index.search({ query, filters, limit: 10, fit: true });
    const used = process.cpuUsage(before);
    times.push((used.user + used.system) / 1000);
  }
  times.sort((a, b) => a - b);
  say(`search with filters: p50 ${percentile(times, 0.5).toFixed(2)} ms, p95 ${percentile(times, 0.95).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms CPU over ${times.length} queries`);
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
  // A million listings are made up while they are indexed; fewer are made before, to time the index alone.
  const products = count > 200_000 ? makeProducts(count, 1, wordsOfProse) : [...makeProducts(count, 1, wordsOfProse)];
  const before = heldBytes();
  const index = createProductIndex();
  const started = performance.now();
  const cpu = process.cpuUsage();
  index.bulk(products, (done) => {
    if (done % 100_000 === 0 && done < count) say(`  ${done} of ${count} products in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  });
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage(cpu);
  const perProduct = (heldBytes() - before) / count;
  const { terms, postings, segments } = index.stats();
  say(`${count} products built in ${seconds.toFixed(1)} s (${((used.user + used.system) / 1e6).toFixed(1)} s CPU${Array.isArray(products) ? '' : ', making them up included'}), ${Math.round(perProduct)} bytes a product, ${terms} terms, ${postings} postings, ${segments} segments`);
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
  say(`${fresh.length} products replaced one by one: ${(((performance.now() - started) / fresh.length) * 1000).toFixed(0)} µs each, slowest ${slowest.toFixed(0)} ms`);
}

function option(args: readonly string[], name: string, fallback: number): number {
  const at = args.indexOf(name);
  return at < 0 ? fallback : Number(args[at + 1]);
}

export async function run(args: string[]): Promise<void> {
  judged();
  if (args.includes('--judged-only')) return;
  measure(option(args, '--products', 100_000), option(args, '--queries', 2000));
  if (args.includes('--million')) measure(1_000_000, 500, 40);
}
