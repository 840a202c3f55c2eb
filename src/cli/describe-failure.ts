import { DataDirInUse, DataDirUnwritable } from '../platform/db/data-dir-errors.js';
import {
  DatabaseNewerThanCode,
  MigrationChanged,
  MigrationFailed,
} from '../platform/db/migrate.js';
import { UnreachableDatabase } from '../platform/db/unreachable-database.js';
import { WrongSecretKey } from '../platform/secrets/master-secret.js';
import { InvalidSettings } from '../platform/settings.js';
import { CommandFailure, UsageError } from './command.js';

/** One line a person can act on for every failure we know; the stack only for those we do not. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (
    error instanceof UsageError ||
    error instanceof CommandFailure ||
    error instanceof InvalidSettings
  )
    return error.message;
  if (error instanceof DataDirInUse)
    return `${error.message}. Stop that process, or set DATA_DIR to another folder.`;
  if (error instanceof DataDirUnwritable)
    return `${error.message}. Give this user the right to write there, or set DATA_DIR to another folder.`;
  if (error instanceof UnreachableDatabase)
    return `${error.message}. Start it or correct DATABASE_URL; without DATABASE_URL the embedded store is used.`;
  if (error instanceof DatabaseNewerThanCode)
    return `${error.message}. Use the newer Sidelight that made it, or restore a backup; nothing was changed.`;
  if (error instanceof MigrationChanged || error instanceof MigrationFailed) return error.message;
  if (error instanceof WrongSecretKey)
    return `${error.message}. Set SECRET_KEY to the value used before; nothing was changed.`;
  if ('code' in error && error.code === 'EADDRINUSE')
    return `port ${'port' in error ? String(error.port) : ''} is taken. Stop what uses it, or set PORT to another one (PORT=0 picks a free one).`;
  if ('code' in error && error.code === 'EACCES' && 'port' in error)
    return `no permission to listen on port ${String(error.port)}. Choose a PORT above 1023.`;
  return error.stack ?? error.message;
}
