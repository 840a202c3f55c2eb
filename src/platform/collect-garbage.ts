import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Frees what is no longer used, at once: V8 keeps it until it has reason to look, which on a server
 * that nobody asks anything may be never. Everybody waits for it, so only where nobody is.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  // Defined by V8 in contexts that are made after the flag.
  const collect: () => void = runInNewContext('gc');
  collect();
}
