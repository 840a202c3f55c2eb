import type { Db } from '../../db/db.js';
import type { Position } from './journal.js';

/** How far the database has come in a journal; null when it never heard of it. */
export async function loadPosition(db: Db, journalId: string): Promise<Position | null> {
  const [row] = await db.query<{ segment: number; position: number }>(
    `select segment, position from journal_positions where journal_id = $1`,
    [journalId],
  );
  return row === undefined ? null : { segment: row.segment, offset: row.position };
}

/** In the transaction that stores what lies before it: neither is there without the other. */
export async function savePosition(tx: Db, journalId: string, position: Position): Promise<void> {
  await tx.query(
    `insert into journal_positions (journal_id, segment, position, updated_at)
     values ($1, $2, $3, now())
     on conflict (journal_id) do update set segment = excluded.segment,
       position = excluded.position, updated_at = excluded.updated_at`,
    [journalId, position.segment, position.offset],
  );
}
