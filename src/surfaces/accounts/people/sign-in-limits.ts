import type { Device } from '../../../platform/auth/known-devices.js';
import type { RateLimit } from '../../../platform/rate-limit.js';

const quarterHour = 15 * 60_000;
const hour = 60 * 60_000;

/** Where a try comes from, and at whose door. */
export interface Tries {
  /** The person's id, or for somebody unknown the e-mail: both are limited alike. */
  subject: string;
  network: string;
  /** Only when this person signed in there before. */
  knownDevice: Device | null;
}

type Limit = readonly [key: string, most: number, windowMs: number];

/**
 * Strangers may try ten times from a network and a hundred times an hour from everywhere together;
 * a device where the person signed in before has ten tries of its own, which nobody else can use
 * up, not even from the same network. Strangers of a network have a hundred tries over all
 * accounts.
 */
export function passwordLimits({ subject, network, knownDevice }: Tries): Limit[] {
  if (knownDevice !== null) return [[`login:device:${knownDevice.id}:${subject}`, 10, quarterHour]];
  return [
    [`login:network:${network}`, 100, quarterHour],
    [`login:from:${network}:${subject}`, 10, quarterHour],
    [`login:person:${subject}`, 100, hour],
  ];
}

/** A six-digit code is guessed sooner than a password, by those who have that already. */
export function codeLimits({ subject, network, knownDevice }: Tries): Limit[] {
  if (knownDevice !== null) return [[`code:device:${knownDevice.id}:${subject}`, 5, quarterHour]];
  return [
    [`code:from:${network}:${subject}`, 5, quarterHour],
    [`code:person:${subject}`, 20, hour],
  ];
}

/**
 * Counts a try before it is judged, so that many at once are no way around; a right one is free.
 */
export async function withinLimits<T>(
  rateLimit: RateLimit,
  limits: readonly Limit[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  for (const [key, most, windowMs] of limits) await rateLimit.take(key, most, windowMs);
  const result = await attempt();
  if (result !== null) for (const [key] of limits) await rateLimit.giveBack(key);
  return result;
}
