import { serveIdOf } from '../../domain/grclid.js';
import { hashPersonal, identityKey, withoutPersonalData } from '../../domain/pii.js';
import { BadEvent, type Fields, optionalText } from './read-fields.js';

const maxValues = 20;

/** The person behind a conversion: keys to match by, and hashes to keep. */
export interface Person {
  clickId: string | null;
  visitor: string | null;
  session: string | null;
  people: string[];
  emails: string[];
  stored: Record<string, unknown>;
}

export function readUserData(user: Fields): Person {
  const click = optionalText(user, 'click_id', 500, 'user_data.') ?? optionalText(user, 'grclid', 500, 'user_data.');
  const visitor = optionalText(user, 'visitor_id', 500, 'user_data.');
  const session = optionalText(user, 'session_id', 500, 'user_data.');
  const agent = optionalText(user, 'client_user_agent', 1000, 'user_data.');
  const emails = hashedList(user, 'em');
  const phones = hashedList(user, 'ph');
  const external = hashedList(user, 'external_id');
  const first = hashedName(user, 'fn');
  const last = hashedName(user, 'ln');
  const stored: Record<string, unknown> = {};
  if (visitor !== null) stored['visitor_id'] = withoutPersonalData(visitor);
  if (session !== null) stored['session_id'] = withoutPersonalData(session);
  if (agent !== null) stored['client_user_agent'] = withoutPersonalData(agent);
  if (emails.length > 0) stored['em'] = emails;
  if (phones.length > 0) stored['ph'] = phones;
  if (external.length > 0) stored['external_id'] = external;
  if (first !== null) stored['fn'] = first;
  if (last !== null) stored['ln'] = last;
  return {
    clickId: click === null ? null : serveIdOf(click.trim()),
    visitor: visitor === null ? null : identityKey('visitor', visitor),
    session: session === null ? null : identityKey('session', session),
    people: [...emails.map((hash) => identityKey('em', hash)), ...phones.map((hash) => identityKey('ph', hash)), ...external.map((hash) => identityKey('external_id', hash))],
    emails,
    stored,
  };
}

/** One text or a list of texts, hashed. */
function hashedList(user: Fields, kind: 'em' | 'ph' | 'external_id'): string[] {
  const value = user[kind];
  if (value === undefined || value === null) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > maxValues) throw new BadEvent(`user_data.${kind} has more than ${maxValues} values`);
  const hashes: string[] = [];
  for (const item of list) {
    if (typeof item !== 'string' || item.length > 1000) throw new BadEvent(`user_data.${kind} must be a list of texts`);
    const hash = hashPersonal(kind, item);
    if (hash !== null && !hashes.includes(hash)) hashes.push(hash);
  }
  return hashes;
}

function hashedName(user: Fields, kind: 'fn' | 'ln'): string | null {
  const value = optionalText(user, kind, 1000, 'user_data.');
  return value === null ? null : hashPersonal(kind, value);
}
