import { sha256 } from '../../domain/pii.js';
import { storableName } from '../../domain/text/storable-name.js';
import { nilUuid } from '../../domain/uuid.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { EventLog } from '../../platform/events/event-log.js';
import type { MintId } from '../../platform/ids.js';
import type { Choices } from '../../platform/privacy/choices.js';
import { anonymous, type Pseudonyms } from '../../platform/secrets/pseudonyms.js';
import type { Sealer } from '../../platform/secrets/sealer.js';
import { erasePerson, viewersOf } from './erasing/erase.js';
import { announceErasure, eraseUser } from './erasing/erase-users.js';
import {
  findUserName,
  insertRequest,
  keepKnown,
  listAccountIds,
  type PrivacyRequestRow,
  type PublisherPerson,
  readAdvertiserPerson,
  readPublisherPerson,
} from './person-queries.js';
import { readIdentities } from './read-identities.js';
import type { PrivacyRequest } from './schema.js';

export interface RequestDeps {
  /** Reads what was acknowledged a moment ago. */
  db: Db;
  clock: Clock;
  mintId: MintId;
  sealer: Sealer;
  pseudonyms: Pseudonyms;
  eventLog: Pick<EventLog, 'drain' | 'sweep' | 'forgetServed'>;
  choices: Pick<Choices, 'take'>;
}

/** Who asks decides what is looked at: its own data, or everybody's. */
export type Asker =
  | { kind: 'advertiser' | 'publisher'; id: string; actor: string }
  | { kind: 'operator'; id: null; actor: string };

export interface Receipt {
  row: PrivacyRequestRow;
  data: Record<string, unknown> | null;
}

/** Erases, or shows, everything that is kept of somebody; says what it found, under a number. */
export async function answerRequest(
  deps: RequestDeps,
  asker: Asker,
  body: PrivacyRequest,
): Promise<Receipt> {
  // What is on its way is about them too.
  await deps.eventLog.drain();
  return answer(deps, asker, body, await namesOf(deps, asker, body), subjectText(body));
}

/** Somebody who asks about themselves with the link in an ad: the name they are stored under. */
export interface LinkedPerson {
  publisherId: string;
  subject: string;
  scope: 'user' | 'session';
}

/**
 * The same for whoever holds the link in an ad. Where the publisher's own name for its user is
 * kept, it is as if the publisher had asked by that name: searches are found too.
 */
export async function answerPerson(
  deps: RequestDeps,
  kind: PrivacyRequest['kind'],
  { publisherId, subject, scope }: LinkedPerson,
): Promise<Receipt> {
  await deps.eventLog.drain();
  const asker: Asker = { kind: 'publisher', id: publisherId, actor: 'the person, by their link' };
  const sealed = scope === 'user' ? await findUserName(deps.db, publisherId, subject) : null;
  const name = sealed === null ? null : deps.pseudonyms.open(publisherId, subject, sealed);
  const body: PrivacyRequest = name === null ? { kind } : { kind, user_id: name };
  const known = await namesOf(deps, asker, body);
  const named = name === null ? withNames(known, subject, scope) : known;
  return answer(deps, asker, body, named, name === null ? subject : subjectText(body));
}

async function answer(
  deps: RequestDeps,
  asker: Asker,
  body: PrivacyRequest,
  known: Known,
  subject: string,
): Promise<Receipt> {
  const { found, data } =
    body.kind === 'erase'
      ? { found: await erase(deps, known, body), data: null }
      : await show(deps, known);
  const now = deps.clock();
  const row: PrivacyRequestRow = {
    id: deps.mintId(now),
    at: new Date(now),
    kind: body.kind,
    accountKind: asker.kind,
    accountId: asker.id,
    askedBy: asker.actor,
    subjectHash: deps.pseudonyms.searcher(asker.id ?? nilUuid, subject),
    found,
  };
  await insertRequest(deps.db, row);
  // The part of the journal that is applied holds their pseudonyms still.
  if (body.kind === 'erase') deps.eventLog.sweep(0);
  return { row, data };
}

function withNames(known: Known, subject: string, scope: LinkedPerson['scope']): Known {
  return {
    ...known,
    publishers: known.publishers.map((person) => ({
      ...person,
      ...(scope === 'user' ? { users: [subject] } : { sessions: [subject] }),
    })),
  };
}

