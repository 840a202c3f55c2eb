import { hashPersonal } from '../../../domain/pii.js';
import type { Db } from '../../../platform/db/db.js';
import type { Sealer } from '../../../platform/secrets/sealer.js';
import { clearLead, listSealedLeads } from '../queries.js';

const batch = 1000;

/**
 * Answers are sealed, so each is opened to see whose it is. That somebody answered stays; what they
 * wrote goes.
 */
export async function eraseLeads(
  { db, sealer }: { db: Db; sealer: Sealer },
  advertiserId: string,
  { emails, phones }: { emails: readonly string[]; phones: readonly string[] },
): Promise<number> {
  if (emails.length + phones.length === 0) return 0;
  let erased = 0;
  let after: string | null = null;
  for (;;) {
    const rows = await listSealedLeads(db, advertiserId, after, batch);
    for (const { id, advertiserId: owner, fieldsSealed } of rows) {
      const about = `lead:${owner}`;
      if (!names(sealer.open(fieldsSealed, about), emails, phones)) continue;
      await clearLead(db, id, sealer.seal('{}', about));
      erased += 1;
    }
    after = rows.at(-1)?.id ?? null;
    if (rows.length < batch) return erased;
  }
}

function names(answers: string, emails: readonly string[], phones: readonly string[]): boolean {
  const given: unknown = JSON.parse(answers);
  if (typeof given !== 'object' || given === null) return false;
  return Object.values(given).some((value: unknown) => {
    if (typeof value !== 'string') return false;
    return (
      emails.includes(hashPersonal('em', value) ?? '') ||
      phones.includes(hashPersonal('ph', value) ?? '')
    );
  });
}
