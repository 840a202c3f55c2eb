import { UnsettledCorner } from '../platform/corners/unsettled-corner.js';
import { DataDirInUse, DataDirUnwritable } from '../platform/db/data-dir-errors.js';
import {
  DatabaseNewerThanCode,
  MigrationChanged,
  MigrationFailed,
} from '../platform/db/migrate.js';
import { ImportRefused } from '../platform/db/import-store.js';
import { StoreNotEmpty } from '../platform/db/store-not-empty.js';
import { UnreachableDatabase } from '../platform/db/unreachable-database.js';
import { WrongSecretKey } from '../platform/secrets/master-secret.js';
import { InvalidSettings } from '../platform/settings.js';
import { CommandFailure, UsageError } from './command.js';

/** One line a person can act on for every failure we know; the stack only for those we do not. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const grants = missingGrants(error);
  if (grants !== null) return grants;
  const full = outOfRoom(error);
  if (full !== null)
    return full === 'here'
      ? `the disk is full: ${error.message}. Make room, or set DATA_DIR to another disk.`
      : `the disk of the database is full: ${error.message}. Make room there.`;
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
  if (error instanceof ImportRefused || error instanceof StoreNotEmpty)
    return `${error.message}; nothing was changed.`;
  if (error instanceof DatabaseNewerThanCode)
    return `${error.message}. Use the newer Sidelight that made it, or restore a backup; nothing was changed.`;
  if (
    error instanceof MigrationChanged ||
    error instanceof MigrationFailed ||
    error instanceof UnsettledCorner
  )
    return error.message;
  if (error instanceof WrongSecretKey)
    return `${error.message}. Set SECRET_KEY to the value used before; nothing was changed.`;
  if ('code' in error && error.code === 'EADDRINUSE')
    return `port ${'port' in error ? String(error.port) : ''} is taken. Stop what uses it, or set PORT to another one (PORT=0 picks a free one).`;
  if ('code' in error && error.code === 'EACCES' && 'port' in error)
    return `no permission to listen on port ${String(error.port)}. Choose a PORT above 1023.`;
  return error.stack ?? error.message;
}

/** Whose disk has no room, however deep that lies: this machine’s or the database server’s. */
export function outOfRoom(error: unknown): 'here' | 'database' | null {
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < 5; depth++) {
    const code = 'code' in each ? String(each.code) : '';
    if (code === 'ENOSPC' || code === 'EDQUOT') return 'here';
    if (code === '53100') return 'database';
    each = each.cause;
  }
  return null;
}

/** PostgreSQL's codes for a right that is missing, and for no schema a role may create in. */
const noRights = new Set(['42501', '3F000']);

/**
 * A role that may not make its tables is told what its owner has to grant, however deep it lies.
 */
function missingGrants(error: Error): string | null {
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < 5; depth++) {
    if ('code' in each && noRights.has(String(each.code)))
      return (
        `the database refused: ${each.message}. The role in DATABASE_URL needs to make tables. ` +
        'As the owner of the database run: GRANT USAGE, CREATE ON SCHEMA public TO <role>; ' +
        'and, should tables be there already, GRANT ALL ON ALL TABLES IN SCHEMA public TO <role>; ' +
        'or give the role a database of its own: CREATE DATABASE sidelight OWNER <role>;'
      );
    each = each.cause;
  }
  return null;
}
