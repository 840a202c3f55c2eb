import { recordAudit } from '../../../platform/audit.js';
import type { Device } from '../../../platform/auth/known-devices.js';
import type { Passwords } from '../../../platform/auth/password.js';
import type { SessionStore } from '../../../platform/auth/session-store.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import { AppError } from '../../../platform/errors.js';
import { networkOf } from '../../../domain/network.js';
import type { MintId } from '../../../platform/ids.js';
import type { RateLimit } from '../../../platform/rate-limit.js';
import type { Sealer } from '../../../platform/secrets/sealer.js';
import { cleanEmail } from './clean-email.js';
import { findPerson, type Person } from './person-queries.js';
import { acceptCode, type Factor } from './second-factor.js';
import { codeLimits, passwordLimits, type Tries, withinLimits } from './sign-in-limits.js';

export interface SignInDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  sessions: SessionStore;
  rateLimit: RateLimit;
  passwords: Passwords;
  sealer: Sealer;
}

export interface Origin {
  address: string | null;
  userAgent: string;
  device: Device | null;
}

/**
 * Opens a session for whoever knows the password and, where there is one, has the second factor.
 */
export async function signIn(
  deps: SignInDeps,
  given: { email: string; password: string; code?: string | undefined },
  from: Origin,
): Promise<{ token: string; maxAgeSeconds: number; personId: string }> {
  const { db } = deps;
  const email = cleanEmail(given.email);
  const person = await findPerson(db, email);
  const tries: Tries = {
    subject: person?.id ?? email,
    network: networkOf(from.address ?? 'unknown'),
    knownDevice: person !== null && from.device?.people.includes(person.id) ? from.device : null,
  };
  const proven = await withinLimits(deps.rateLimit, passwordLimits(tries), async () =>
    (await deps.passwords.verify(given.password, person?.passwordHash)) ? person : null,
  );
  if (proven === null) {
    await recordFailure(deps, person, tries, from, 'wrong_password');
    throw new AppError('invalid_credentials');
  }
  const factor = proven.hasSecondFactor
    ? await proveFactor(deps, proven, given.code, tries, from)
    : null;
  const opened = await db.transaction(async (tx) => {
    const session = await deps.sessions.open(tx, proven, {
      userAgent: from.userAgent,
      address: from.address ?? '',
    });
    await recordAudit(tx, deps.mintId, deps.clock(), {
      actor: { kind: 'person', id: proven.id },
      accountId: proven.accountId,
      action: 'sign_in',
      entity: 'person',
      entityId: proven.id,
      before: null,
      after: {
        email,
        address: from.address,
        known_device: tries.knownDevice !== null,
        second_factor: factor,
      },
    });
    return session;
  });
  return { ...opened, personId: proven.id };
}

async function proveFactor(
  deps: SignInDeps,
  person: Person,
  code: string | undefined,
  tries: Tries,
  from: Origin,
): Promise<Factor> {
  if (code === undefined || code.trim() === '') throw new AppError('second_factor_required');
  const factor = await withinLimits(deps.rateLimit, codeLimits(tries), () =>
    deps.db.transaction((tx) =>
      acceptCode({ tx, sealer: deps.sealer, now: deps.clock() }, person, code),
    ),
  );
  if (factor === null) {
    await recordFailure(deps, person, tries, from, 'wrong_code');
    throw new AppError('second_factor_required');
  }
  return factor;
}

/**
 * Only tries within the limits get here, so that nobody fills the log. What was typed for the name
 * of somebody unknown may be a password, and is not kept.
 */
function recordFailure(
  deps: SignInDeps,
  person: Person | null,
  tries: Tries,
  from: Origin,
  reason: 'wrong_password' | 'wrong_code',
): Promise<void> {
  return recordAudit(deps.db, deps.mintId, deps.clock(), {
    actor: { kind: 'network', id: tries.network },
    accountId: person?.accountId ?? null,
    action: 'sign_in_failed',
    entity: 'person',
    entityId: person?.id ?? 'unknown',
    before: null,
    after: {
      email: person?.email ?? null,
      address: from.address,
      known_device: tries.knownDevice !== null,
      reason,
    },
  });
}
