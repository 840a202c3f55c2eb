import { serveIdOf } from '../../../domain/grclid.js';
import { hashPersonal, identityKey, withoutPersonalData } from '../../../domain/pii.js';
import { BadEvent, type Fields, optionalText } from './read-fields.js';

const maxValues = 20;

/** The person behind a conversion: keys to match by, and hashes to keep. */
export interface Person {
  serveId: string | null;
  visitor: string | null;
  session: string | null;
  people: string[];
  emails: string[];
  /** JSON text of what is kept. Most of it is hashes, which need no escaping. */
  stored: string;
}

export function readUserData(user: Fields): Person {
  const click =
    optionalText(user, 'click_id', 500, 'user_data.') ??
    optionalText(user, 'grclid', 500, 'user_data.');
  const visitor = optionalText(user, 'visitor_id', 500, 'user_data.');
  const session = optionalText(user, 'session_id', 500, 'user_data.');
  const agent = optionalText(user, 'client_user_agent', 1000, 'user_data.');
  const emails = hashedList(user, 'em');
  const phones = hashedList(user, 'ph');
  const external = hashedList(user, 'external_id');
  const first = hashedName(user, 'fn');
  const last = hashedName(user, 'ln');
  let stored = '';
  if (visitor !== null) stored += `,"visitor_id":${JSON.stringify(withoutPersonalData(visitor))}`;
  if (session !== null) stored += `,"session_id":${JSON.stringify(withoutPersonalData(session))}`;
  if (agent !== null)
    stored += `,"client_user_agent":${JSON.stringify(withoutPersonalData(agent))}`;
  if (emails.length > 0) stored += `,"em":["${emails.join('","')}"]`;
  if (phones.length > 0) stored += `,"ph":["${phones.join('","')}"]`;
  if (external.length > 0) stored += `,"external_id":["${external.join('","')}"]`;
  if (first !== null) stored += `,"fn":"${first}"`;
  if (last !== null) stored += `,"ln":"${last}"`;
  return {
    serveId: click === null ? null : serveIdOf(click.trim()),
    visitor: visitor === null ? null : identityKey('visitor', visitor),
    session: session === null ? null : identityKey('session', session),
    people: [
      ...emails.map((hash) => identityKey('em', hash)),
      ...phones.map((hash) => identityKey('ph', hash)),
      ...external.map((hash) => identityKey('external_id', hash)),
    ],
    emails,
    stored: `{${stored.slice(1)}}`,
  };
}

/** One text or a list of texts, hashed. */
function hashedList(user: Fields, kind: 'em' | 'ph' | 'external_id'): string[] {
  const value = user[kind];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return listOf(hashOf(kind, value));
  // Nearly always there is one, and a list that grows takes room for many.
  if (value.length === 1) return listOf(hashOf(kind, value[0]));
  if (value.length > maxValues)
    throw new BadEvent(`user_data.${kind} has more than ${maxValues} values`);
  return [...new Set(value.flatMap((item: unknown) => listOf(hashOf(kind, item))))];
}

function listOf(hash: string | null): string[] {
  return hash === null ? [] : [hash];
}

function hashOf(kind: 'em' | 'ph' | 'external_id', value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 1000)
    throw new BadEvent(`user_data.${kind} must be a list of texts`);
  return hashPersonal(kind, value);
}

function hashedName(user: Fields, kind: 'fn' | 'ln'): string | null {
  const value = optionalText(user, kind, 1000, 'user_data.');
  return value === null ? null : hashPersonal(kind, value);
}
