import type { Db } from '../db/db.js';

export interface StoredChoice {
  publisherId: string;
  subject: string;
  choice: 'no_personalisation' | 'hide_advertiser' | 'hide_topic' | 'hide_ad';
  value: string;
}

/** Everybody's, or those of one. */
export function loadChoices(
  db: Db,
  of: { publisherId: string; subject: string } | null,
): Promise<StoredChoice[]> {
  return db.query<StoredChoice>(
    `select publisher_id as "publisherId", subject, choice, value
     from privacy_choices
     where $1::uuid is null or (publisher_id = $1 and subject = $2)`,
    [of?.publisherId ?? null, of?.subject ?? null],
  );
}

/** What sessions chose before then; says whether there was anything. */
export async function deleteSessionChoices(db: Db, before: Date): Promise<boolean> {
  const rows = await db.query(
    `delete from privacy_choices where scope = 'session' and at < $1 returning 1`,
    [before],
  );
  return rows.length > 0;
}

/** Of hashed e-mails: the only identities that ad requests and advertisers share. */
export function loadOptOuts(db: Db): Promise<{ advertiserId: string; identity: string }[]> {
  return db.query(
    `select advertiser_id as "advertiserId", identity
     from opt_outs
     where identity >= '03000000-0000-0000-0000-000000000000'
       and identity < '04000000-0000-0000-0000-000000000000'`,
  );
}
