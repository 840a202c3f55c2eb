import type { Caller } from './auth/guards.js';
import type { Db } from './db/db.js';
import type { MintId } from './ids.js';

export interface AuditEntry {
  /** A network where nobody has said convincingly who they are. */
  actor: Caller['actor'] | { kind: 'network'; id: string };
  accountId: string | null;
  action: string;
  entity: string;
  entityId: string;
  before: unknown;
  after: unknown;
}

/** Who did what, with the state before and after, in the transaction that did it. */
export async function recordAudit(
  tx: Db,
  mintId: MintId,
  now: number,
  entry: AuditEntry,
): Promise<void> {
  await recordAudits(tx, mintId, now, [entry]);
}

/** The same of several things, in their order. */
export async function recordAudits(
  tx: Db,
  mintId: MintId,
  now: number,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const all = <T>(read: (entry: AuditEntry) => T): T[] => entries.map(read);
  await tx.query(
    `insert into audit_log (
         id, at, actor_kind, actor_id, account_id, action, entity, entity_id, before, after
       )
     select e.id, $2, e.actor_kind, e.actor_id, e.account_id, e.action, e.entity, e.entity_id,
       e.before::jsonb, e.after::jsonb
     from unnest(
         $1::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[],
         $9::text[], $10::text[]
       ) as e (id, actor_kind, actor_id, account_id, action, entity, entity_id, before, after)`,
    [
      all(() => mintId(now)),
      new Date(now),
      all((entry) => entry.actor.kind),
      all((entry) => entry.actor.id),
      all((entry) => entry.accountId),
      all((entry) => entry.action),
      all((entry) => entry.entity),
      all((entry) => entry.entityId),
      all((entry) => JSON.stringify(entry.before ?? null)),
      all((entry) => JSON.stringify(entry.after ?? null)),
    ],
  );
}

/** Of what is stored, what was sent: a field nobody knows changed nothing. */
export function onlyNamed(sent: object, stored: object): object {
  return Object.fromEntries(Object.entries(stored).filter(([name]) => Object.hasOwn(sent, name)));
}
