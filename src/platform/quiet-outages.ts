import type { Contact } from './db/db.js';
import type { Log } from './log.js';

/**
 * A log that tells of a database that is away once. Everything that comes round fails then, again
 * and again, and who watches the node says when it began and when it is over; what failed meanwhile
 * is only counted. Until it is known to be away, each kind of failure is told once.
 */
export function quietOutages(
  log: Log,
  contact: Pick<Contact, 'isAway' | 'heardAt'> | undefined,
): { log: Log; leftOut(): number } {
  if (contact === undefined) return { log, leftOut: () => 0 };
  const told = new Set<string>();
  let [toldSince, count] = [contact.heardAt, 0];
  const isNews = (fields: Record<string, unknown>, message: string): boolean => {
    if (!isOutage(fields)) return true;
    if (contact.heardAt !== toldSince) told.clear();
    toldSince = contact.heardAt;
    if (!contact.isAway && !told.has(message)) {
      told.add(message);
      return true;
    }
    count += 1;
    return false;
  };
  return {
    log: {
      debug: (fields, message) => log.debug(fields, message),
      info: (fields, message) => log.info(fields, message),
      warn: (fields, message) => void (isNews(fields, message) && log.warn(fields, message)),
      error: (fields, message) => void (isNews(fields, message) && log.error(fields, message)),
    },
    leftOut() {
      const tries = count;
      count = 0;
      return tries;
    },
  };
}

/** By what `errorFields` and failed requests say of an error. */
function isOutage({ unreachable, err }: Record<string, unknown>): boolean {
  return unreachable === true || Object(err).name === 'UnreachableDatabase';
}