interface Known {
  /** Null: not asked, because a publisher may not. */
  advertiserId: string | null;
  identities: ReturnType<typeof readIdentities>;
  viewers: readonly string[];
  publishers: readonly PublisherPerson[];
}

async function namesOf(
  { db, pseudonyms }: RequestDeps,
  asker: Asker,
  body: PrivacyRequest,
): Promise<Known> {
  const identities = readIdentities(body);
  // Nobody in particular is everybody who is not known.
  const users = listOf(body.user_id)
    .map((name) => storableName(name, 200))
    .filter((name) => name !== '' && name !== anonymous);
  const sessions = listOf(body.session_id).map((name) => storableName(name, 200));
  const viewers = await viewersOf(
    { db, pseudonyms },
    identities.emails,
    asker.kind === 'advertiser' ? asker.id : nilUuid,
  );
  const publisherIds =
    asker.kind === 'advertiser'
      ? []
      : asker.kind === 'publisher'
        ? [asker.id]
        : body.publisher_id == null
          ? await listAccountIds(db, 'publishers')
          : [body.publisher_id];
  const hashes = [...users.map(sha256), ...identities.emails, ...identities.external];
  const personAt = (publisherId: string): PublisherPerson => ({
    publisherId,
    // Rows of earlier versions hold the name itself.
    users: users.flatMap((name) => [pseudonyms.user(publisherId, name), name]),
    sessions: sessions.map((name) => pseudonyms.session(publisherId, name)),
    searchers: hashes.map((hash) => pseudonyms.searcher(publisherId, hash)),
    viewers,
  });
  return {
    advertiserId:
      asker.kind === 'publisher'
        ? null
        : (asker.id ?? (body.advertiser_id == null ? nilUuid : body.advertiser_id)),
    identities,
    viewers,
    publishers:
      publisherIds.length > 1
        ? await keepKnown(db, publisherIds.map(personAt))
        : publisherIds.map(personAt),
  };
}

async function erase(
  deps: RequestDeps,
  { advertiserId, publishers }: Known,
  body: PrivacyRequest,
): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const count = (name: string, more: number): void => {
    found[name] = (found[name] ?? 0) + more;
  };
  if (advertiserId !== null) {
    for (const [name, number] of Object.entries(await erasePerson(deps, body, advertiserId)))
      count(name, number);
    deps.eventLog.forgetServed();
  }
  for (const person of publishers) {
    deps.eventLog.forgetServed();
    await deps.db.transaction(async (tx) => {
      const erased = await eraseUser({ tx, sealer: deps.sealer }, person);
      for (const [name, number] of Object.entries(erased)) count(name, number);
      await announceErasure(tx, person);
    });
    deps.eventLog.forgetServed();
    for (const subject of [...person.users, ...person.sessions])
      await deps.choices.take({ publisherId: person.publisherId, subject });
  }
  return found;
}

async function show(
  { db }: RequestDeps,
  { advertiserId, identities, viewers, publishers }: Known,
): Promise<{ found: Record<string, number>; data: Record<string, unknown> }> {
  const found: Record<string, number> = {};
  const parts: Record<string, unknown[]>[] = [];
  if (advertiserId !== null)
    parts.push(await readAdvertiserPerson(db, advertiserId, nilUuid, { ...identities, viewers }));
  for (const person of publishers) parts.push(await readPublisherPerson(db, person));
  const data: Record<string, unknown[]> = {};
  for (const part of parts)
    for (const [name, rows] of Object.entries(part)) {
      data[name] = [...(data[name] ?? []), ...rows];
      found[name] = data[name].length;
    }
  return { found, data };
}

export function listOf(given: readonly string[] | string | null | undefined): string[] {
  if (given === null || given === undefined) return [];
  return (typeof given === 'string' ? [given] : [...given]).filter((one) => one.trim() !== '');
}

/** The same for the same identifiers, in whatever order they came. */
function subjectText(body: PrivacyRequest): string {
  const named = [
    ...readIdentities(body).keys,
    ...listOf(body.user_id).map((name) => `user ${name}`),
    ...listOf(body.session_id).map((name) => `session ${name}`),
  ];
  return named.sort().join('\n');
}
