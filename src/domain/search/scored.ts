// What a query has found so far, document by document, and the loop that adds to it.

/**
 * Where a term was found: the field that names the document, one that describes it in a word or
 * two, running text, the shelf it stands on.
 */
export const zone = { name: 1, facts: 2, text: 4, category: 8 } as const;
const firmZones = 11;

/**
 * What `score` found: `docs` up to `count`, in no order. Four numbers a document lie side by side,
 * so that a posting touches one line of the cache:
 * at `4 * doc` in `floats` the score, and in `cells` after it three masks where bit g is set when
 * the document matches group g
 * anywhere (`+ matchedCell`), outside running text (`+ firmCell`), in its name (`+ namedCell`).
 * Only the cells of `docs` mean anything, and the next
 * call reuses them.
 */
export interface Scored {
  docs: Uint32Array;
  count: number;
  floats: Float32Array;
  cells: Uint32Array;
  /** Room for as many documents and a weight of each, for whoever sifts them. */
  room: Uint32Array;
  weights: Float32Array;
}

export const matchedCell = 1;
export const firmCell = 2;
export const namedCell = 3;

/**
 * What `marks` says of a document: not to be scored, not looked at yet, among the found ones. One
 * byte, because most postings need no more.
 */
const barred = 0;
const unseen = 1;
const taken = 2;

export interface Scratch extends Scored {
  best: Float32Array;
  marks: Uint8Array;
  admits: ((doc: number) => boolean) | null;
  /** True once no further documents are taken. */
  closed: boolean;
}

export function emptyScratch(size: number): Scratch {
  const cells = new Uint32Array(size * 4);
  return {
    docs: new Uint32Array(size),
    room: new Uint32Array(size),
    weights: new Float32Array(size),
    count: 0,
    cells,
    floats: new Float32Array(cells.buffer),
    best: new Float32Array(size),
    marks: new Uint8Array(size),
    admits: null,
    closed: false,
  };
}

/** A posting's zones as a bit in the masks that they concern. */
function takeDocument(into: Scratch, doc: number, bit: number, value: number, zones: number): void {
  const cell = doc << 2;
  into.marks[doc] = taken;
  into.docs[into.count++] = doc;
  into.floats[cell] = value;
  into.cells[cell + matchedCell] = bit;
  into.cells[cell + firmCell] = (zones & firmZones) !== 0 ? bit : 0;
  into.cells[cell + namedCell] = (zones & zone.name) !== 0 ? bit : 0;
  into.best[doc] = value;
}

/**
 * The inner loop: everything it needs is local. `several` alternatives of one group compete through
 * `best`.
 */
export function scoreRun(
  into: Scratch,
  docs: Uint32Array,
  packed: Uint16Array,
  start: number,
  end: number,
  bit: number,
  factor: number,
  several: boolean,
): void {
  const { floats, cells, best, marks, admits, closed } = into;
  for (let i = start; i < end; i++) {
    const doc = docs[i] as number; // within start and end
    const mark = marks[doc] as number; // sized to every document
    if (mark !== taken) {
      if (closed || mark === barred) continue;
      if (admits === null || admits(doc))
        takeDocument(into, doc, bit, ((packed[i] as number) >>> 4) * factor, packed[i] as number); // as above
      else marks[doc] = barred;
      continue;
    }
    const posting = packed[i] as number; // as above
    const cell = doc << 2;
    const value = (posting >>> 4) * factor;
    const before = cells[cell + 1] as number; // as above
    if (several) {
      const had = (before & bit) !== 0 ? (best[doc] as number) : 0; // as above
      if (value > had) {
        floats[cell] = (floats[cell] as number) + value - had; // as above
        best[doc] = value;
      }
    } else {
      floats[cell] = (floats[cell] as number) + value; // as above
    }
    cells[cell + 1] = before | bit;
    // as above
    if ((posting & firmZones) !== 0) cells[cell + 2] = (cells[cell + 2] as number) | bit;
    if ((posting & 1) !== 0) cells[cell + 3] = (cells[cell + 3] as number) | bit; // as above
  }
}

/** One match by itself: from the open part or from a list of documents. */
export function addMatch(
  scratch: Scratch,
  doc: number,
  bit: number,
  value: number,
  zones: number,
  several: boolean,
): void {
  const { floats, cells, best, marks } = scratch;
  const mark = marks[doc] ?? barred;
  if (mark !== taken) {
    if (scratch.closed || mark !== unseen) return;
    if (scratch.admits === null || scratch.admits(doc))
      takeDocument(scratch, doc, bit, value, zones);
    else marks[doc] = barred;
    return;
  }
  const cell = doc << 2;
  const before = cells[cell + matchedCell] ?? 0;
  const had = several && (before & bit) !== 0 ? (best[doc] ?? 0) : 0;
  if (value > had) {
    floats[cell] = (floats[cell] ?? 0) + value - had;
    best[doc] = value;
  }
  cells[cell + matchedCell] = before | bit;
  if ((zones & firmZones) !== 0) cells[cell + firmCell] = (cells[cell + firmCell] ?? 0) | bit;
  if ((zones & zone.name) !== 0) cells[cell + namedCell] = (cells[cell + namedCell] ?? 0) | bit;
}
