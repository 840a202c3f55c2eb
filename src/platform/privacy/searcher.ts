import { everything, type Permissions } from '../../domain/privacy/decision-table.js';
import { redactJson, redactText } from '../../domain/privacy/redact-text.js';
import { readSignals } from '../../domain/privacy/read-signals.js';
import type { ConsentReader } from '../consent/consent-reader.js';
import type { Pseudonyms } from '../secrets/pseudonyms.js';

/** What a search is given to keep nothing it must not. */
export interface SearchPrivacy {
  consent: Pick<ConsentReader, 'judge'>;
  pseudonyms: Pick<Pseudonyms, 'session' | 'searcher'>;
}

export interface Searcher {
  sessionId: string | null;
  userHash: string | null;
  emailHash: string | null;
}

/** Of a search: `regs` and `consent` beside the query. */
export async function allowedToSearch(
  { consent }: Pick<SearchPrivacy, 'consent'>,
  { regs, consent: given }: { regs?: unknown; consent?: unknown },
): Promise<Permissions> {
  if (regs === undefined && given === undefined) return everything;
  const said = readSignals({ places: [regs], user: { consent: given } });
  return (await consent.judge(said)).permissions;
}

/** Who searched, under the names that are stored. */
export function storedSearcher(
  { pseudonyms }: Pick<SearchPrivacy, 'pseudonyms'>,
  publisherId: string,
  { sessionId, userHash, emailHash }: Searcher,
  allowed: Permissions,
): Searcher {
  const isUser = allowed.user_reports;
  return {
    sessionId: sessionId === null || !isUser ? null : pseudonyms.session(publisherId, sessionId),
    userHash: userHash === null || !isUser ? null : pseudonyms.searcher(publisherId, userHash),
    emailHash:
      emailHash === null || !allowed.identity_links
        ? null
        : pseudonyms.searcher(publisherId, emailHash),
  };
}

/** What was asked, without whom it is about; nothing where it may not be kept. */
export function storedWords(text: string, allowed: Permissions): string {
  return allowed.query_storage ? redactText(text) : '';
}

export function storedObject<T>(value: T, allowed: Permissions): T | null {
  // Redacting leaves the shape as it is.
  return allowed.query_storage ? (redactJson(value) as T) : null;
}
