import { randomUUID } from 'node:crypto';
import type { Sealer } from '../secrets/sealer.js';
import { cookieOf } from './cookies.js';

export const deviceCookie = 'sidelight_device';
export const deviceMaxAgeSeconds = 365 * 86_400;
const about = 'known-device';
const mostPeople = 5;

export interface Device {
  id: string;
  /** Who signed in here before, newest first. */
  people: readonly string[];
}

/**
 * A browser where somebody signed in before carries a sealed note of it. It opens nothing; it only
 * keeps that person's tries apart from those of strangers.
 */
export interface KnownDevices {
  read(cookies: string | undefined): Device | null;
  /** The cookie's value once this person signed in there. */
  remember(device: Device | null, personId: string): string;
}

export function createKnownDevices(sealer: Sealer): KnownDevices {
  return {
    read(cookies) {
      const sealed = cookieOf(cookies, deviceCookie);
      if (sealed === null || sealed === '' || sealed.length > 1000) return null;
      try {
        const [id = '', ...people] = sealer.open(sealed, about).split(' ');
        return { id, people };
      } catch {
        // Not ours, or of an older secret: then the device is not known.
        return null;
      }
    },
    remember(device, personId) {
      const others = (device?.people ?? []).filter((one) => one !== personId);
      const people = [personId, ...others].slice(0, mostPeople);
      return sealer.seal([device?.id ?? randomUUID(), ...people].join(' '), about);
    },
  };
}
