import type { Db } from '../db/db.js';
import { anonymous, isPseudonym, type Pseudonyms } from '../secrets/pseudonyms.js';
import {
  type EventPlace,
  findPlace,
  type NameColumn,
  type PlainEvent,
  readEventPage,
  readPlainDislikers,
  readPlainNames,
  readPlainUsers,
  readPlainViewers,
  renameColumn,
  renameDislikers,
  renameUsers,
  renameViewers,
  rewriteEvents,
  storePlace,
} from './rewrite-queries.js';

export interface RewriteDeps {
  db: Db;
  pseudonyms: Pseudonyms;
  /** Whom ads were shown to is looked up again. */
  forgetServed: () => void;
}

/** Everybody else waits for a page on the embedded engine: it must be short. */
const pageRows = 500;
const pagesAtOnce = 10_000;

/**
 * Stores of earlier versions hold the publishers' own names of users and sessions, and e-mail
 * hashes that are not keyed. Page by page they become pseudonyms, each page in a transaction of its
 * own; what a stop leaves undone the next round finds. Says how many rows were rewritten; once
 * everything is, it is not looked at again.
 */
export async function rewriteNames(
  deps: RewriteDeps,
  { limit = pageRows, pages = pagesAtOnce }: { limit?: number; pages?: number } = {},
): Promise<number> {
  let place = await findPlace(deps.db);
  if (place === 'finished') return 0;
  let rewritten = 0;
  for (let page = 0; page < pages; page += 1) {
    const done: { place: EventPlace | null; rewritten: number } = await deps.db.transaction((tx) =>
      rewriteEventPage({ ...deps, db: tx }, place as EventPlace | null, limit),
    );
    rewritten += done.rewritten;
    if (done.place === null) {
      deps.forgetServed();
      rewritten += await rewriteRest(deps, limit);
      await storePlace(deps.db, 'finished');
      return rewritten;
    }
    place = done.place;
  }
  return rewritten;
}

async function rewriteEventPage(
  { db: tx, pseudonyms }: RewriteDeps,
  after: EventPlace | null,
  limit: number,
): Promise<{ place: EventPlace | null; rewritten: number }> {
  const rows = await readEventPage(tx, after, limit);
  const last = rows.at(-1);
  if (last === undefined) return { place: null, rewritten: 0 };
  const plain = rows.filter(({ isPlain }) => isPlain);
  await rewriteEvents(
    tx,
    plain.map((row) => ({ ...row, ...storedNames(pseudonyms, row) })),
  );
  const place = { day: last.day, id: last.id, kind: last.kind };
  await storePlace(tx, place);
  return { place, rewritten: plain.length };
}

function storedNames(
  pseudonyms: Pseudonyms,
  { publisherId, advertiserId, userId, session, identity }: PlainEvent,
): Pick<PlainEvent, 'userId' | 'session' | 'identity'> {
  const publisher = publisherId ?? '';
  const renamed = (name: string | null, as: (name: string) => string): string | null =>
    name === null || name === anonymous || isPseudonym(name) ? name : as(name);
  return {
    userId: renamed(userId, (name) => pseudonyms.user(publisher, name)),
    session: renamed(session, (name) => pseudonyms.session(publisher, name)),
    identity: renamed(identity, (name) => pseudonyms.viewer(advertiserId ?? '', name)),
  };
}

const searched = ['shop_searches', 'tool_searches'] as const;

/** Tables without a place of their own: a row that is rewritten is not found again. */
async function rewriteRest({ db, pseudonyms }: RewriteDeps, limit: number): Promise<number> {
  const whole = (work: (tx: Db) => Promise<number>): Promise<number> => untilNone(db, work);
  let rewritten = await whole(async (tx) => {
    const rows = await readPlainUsers(tx, limit);
    await renameUsers(
      tx,
      rows.map(({ owner, plain }) => ({
        owner,
        plain,
        name: pseudonyms.user(owner, plain),
        sealed: pseudonyms.seal(owner, plain),
      })),
    );
    return rows.length;
  });
  rewritten += await whole(async (tx) => {
    const rows = await readPlainViewers(tx, limit);
    await renameViewers(
      tx,
      rows.map((row) => ({ ...row, name: pseudonyms.viewer(row.owner, row.plain) })),
    );
    return rows.length;
  });
  // Whether a user or a session disliked an ad was not kept: both are meant.
  rewritten += await whole(async (tx) => {
    const rows = await readPlainDislikers(tx, limit);
    await renameDislikers(
      tx,
      rows.flatMap((row) => [
        { ...row, name: pseudonyms.user(row.owner, row.plain) },
        { ...row, name: pseudonyms.session(row.owner, row.plain) },
      ]),
    );
    return rows.length;
  });
  const columns: [NameColumn, (owner: string, plain: string) => string][] = [
    [{ table: 'ad_feedback', column: 'user_id' }, pseudonyms.user],
    [{ table: 'ad_feedback', column: 'session_id' }, pseudonyms.session],
    ...searched.flatMap((table): [NameColumn, (owner: string, plain: string) => string][] => [
      [{ table, column: 'session_id' }, pseudonyms.session],
      [{ table, column: 'user_hash' }, pseudonyms.searcher],
      [{ table, column: 'email_hash' }, pseudonyms.searcher],
    ]),
  ];
  for (const [at, nameOf] of columns)
    rewritten += await whole(async (tx) => {
      const rows = await readPlainNames(tx, at, limit);
      await renameColumn(
        tx,
        at,
        rows.map(({ id, owner, plain }) => ({ id, name: nameOf(owner, plain) })),
      );
      return rows.length;
    });
  return rewritten;
}

async function untilNone(db: Db, work: (tx: Db) => Promise<number>): Promise<number> {
  let all = 0;
  for (;;) {
    const rows = await db.transaction(work);
    if (rows === 0) return all;
    all += rows;
  }
}
