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

/**
 * One line a person can act on for every failure we know; the stack only for those we do not.
 * `DATABASE_URL` names who and what is meant.
 */
export function describeFailure(
  error: unknown,
  { DATABASE_URL = '', PGUSER = '' }: { DATABASE_URL?: string; PGUSER?: string | undefined } = {},
): string {
  if (!(error instanceof Error)) return String(error);
  const refused = describeRefusal(error, namesIn(DATABASE_URL, PGUSER));
  if (refused !== null) return refused;
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

interface Names {
  role: string;
  database: string;
}

/** As they are written in a statement. An address without a role means the one of the environment. */
function namesIn(url: string, otherRole: string): Names {
  const {
    username = '',
    pathname = '',
    searchParams,
  } = URL.canParse(url) ? new URL(url) : { searchParams: new URLSearchParams() };
  const role = decoded(username) || (searchParams.get('user') ?? otherRole);
  const quoted = (part: string, otherwise: string): string =>
    part === ''
      ? otherwise
      : /^[a-z_][a-z0-9_]{0,62}$/.test(part)
        ? part
        : `"${part.replaceAll('"', '""')}"`;
  return {
    role: quoted(role, '<role>'),
    // Where none is named, the server takes the role's own.
    database: quoted(decoded(pathname.replace(/^\//, '')) || role, '<database>'),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What PostgreSQL refuses by these codes, and what its owner does about it. */
const refusals: Readonly<Record<string, (said: string, names: Names) => string>> = {
  // A right that is missing, and no schema a role may create in.
  '42501': missingGrants,
  '3F000': missingGrants,
  '25006': (said, { database }) =>
    `the database takes no writes: ${said}. It is a replica, or set to read only: name the primary in DATABASE_URL, ` +
    `or run: ALTER DATABASE ${database} SET default_transaction_read_only = off;`,
  '3D000': (said, { database, role }) =>
    `cannot reach the database: ${said}. Correct DATABASE_URL, or make it: CREATE DATABASE ${database} OWNER ${role};`,
  '28P01': (said) =>
    `cannot reach the database: ${said}. Correct role and password in DATABASE_URL.`,
  '28000': (said, { role }) =>
    `cannot reach the database: ${said}. Correct the role in DATABASE_URL, make it (CREATE ROLE ${role} LOGIN PASSWORD '…';), or let pg_hba.conf allow it.`,
};

/** However deep it lies. */
function describeRefusal(error: Error, names: Names): string | null {
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < 5; depth++) {
    const describe = refusals[codeOf(each)];
    if (describe !== undefined)
      return isKeptOut(each) ? missingConnect(each.message, names) : describe(each.message, names);
    each = each.cause;
  }
  return null;
}

/** Turned away at the door, by the check every connection passes: nothing inside was asked for. */
function isKeptOut(error: Error): boolean {
  return 'routine' in error && error.routine === 'CheckMyDatabase' && codeOf(error) === '42501';
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

function missingConnect(said: string, { role, database }: Names): string {
  return (
    `cannot reach the database: ${said}. The role in DATABASE_URL may not connect to it. ` +
    `As its owner run: GRANT CONNECT ON DATABASE ${database} TO ${role};`
  );
}

/** A role that may not make its tables is told what its owner has to grant. */
function missingGrants(said: string, { role, database }: Names): string {
  return (
    `the database refused: ${said}. The role in DATABASE_URL needs to make tables. ` +
    `As the owner of the database run in it: GRANT USAGE, CREATE ON SCHEMA public TO ${role}; ` +
    `and, should tables be there already, GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}; ` +
    `or make it the owner: ALTER DATABASE ${database} OWNER TO ${role};`
  );
}
