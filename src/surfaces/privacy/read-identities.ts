import { hashPersonal, identityKey } from '../../domain/pii.js';
import type { Identities } from './schema.js';

export interface HashedIdentities {
  /** As links and opt-outs are keyed. */
  keys: string[];
  emails: string[];
  phones: string[];
  external: string[];
  /** Texts by which a stored conversion is recognised: hashes and the visitor id. */
  marks: string[];
}

export function readIdentities(given: Identities): HashedIdentities {
  const visitor = given.visitor_id?.trim() ?? '';
  const emails = hashes('em', given.em);
  const phones = hashes('ph', given.ph);
  const external = hashes('external_id', given.external_id);
  return {
    keys: [
      ...(visitor === '' ? [] : [identityKey('visitor', visitor)]),
      ...emails.map((hash) => identityKey('em', hash)),
      ...phones.map((hash) => identityKey('ph', hash)),
      ...external.map((hash) => identityKey('external_id', hash)),
    ],
    emails,
    phones,
    external,
    marks: [
      ...(visitor === '' ? [] : [JSON.stringify(visitor)]),
      ...emails,
      ...phones,
      ...external,
    ],
  };
}

function hashes(
  kind: 'em' | 'ph' | 'external_id',
  given: readonly string[] | string | null | undefined,
): string[] {
  const list =
    given === null || given === undefined ? [] : typeof given === 'string' ? [given] : given;
  return [
    ...new Set(list.map((value) => hashPersonal(kind, value)).filter((hash) => hash !== null)),
  ];
}
