import { identityKey } from '../../domain/pii.js';
import {
  bothAllow,
  deniedBy,
  type Permissions,
  permissionsFor,
} from '../../domain/privacy/decision-table.js';
import type { PrivacyDecision } from '../../domain/privacy/weigh-signals.js';
import { storableName } from '../../domain/text/storable-name.js';
import { nilUuid } from '../../domain/uuid.js';
import type { Choices, PersonChoices } from '../../platform/privacy/choices.js';
import { anonymous, type Pseudonyms } from '../../platform/secrets/pseudonyms.js';
import { type Audience, withinPermissions } from './read-request.js';
import type { AdRequest } from './schema.js';
import { subjectsOf } from './showing/showings.js';

export interface PrivacyDeps {
  pseudonyms: Pseudonyms;
  choices: Pick<Choices, 'of' | 'isOptedOut'>;
}

/** The person behind a request as far as they may be known, under the names that are stored. */
export interface BoundPerson {
  /** Without what must not be used. */
  audience: Audience;
  privacy: PrivacyDecision;
  choices: PersonChoices;
  /** What is kept in place of the publisher's names. */
  userId: string;
  /** Null where nothing may be counted of it. */
  session: string | null;
  /** Whose showings count; null where nobody's may. */
  subjects: { session: string; user: string } | null;
  /** Under which dislikes were given. */
  dislikers: readonly string[];
}

const optedOut: Permissions = permissionsFor({
  agreements: [],
  signals: new Set(['opted_out']),
  refused: new Set(),
});

/**
 * What was said with the request, what the person decided before and the opt-out lists, together.
 * Their own decisions are looked up under their own name whatever else is allowed.
 */
export function bindPrivacy(
  { pseudonyms, choices }: PrivacyDeps,
  publisherId: string,
  body: Pick<AdRequest, 'sessionId'>,
  asked: Audience,
): BoundPerson {
  const session = pseudonyms.session(publisherId, storableName(body.sessionId, 200));
  const self = pseudonyms.user(publisherId, asked.name);
  const dislikers = self === anonymous ? [session] : [self, session];
  const made = choices.of(publisherId, dislikers);
  const isOut =
    made.noPersonalisation ||
    (asked.identity !== null && choices.isOptedOut(nilUuid, keyOf(asked.identity)));
  const privacy: PrivacyDecision = isOut
    ? {
        ...asked.privacy,
        permissions: bothAllow(asked.privacy.permissions, optedOut),
        signals: [...asked.privacy.signals, 'opted_out'],
      }
    : asked.privacy;
  const audience = isOut ? withinPermissions({ ...asked, privacy }) : withinPermissions(asked);
  const userId = audience.userId === anonymous ? anonymous : self;
  const mayCount = privacy.permissions.frequency_capping;
  return {
    audience,
    privacy,
    choices: made,
    userId,
    session: mayCount ? session : null,
    subjects: mayCount ? subjectsOf(publisherId, session, userId) : null,
    dislikers,
  };
}

/**
 * What an ad's row keeps of the person for this advertiser; null where there is nothing to keep.
 */
export function linkedIdentity(
  { pseudonyms, choices }: PrivacyDeps,
  advertiserId: string,
  { identity }: Audience,
): string | null {
  if (identity === null || choices.isOptedOut(advertiserId, keyOf(identity))) return null;
  return pseudonyms.viewer(advertiserId, identity);
}

/** 'em:<sha-256>' as opt-outs are kept. */
function keyOf(identity: string): string {
  return identityKey('em', identity.slice('em:'.length));
}

/** What the record of the decision says of it; nothing where nothing was said. */
export function privacyRecord(privacy: PrivacyDecision): Record<string, unknown> | undefined {
  const { signals, problems, permissions } = privacy;
  const denied = deniedBy(permissions);
  if (signals.length === 0 && problems.length === 0 && denied.length === 0) return undefined;
  return { signals, denied, problems };
}
