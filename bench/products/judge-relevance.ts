// NDCG@10 on judged queries: SIDELIGHT_DATA names a folder with
// relevance/<set>/{products.jsonl.gz,queries.tsv,qrels.tsv.gz}.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ProductDocument } from '../../src/domain/search/product-document.js';
import { createProductIndex, type ProductIndex } from '../../src/domain/search/product-index.js';
import { makeProducts } from './make-products.js';

interface JudgedSet {
  name: string;
  rows: JudgedRow[];
  queries: [string, string][];
  grades: Map<string, Map<string, number>>;
}

interface JudgedRow {
  product_id: string;
  name: string;
  model?: string;
  brand?: string;
  merchant?: string;
  category?: string;
  description?: string;
  color?: string;
  ean?: string;
  currency?: string;
  price?: number;
  attrs?: Record<string, string>;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Where a feed puts its facts: in columns of their own, listed in the description, nowhere. */
const places = ['attributes', 'description', 'nowhere'] as const;
type Place = (typeof places)[number];

function withFactsIn(row: JudgedRow, place: Place): JudgedRow {
  const { attrs = {}, model: _model, ean: _ean, ...rest } = row;
  if (place === 'attributes') return row;
  const list = Object.entries(attrs).map(([name, value]) => `${inWords(name)}: ${value}`);
  return place === 'nowhere'
    ? rest
    : { ...rest, description: [rest.description ?? '', ...list].join(' ').trim() };
}

function inWords(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toProduct(row: JudgedRow): ProductDocument {
  return {
    product_id: row.product_id,
    title: row.name,
    brand: row.brand ?? null,
    merchant: row.merchant ?? '',
    category: row.category ?? null,
    description: row.description ?? '',
    color: row.color ?? null,
    attributes: {
      ...(row.model !== undefined && { model: row.model }),
      ...(row.ean !== undefined && { ean: row.ean }),
      ...row.attrs,
    },
    currency: row.currency ?? 'USD',
    priceMicros: Math.round((row.price ?? 10) * 1_000_000),
    regularPriceMicros: null,
    inStock: true,
    hasImage: true,
  };
}

function readSet(folder: string, name: string): JudgedSet {
  const unzip = (file: string): string =>
    gunzipSync(readFileSync(join(folder, name, file))).toString('utf8');
  const grades = new Map<string, Map<string, number>>();
  for (const line of lines(unzip('qrels.tsv.gz'))) {
    const [query = '', product = '', grade = '0'] = line.split('\t');
    const known = grades.get(query) ?? new Map<string, number>();
    grades.set(query, known.set(product, Number(grade)));
  }
  const queries = lines(readFileSync(join(folder, name, 'queries.tsv'), 'utf8')).map(
    (line): [string, string] => [line.split('\t')[0] ?? '', line.split('\t')[1] ?? ''],
  );
  // Rows of this set have the fields of JudgedRow by its own description.
  return {
    name,
    rows: lines(unzip('products.jsonl.gz')).map((line) => JSON.parse(line) as JudgedRow),
    queries,
    grades,
  };
}

/** NDCG@10 with gain 2^grade − 1; null when nothing relevant was judged. */
function ndcg(ids: readonly string[], grades: ReadonlyMap<string, number>): number | null {
  const worth = (list: readonly number[]): number =>
    list.slice(0, 10).reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0);
  const ideal = worth([...grades.values()].sort((a, b) => b - a));
  return ideal === 0 ? null : worth(ids.map((id) => grades.get(id) ?? 0)) / ideal;
}

/**
 * A third of the queries, by their text: what is fitted is fitted on the others and told on these.
 */
function isKeptApart(query: string): boolean {
  const bytes = createHash('md5').update(query).digest();
  return bytes.reduce((sum, byte) => sum + byte, 0) % 3 === 0;
}

function mean(values: readonly number[]): string {
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(4);
}

/** What came of a query. */
interface Judged {
  query: string;
  value: number;
  /** The same with listings that nobody judged left out of the answer. */
  amongJudged: number;
  /** Grades of the first ten, a dash for what nobody judged. */
  grades: string;
}

/** The queries that lose most, and how much of that is listings nobody judged. */
function tellWorst(found: readonly Judged[], count: number): void {
  for (const { query, value, amongJudged, grades } of [...found]
    .sort((a, b) => a.value - b.value)
    .slice(0, count))
    say(
      `  ${value.toFixed(3)}  among judged ${amongJudged.toFixed(3)}  ${grades.padEnd(10)}  ${query}`,
    );
}

/** Queries that so few listings answer are about a rare kind. */
const rareAnswers = 5;

function isRare(grades: ReadonlyMap<string, number>): boolean {
  return [...grades.values()].filter((grade) => grade >= 2).length <= rareAnswers;
}

/**
 * A long tail: the judged listings among as many made-up ones as asked for, which nobody judged. What
 * counts is the difference between the two lines: a fit rule that costs relevance shows here first.
 */
function judgeLongTail(set: JudgedSet, others: number): void {
  const index = createProductIndex();
  index.bulk(makeProducts(others, 1));
  index.bulk(set.rows.map(toProduct));
  for (const fit of [false, true]) {
    const values: number[] = [];
    const rare: number[] = [];
    for (const [id, query] of set.queries) {
      const grades = set.grades.get(id) ?? new Map<string, number>();
      const value = ndcg(firstOf(index, query, fit), grades);
      if (value === null) continue;
      values.push(value);
      if (isRare(grades)) rare.push(value);
    }
    const ofRare = rare.length === 0 ? '' : `, ${mean(rare)} over ${rare.length} of rare kinds`;
    say(
      `${set.name.padEnd(14)} among ${others} others   ${fit ? 'fit' : 'raw'}  NDCG@10 ${mean(values)} over ${values.length} queries${ofRare}`,
    );
  }
}

function firstOf(index: ProductIndex, query: string, fit: boolean): string[] {
  return index.search({ query, limit: 10, fit }).hits.map((hit) => hit.id);
}

function judge(set: JudgedSet, place: Place, worst: number): void {
  const started = performance.now();
  const index = createProductIndex();
  index.bulk(set.rows.map((row) => toProduct(withFactsIn(row, place))));
  const built = performance.now() - started;
  for (const fit of [false, true]) {
    const found: Judged[] = [];
    let empty = 0;
    for (const [id, query] of set.queries) {
      const first = (limit: number): string[] =>
        index.search({ query, limit, fit }).hits.map((hit) => hit.id);
      const hits = first(10);
      const grades = set.grades.get(id) ?? new Map<string, number>();
      const value = ndcg(hits, grades);
      if (value === null) continue;
      found.push({
        query,
        value,
        amongJudged:
          ndcg(
            first(50).filter((one) => grades.has(one)),
            grades,
          ) ?? 0,
        grades: hits.map((one) => grades.get(one) ?? '-').join(''),
      });
      if (hits.length === 0) empty += 1;
    }
    const [all, apart] = [found, found.filter(({ query }) => isKeptApart(query))].map((part) =>
      part.map(({ value }) => value),
    ) as [number[], number[]]; // two parts
    say(
      [
        `${set.name.padEnd(14)} facts in ${place.padEnd(11)} ${fit ? 'fit' : 'raw'}`,
        `NDCG@10 ${mean(all)} over ${all.length} queries`,
        `${mean(apart)} over the ${apart.length} kept apart, ${empty} without result`,
        `(${set.rows.length} products built in ${Math.round(built)} ms)`,
      ].join('  '),
    );
    if (fit) tellWorst(found, worst);
  }
}

/**
 * `worst` says how many of the queries that lose most to tell of, `others` among how many made-up
 * listings to hide the judged ones (0: not at all).
 */
export function judgeRelevance(worst: number, others: number): void {
  const folder =
    process.env['SIDELIGHT_DATA'] === undefined
      ? undefined
      : join(process.env['SIDELIGHT_DATA'], 'relevance');
  if (folder === undefined || !existsSync(folder)) {
    say('no judged data: set SIDELIGHT_DATA to a folder with relevance/<set>/');
    return;
  }
  for (const name of readdirSync(folder).sort())
    if (existsSync(join(folder, name, 'qrels.tsv.gz'))) {
      const set = readSet(folder, name);
      const hasFacts = set.rows.some(({ attrs }) => attrs !== undefined);
      for (const place of hasFacts ? places : (['attributes'] as const)) judge(set, place, worst);
      if (others > 0) judgeLongTail(set, others);
    }
}
