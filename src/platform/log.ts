import { pino } from 'pino';
import { UnreachableDatabase } from './db/unreachable-database.js';

type Fields = Record<string, unknown>;

/**
 * Structured lines. Callers pass ids and numbers, never keys, tokens, messages or personal data.
 */
export interface Log {
  debug(fields: Fields, message: string): void;
  info(fields: Fields, message: string): void;
  warn(fields: Fields, message: string): void;
  error(fields: Fields, message: string): void;
}

export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return destination === undefined
    ? pino(options, pino.destination({ dest: 2, sync: false }))
    : pino(options, destination);
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * What may be logged of an error: never the `detail` of a database error, which repeats row values.
 */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: 'not an Error' };
  // Where in our code it was asked for says nothing of a database that is away.
  if (error instanceof UnreachableDatabase) return { error: error.message, unreachable: true };
  return {
    error: error.message,
    code: 'code' in error ? error.code : undefined,
    stack: error.stack,
  };
}
