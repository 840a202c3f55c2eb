import { identityKey } from '../../domain/pii.js';
import {
  bothAllow,
  permissionsFor,
  type Permissions,
} from '../../domain/privacy/decision-table.js';
import { redactJson, redactText } from '../../domain/privacy/redact-text.js';
import { readSignals } from '../../domain/privacy/read-signals.js';
import type { PrivacyDecision } from '../../domain/privacy/weigh-signals.js';
import { storableName } from '../../domain/text/storable-name.js';
import { nilUuid } from '../../domain/uuid.js';
import type { ConsentReader } from '../consent/consent-reader.js';
import type { Pseudonyms } from '../secrets/pseudonyms.js';
import type { Choices } from './choices.js';

/** What a search is given to keep nothing it must not. */
export interface SearchPrivacy {
  consent: Pick<ConsentReader, 'judge'>;
  pseudonyms: Pick<Pseudonyms, 'session' | 'searcher' | 'user'>;
  choices: Pick<Choices, 'of' | 'isOptedOut'>;
}

export interface Searcher {
  sessionId: string | null;
  userHash: string | null;
  emailHash: string | null;
}

/** What a search says of who asks, and of their choices. */
export interface AskedSearch {
  regs?: unknown;
  consent?: unknown;
  external_user_id?: string | null;
  external_session_id?: string | null;
}

const optedOut: Permissions = permissionsFor({
  agreements: [],
  signals: new Set(['opted_out']),
  refused: new Set(),
});

/**
 * `regs` and `consent` beside the query, the headers, and what the person decided before: by their
 * own link, or by an opt-out of their e-mail everywhere.
 */
export async function judgeSearch(
  { consent, pseudonyms, choices }: SearchPrivacy,
  publisherId: string,
  body: AskedSearch,
  emailHash: string | null,
  headers: Readonly<Record<string, string | string[] | undefined>> = {},
): Promise<PrivacyDecision> {
  const said = readSignals({ places: [body.regs], user: { consent: body.consent }, headers });
  const asked = await consent.judge(said);
  const { external_user_id: user, external_session_id: session } = body;
  const subjects = [
    ...(user == null ? [] : [pseudonyms.user(publisherId, storableName(user, 200))]),
    ...(session == null ? [] : [pseudonyms.session(publisherId, storableName(session, 200))]),
  ];
  const isOut =
    choices.of(publisherId, subjects).noPersonalisation ||
    (emailHash !== null && choices.isOptedOut(nilUuid, identityKey('em', emailHash)));
  if (!isOut) return asked;
  return {
    ...asked,
    permissions: bothAllow(asked.permissions, optedOut),
    signals: [...asked.signals, 'opted_out'],
  };
}

/** Who searched, under the names that are stored. */
export function storedSearcher(
  { pseudonyms }: { pseudonyms: Pick<Pseudonyms, 'session' | 'searcher'> },
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

/**
 * What is added to the links of an answer, so that whoever follows one is not told to the
 * advertiser where that was not allowed: consent may still come with the click, an objection stays.
 */
export function linkSignals({ permissions, signals }: PrivacyDecision): string {
  if (permissions.advertiser_sharing && permissions.conversion_matching) return '';
  return signals.some((signal) => signal !== 'consent_asked') || signals.length === 0
    ? '?gpc=1'
    : '?gdpr=1';
}
