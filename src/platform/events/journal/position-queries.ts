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

/** When something was last stored from any journal, by the clock of the database. */
export async function lastStoredAt(db: Db): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(
    `select max(updated_at) as at from journal_positions`,
  );
  return row?.at ?? null;
}
