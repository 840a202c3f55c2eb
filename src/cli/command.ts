import type { Config } from '../config.js';
import type { Database } from '../platform/db/db.js';

/** What one word after `sidelight` does. */
export interface Command {
  /** Shown by `sidelight <name> --help`: what it does, its arguments, an example. */
  readonly help: string;
  run(input: CommandInput): Promise<number>;
}

export interface CommandInput {
  readonly args: readonly string[];
  readonly environment: Record<string, string | undefined>;
  readonly config: Config;
  /** One line on standard output. */
  readonly print: (line: string) => void;
  /**
   * The store of the data folder: opened for this command, or the one a running server has open.
   */
  readonly openStore: (how?: { isRestored: boolean }) => Promise<CommandStore>;
  /** Where the person at the keyboard is: names of files begin here. */
  readonly cwd: string;
  /** A line that is written over; nowhere to be seen where the output is kept. */
  readonly showProgress: ((line: string) => void) | null;
}

export interface CommandStore {
  readonly db: Database;
  /** Where the process that has the store open keeps its journal. */
  readonly nodeDir: string;
  /** Brings everything that was acknowledged so far into the store. */
  settle(print: (line: string) => void): Promise<void>;
  close(): Promise<void>;
}

/** A mistake of the person at the keyboard: one line, exit code 2. */
export class UsageError extends Error {}

/** A failure with a known remedy: one line, exit code 1. */
export class CommandFailure extends Error {}

/** `--name value` and `--flag` options, and the rest in order. */
export function parseOptions(
  args: readonly string[],
  known: { values?: readonly string[]; flags?: readonly string[] },
): { values: Record<string, string>; flags: Set<string>; rest: string[] } {
  const values: Record<string, string> = {};
  const flags = new Set<string>();
  const rest: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (!word.startsWith('--')) {
      rest.push(word);
      continue;
    }
    const [name = '', inline] = word.slice(2).split(/=(.*)/s);
    if (known.flags?.includes(name) === true) flags.add(name);
    else if (known.values?.includes(name) === true) {
      const value = inline ?? args[index + 1];
      if (value === undefined) throw new UsageError(`--${name} needs a value`);
      if (inline === undefined) index += 1;
      values[name] = value;
    } else throw new UsageError(`unknown option --${name}`);
  }
  return { values, flags, rest };
}
