import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../db/db.js';
import { AppError } from '../errors.js';

export interface Answer {
  status: number;
  body: unknown;
}

const keyLimit = 255;

/**
 * One write, one transaction. With an `Idempotency-Key` the answer is stored beside the effects: a
 * repeat gets it again, a
 * concurrent repeat waits for it, the same key for something else is refused. A failed write leaves
 * no trace, so it may be retried.
 */
export async function writeOnce(
  db: Db,
  write: Keyed & { now: number },
  work: (tx: Db) => Promise<Answer>,
): Promise<Answer> {
  const asked = keyOf(write);
  if (asked === null) return db.transaction(work);
  return db.transaction(async (tx) => {
    const known = await claimKey(tx, { ...asked, now: write.now });
    if (known !== null) return known;
    const answer = await work(tx);
    await tx.query(
      `update idempotency_keys set status = $3, body = $4::jsonb where account_id = $1
        and key = $2`,
      [
        asked.accountId,
        asked.key,
        answer.status,
        answer.body === undefined ? null : JSON.stringify(answer.body),
      ],
    );
    return answer;
  });
}

/**
 * What a repeat is answered, for writes that do something costly before their transaction; null
 * when it is not a repeat.
 */
export async function answeredBefore(db: Db, write: Keyed): Promise<Answer | null> {
  const asked = keyOf(write);
  return asked === null ? null : findAnswer(db, asked);
}

interface Keyed {
  accountId: string;
  request: FastifyRequest;
}

interface Asked {
  accountId: string;
  key: string;
  hash: string;
}

function keyOf({ accountId, request }: Keyed): Asked | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return null;
  if (key.length > keyLimit)
    throw new AppError('validation_failed', {
      detail: [
        {
          type: 'string_too_long',
          loc: ['header', 'Idempotency-Key'],
          msg: `At most ${keyLimit} characters`,
        },
      ],
    });
  return {
    accountId,
    key,
    hash: createHash('sha256')
      .update(`${request.method} ${request.url}\n${canonical(request.body)}`)
      .digest('hex'),
  };
}

/**
 * null when this request is the first with the key. The insert waits for a concurrent holder to
 * commit or fail.
 */
async function claimKey(tx: Db, claim: Asked & { now: number }): Promise<Answer | null> {
  const inserted = await tx.query(
    `insert into idempotency_keys (account_id, key, request_hash, status, created_at)
     values ($1, $2, $3, 0, $4)
     on conflict (account_id, key) do nothing
     returning 1 as new`,
    [claim.accountId, claim.key, claim.hash, new Date(claim.now)],
  );
  if (inserted.length > 0) return null;
  const known = await findAnswer(tx, claim);
  if (known === null) throw new AppError('temporarily_unavailable');
  return known;
}

async function findAnswer(db: Db, { accountId, key, hash }: Asked): Promise<Answer | null> {
  const [row] = await db.query<{ hash: string; status: number; body: unknown }>(
    `select request_hash as hash, status, body
     from idempotency_keys
     where account_id = $1 and key = $2`,
    [accountId, key],
  );
  if (row === undefined) return null;
  if (row.hash !== hash) throw new AppError('idempotency_key_reused');
  return { status: row.status, body: row.body ?? undefined };
}

/** Kept for a day: longer than any client retries. */
export async function forgetOldKeys(db: Db, now: number): Promise<void> {
  await db.query(`delete from idempotency_keys where created_at < $1`, [
    new Date(now - 86_400_000),
  ]);
}

/** The same text for the same JSON, whatever the order of its members. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
