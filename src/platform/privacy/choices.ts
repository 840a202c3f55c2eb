import { announce, channels, type ChoiceNews } from '../channels.js';
import type { Database, Db } from '../db/db.js';
import { follow } from '../follow.js';
import type { Log } from '../log.js';
import { loadChoices, loadOptOuts, type StoredChoice } from './choice-queries.js';

export type ChoiceKind = StoredChoice['choice'];

/** What somebody decided about their ads. */
export interface PersonChoices {
  /** Nothing about the person is used or kept; ads are chosen by the conversation alone. */
  readonly noPersonalisation: boolean;
  readonly advertisers: ReadonlySet<string>;
  readonly topics: ReadonlySet<string>;
  readonly ads: ReadonlySet<string>;
}

/** Decisions of end users and opt-outs, in memory on every node. */
export interface Choices {
  /** Of a user and of the session they are in: either counts. */
  of(publisherId: string, subjects: readonly string[]): PersonChoices;
  /** Whether a hashed e-mail must not be linked: for one advertiser, or (nil) for anybody. */
  isOptedOut(advertiserId: string, identity: string): boolean;
  /** Reads again what one person decided: known here once it resolves. */
  refresh(publisherId: string, subject: string): Promise<void>;
  /** In force here from now on, for whoever made it and cannot wait for the notification. */
  take(news: ChoiceNews): Promise<void>;
  close(): Promise<void>;
}

const resyncMs = 5 * 60_000;

const nothing: PersonChoices = {
  noPersonalisation: false,
  advertisers: new Set(),
  topics: new Set(),
  ads: new Set(),
};

/** Follows what `makeChoice`, `undoChoice` and opt-outs announce. */
export async function followChoices(db: Database, log: Log): Promise<Choices> {
  let bySubject = new Map<string, PersonChoices>();
  let optedOut = new Set<string>();

  async function reload(): Promise<void> {
    const [choices, optOuts] = [await loadChoices(db, null), await loadOptOuts(db)];
    bySubject = gather(choices);
    optedOut = new Set(
      optOuts.map(({ advertiserId, identity }) => `${advertiserId} ${bare(identity)}`),
    );
  }

  async function reloadSubject(publisherId: string, subject: string): Promise<void> {
    const key = `${publisherId} ${subject}`;
    const found = gather(await loadChoices(db, { publisherId, subject })).get(key);
    if (found === undefined) bySubject.delete(key);
    else bySubject.set(key, found);
  }

  async function read(news: ChoiceNews): Promise<void> {
    if ('identity' in news) optedOut.add(`${news.advertiserId} ${bare(news.identity)}`);
    else await reloadSubject(news.publisherId, news.subject);
  }

  const follower = await follow({
    db,
    log,
    what: 'choices',
    channel: channels.choices,
    load: reload,
    async take(news) {
      for (const one of news) await read(one);
    },
    resyncMs,
  });
  return {
    of(publisherId, subjects) {
      if (bySubject.size === 0) return nothing;
      let all = nothing;
      for (const subject of subjects) {
        const one = bySubject.get(`${publisherId} ${subject}`);
        if (one !== undefined) all = all === nothing ? one : together(all, one);
      }
      return all;
    },
    take: (news) => follower.inTurn(() => read(news)),
    isOptedOut: (advertiserId, identity) => optedOut.has(`${advertiserId} ${bare(identity)}`),
    refresh: (publisherId, subject) => follower.inTurn(() => reloadSubject(publisherId, subject)),
    close: follower.close,
  };
}

export interface NewChoice {
  publisherId: string;
  /** A pseudonym of a user or a session. */
  subject: string;
  /** Which of the two: what a session chose is forgotten after a while, as sessions are. */
  scope: 'user' | 'session';
  choice: ChoiceKind;
  /** The advertiser, topic or ad; nothing for `no_personalisation`. */
  value: string;
}

/** In force on every node once the transaction is committed. */
export async function makeChoice(tx: Db, made: NewChoice, at: Date): Promise<void> {
  await tx.query(
    `insert into privacy_choices (publisher_id, subject, scope, choice, value, at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing`,
    [made.publisherId, made.subject, made.scope, made.choice, made.value, at],
  );
  await announce(tx, channels.choices, made);
}

export async function undoChoice(tx: Db, made: Omit<NewChoice, 'scope'>): Promise<void> {
  await tx.query(
    `delete from privacy_choices
     where publisher_id = $1 and subject = $2 and choice = $3 and value = $4`,
    [made.publisherId, made.subject, made.choice, made.value],
  );
  await announce(tx, channels.choices, made);
}

function gather(rows: readonly StoredChoice[]): Map<string, PersonChoices> {
  const found = new Map<string, PersonChoices>();
  for (const row of rows) {
    const key = `${row.publisherId} ${row.subject}`;
    const known = found.get(key);
    const one = choiceOf(row);
    found.set(key, known === undefined ? one : together(known, one));
  }
  return found;
}

function choiceOf({ choice, value }: StoredChoice): PersonChoices {
  return {
    noPersonalisation: choice === 'no_personalisation',
    advertisers: new Set(choice === 'hide_advertiser' ? [value] : []),
    topics: new Set(choice === 'hide_topic' ? [value] : []),
    ads: new Set(choice === 'hide_ad' ? [value] : []),
  };
}

function together(one: PersonChoices, other: PersonChoices): PersonChoices {
  return {
    noPersonalisation: one.noPersonalisation || other.noPersonalisation,
    advertisers: new Set([...one.advertisers, ...other.advertisers]),
    topics: new Set([...one.topics, ...other.topics]),
    ads: new Set([...one.ads, ...other.ads]),
  };
}

/** Keys come with and without the hyphens of a UUID. */
function bare(identity: string): string {
  return identity.replaceAll('-', '');
}
