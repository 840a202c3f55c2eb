import { exportLines } from './export-lines.js';
import { ImportRefused } from './import-store.js';

/** Whether a file begins as an export does; it may still be broken further on. */
export async function isExport(file: string): Promise<boolean> {
  try {
    for await (const line of exportLines(file))
      return line.startsWith('{"format":"sidelight-export"');
  } catch {
    // Not even compressed, or cut off at once.
  }
  return false;
}

/** Reads an export to its end before anything is opened for it. Throws `ImportRefused`. */
export async function checkExport(file: string): Promise<void> {
  let rows = 0;
  let told: number | null = null;
  try {
    for await (const line of exportLines(file))
      if (line.startsWith('[')) rows += 1;
      else if (line.startsWith('{"end":'))
        // Checked by the comparison below.
        told = Number((JSON.parse(line) as { rows?: unknown }).rows);
  } catch (cause) {
    throw new ImportRefused(
      `${file} is not a whole export: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  if (told !== rows)
    throw new ImportRefused(
      `${file} is not a whole export: ${told === null ? 'it ends too early' : `${told} rows were written, ${rows} are there`}`,
    );
}
