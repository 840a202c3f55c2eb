/** What one pass of the model makes of a conversation. The numbers are log-odds. */
export type Reading = {
  /** What is wanted now; compared with what is offered. */
  vector: Float32Array;
  /** That the person has a need of their own an ad may answer. */
  need: number;
  /** That no ad may stand beside this. */
  never: number;
  /** That it is in a language the model does not read. */
  foreign: number;
};

/** The places of the heads behind the vector, in the order the model gives them. */
const heads = { need: 0, never: 1, foreign: 3 };
export const headCount = 4;

/** Vector and heads in one row, as a reading travels and is kept. */
export function readingOf(row: Float32Array): Reading {
  const width = row.length - headCount;
  return {
    vector: row.subarray(0, width),
    need: row[width + heads.need] ?? 0,
    never: row[width + heads.never] ?? 0,
    foreign: row[width + heads.foreign] ?? 0,
  };
}
