import { headerReader, type AnyRequest } from '../http/read-request.js';
import type { Regs } from '../regs.js';

/** What the browser's own headers say; undefined where they say nothing. */
export function regsOf(request: AnyRequest | undefined, given: Regs | undefined): Regs | undefined {
  const header = request === undefined ? () => null : headerReader(request);
  const said: Regs = {
    ...(header('sec-gpc') === '1' ? { gpc: 1 } : {}),
    ...(header('dnt') === '1' ? { dnt: 1 } : {}),
    ...given,
  };
  return Object.keys(said).length === 0 ? undefined : said;
}
