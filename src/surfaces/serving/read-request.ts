import { adultFrom, parseAgeRange, type AgeRange } from '../../domain/decision/candidate.js';
import { bothAllow, permissionsFor } from '../../domain/privacy/decision-table.js';
import { noSignals, type PrivacyDecision } from '../../domain/privacy/weigh-signals.js';
import { storableName } from '../../domain/text/storable-name.js';
import { cleanAddress } from '../../platform/http/client-address.js';
import type { AdRequest } from './schema.js';

/** Who asks, from what the publisher told us and, failing that, from the request itself. */
export interface Audience {
  /** The publisher's name for its user, whatever may be done with it. */
  name: string;
  /** The same where reports may tell users apart; otherwise `anonymous`. */
  userId: string;
  country: string | null;
  device: string | null;
  /** The publisher said what the person's device is; otherwise the beacon's own agent does. */
  isDeviceNamed: boolean;
  gender: string | null;
  age: AgeRange | null;
  /** Not of age, or to be treated so: nothing personal is used, no trade for adults shown. */
  minor: boolean;
  interests: ReadonlySet<string>;
  /** 'em:<sha-256>' when the publisher sent a hashed e-mail. */
  identity: string | null;
  /** Languages the person is said to read, best first, as they were named. */
  languages: readonly unknown[];
  /** What was said of the person's choices, and what it allows. */
  privacy: PrivacyDecision;
}

export interface RequestFacts {
  address: string | null;
  agent: string | undefined;
  /** `Accept-Language` of the request. */
  language?: string | undefined;
  countryOf: (address: string) => string | null;
  describeAgent: (agent: string | undefined) => { deviceType: string };
}

const deviceTypes = new Set(['desktop', 'mobile', 'tablet']);

const underAge = permissionsFor({
  agreements: [],
  signals: new Set(['minor']),
  refused: new Set(),
});

export function readAudience(
  body: AdRequest,
  facts: RequestFacts,
  said: PrivacyDecision = noSignals,
): Audience {
  const audience = readPerson(body, facts, said);
  const isYoung = said.signals.includes('minor');
  if (!isYoung && !isMinor(body, audience.age)) return withinPermissions(audience);
  const privacy: PrivacyDecision = {
    ...said,
    permissions: bothAllow(said.permissions, underAge),
    signals: isYoung ? said.signals : [...said.signals, 'minor'],
  };
  return withinPermissions({ ...audience, minor: true, privacy });
}

/** Without what may not be used or told apart. */
export function withinPermissions(audience: Audience): Audience {
  const { permissions } = audience.privacy;
  const { user_reports, identity_links, personal_choice } = permissions;
  if (user_reports && identity_links && personal_choice) return audience;
  return {
    ...audience,
    ...(user_reports ? {} : { userId: 'anonymous' }),
    ...(identity_links ? {} : { identity: null }),
    ...(personal_choice ? {} : { gender: null, age: null, interests: noInterests }),
  };
}

/** Said outright, by age, or by the flag for services aimed at children. */
function isMinor({ user, regs, coppa }: AdRequest, age: AgeRange | null): boolean {
  const named = Object(regs) as Record<string, unknown>;
  if ([user?.minor, user?.coppa, named['coppa'], coppa].some(isSet)) return true;
  const said = typeof user?.age === 'string' ? user.age.trim().toLowerCase() : '';
  return said === 'minor' || said === 'child' || (age !== null && age.from < adultFrom);
}

function isSet(flag: unknown): boolean {
  return flag === true || ['1', 'true', 'yes'].includes(String(flag).toLowerCase());
}

function readPerson(body: AdRequest, facts: RequestFacts, privacy: PrivacyDecision): Audience {
  const user = body.user ?? {};
  const device = body.device ?? {};
  const hash = (user.hashed_email ?? user.email_hash ?? '').trim().toLowerCase();
  const agent = plain(device.ua) ?? facts.agent;
  const named = plain(device.device_type)?.toLowerCase();
  const name = userIdOf(body);
  return {
    name,
    userId: name,
    country: countryFrom(plain(device.country), plain(device.ip) ?? facts.address, facts),
    device:
      named !== undefined && deviceTypes.has(named)
        ? named
        : agent === undefined
          ? null
          : facts.describeAgent(agent).deviceType,
    isDeviceNamed:
      plain(device.ua) !== undefined || (named !== undefined && deviceTypes.has(named)),
    gender: plain(user.gender)?.toLowerCase() ?? null,
    minor: false,
    age: user.age === null || user.age === undefined ? null : parseAgeRange(String(user.age)),
    interests: interestsOf(user),
    identity: hash !== '' && /^[0-9a-f]{64}$/.test(hash) ? `em:${hash}` : null,
    languages: [
      body.locale,
      device.locale,
      device.language,
      user.language,
      user.locale,
      facts.language,
    ],
    privacy,
  };
}

const noInterests: ReadonlySet<string> = new Set();

function interestsOf({ keywords, interests }: NonNullable<AdRequest['user']>): ReadonlySet<string> {
  if (keywords == null && interests == null) return noInterests;
  return new Set(
    [keywords ?? [], interests ?? []]
      .flatMap((list) => (typeof list === 'string' ? list.split(',') : list))
      .map((word) => word.trim().toLowerCase())
      .filter((word) => word !== ''),
  );
}

/** `user.id`, then `user.uid`, `user.userId`, the legacy `userId`; nobody is `anonymous`. */
export function userIdOf({ user, userId }: Pick<AdRequest, 'user' | 'userId'>): string {
  for (const id of [user?.id, user?.uid, user?.userId, userId]) {
    if (id === null || id === undefined) continue;
    const text = storableName(String(id), 200);
    if (text !== '') return text;
  }
  return 'anonymous';
}

function countryFrom(
  named: string | undefined,
  address: string | null,
  facts: RequestFacts,
): string | null {
  if (named !== undefined && /^[a-z]{2}$/i.test(named)) return named.toUpperCase();
  const clean = address === null ? null : cleanAddress(address);
  return clean === null ? null : facts.countryOf(clean);
}

function plain(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === '' ? undefined : trimmed;
}
