/** One statement reads about this many rows: on the embedded engine everybody waits behind it. */
const rowsAtOnce = 25_000;

/**
 * Does `total` things some at a time, `atFirst` and then more the fewer rows the ones before had,
 * as `work` tells. A rest too small to be worth a statement goes with the step before it: each one
 * groups and answers everything anew, however little it reads.
 */
export async function inSteps(
  total: number,
  atFirst: number,
  work: (from: number, to: number) => Promise<number>,
): Promise<void> {
  let size = atFirst;
  let at = 0;
  while (at < total) {
    const to = total - at <= size * 1.25 ? total : at + size;
    const rows = await work(at, to);
    at = to;
    size = Math.round(Math.min(size * 4, Math.max(atFirst, (size * rowsAtOnce) / (rows + 1))));
  }
}
