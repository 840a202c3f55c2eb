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
  await tx.query(
    `insert into audit_log (
         id, at, actor_kind, actor_id, account_id, action, entity, entity_id, before, after
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb)`,
    [
      mintId(now),
      new Date(now),
      entry.actor.kind,
      entry.actor.id,
      entry.accountId,
      entry.action,
      entry.entity,
      entry.entityId,
      JSON.stringify(entry.before ?? null),
      JSON.stringify(entry.after ?? null),
    ],
  );
}
