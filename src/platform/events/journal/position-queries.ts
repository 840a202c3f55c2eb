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
