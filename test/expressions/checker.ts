import { checkSync } from 'recheck';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceExpression } from './source-expressions.js';

// Without the programs for single platforms, which are left out of the installation.
process.env['RECHECK_SYNC_BACKEND'] = 'pure';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * What the checker said of each expression. It takes seconds for a long one, so that its answers
 * are kept; `node scripts/check-expressions.mjs` asks for those that are missing.
 */
export const verdictFile = join(root, 'test/expressions/verdicts.json');

/** `unknown`: it gave up in the time it has; the growth of such ones is measured all the same. */
export type Verdict = 'safe' | 'vulnerable' | 'unknown';

/** A file may hold this many that were never asked for before the check would take too long. */
export function checkerVerdict(
  { source, flags }: Pick<SourceExpression, 'source' | 'flags'>,
  timeout = 1500,
): Verdict {
  return checkSync(source, flags, { timeout }).status;
}
