// A product index as plain data that a structured clone can hold, and back: what was worked out
// once is read again at the next start.
import type { Bm25f } from './bm25f.js';
import { NameTable } from './name-table.js';
import { OpenPostings } from './open-postings.js';
import { ProductColumns } from './product-columns.js';
import { rowsOver } from './product-row.js';
import { RaggedStore } from './ragged-store.js';
import { SplitMap } from './split-map.js';
import { TermDictionary } from './term-dictionary.js';

/** What the index is put together from; the rest of it follows from these. */
export interface IndexPieces {
  dictionary: TermDictionary;
  engine: Bm25f;
  titles: RaggedStore;
  columns: ProductColumns;
  ids: SplitMap;
  productIds: string[];
  hashes: Uint32Array<ArrayBuffer>;
}

/** What pieces are made of that is more than data. */
const kinds: Readonly<Record<string, new () => object>> = {
  names: NameTable,
  open: OpenPostings,
  ragged: RaggedStore,
  split: SplitMap,
};

function kindOf(value: unknown): string | null {
  return Object.keys(kinds).find((name) => value instanceof (kinds[name] ?? Map)) ?? null;
}

/** Room to work in and what is worked out again; a merge that was under way begins anew. */
const leftOut = new Set(['settings', 'merge', 'mergeRoom', 'scratch', 'paths', 'stems']);

interface Kept {
  kind: string | null;
  fields: [string, unknown][];
}

export function keepPiece(piece: object): unknown {
  if (Array.isArray(piece) || ArrayBuffer.isView(piece)) return piece;
  const kept: Kept = {
    kind: kindOf(piece),
    fields: Object.entries(piece)
      .filter(([name]) => !leftOut.has(name))
      .map(([name, value]: [string, unknown]) => [name, keepField(name, value)]),
  };
  return kept;
}

function keepField(name: string, value: unknown): unknown {
  // Three views of one memory.
  if (name === 'rows') return Object.values(value as object)[0]; // of ProductColumns, numbers first
  return typeof value === 'object' && value !== null && kindOf(value) !== null
    ? keepPiece(value)
    : value;
}

/** Puts what was kept into an index that was just made. */
export function fillPieces(pieces: IndexPieces, kept: ReadonlyMap<string, unknown>): IndexPieces {
  for (const name of ['dictionary', 'engine', 'titles', 'columns', 'ids'] as const)
    fill(pieces[name], kept.get(name));
  // As `keepPiece` wrote them.
  pieces.productIds = kept.get('productIds') as string[];
  pieces.hashes = own(kept.get('hashes')) as Uint32Array<ArrayBuffer>;
  return pieces;
}

function fill<T extends object>(into: T, kept: unknown): T {
  const { fields } = kept as Kept; // written by `keepPiece`
  for (const [name, value] of fields) Object.assign(into, { [name]: revived(name, value) });
  return into;
}

function revived(name: string, value: unknown): unknown {
  if (name === 'rows') return rowsOver(own(value) as Uint32Array<ArrayBuffer>); // as above
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : null;
  const made = typeof kind === 'string' ? kinds[kind] : undefined;
  return made === undefined ? own(value) : fill(new made(), value);
}

/**
 * With memory of its own: an array that was read is a window on the whole file, which would stay
 * as long as the last of them. Lists and records are gone through, maps hold no arrays.
 */
function own(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return 'slice' in value ? (value as Uint8Array).slice() : value;
  if (Array.isArray(value))
    return typeof value[0] === 'object' ? value.map((each: unknown) => own(each)) : value;
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, own(each)]));
}
