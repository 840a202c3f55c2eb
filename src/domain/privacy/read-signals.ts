import { type Purpose, purposes } from './decision-table.js';

/** What was said about a person's choices, as it came; nothing is decoded yet. */
export interface SaidSignals {
  /** Null: not said. */
  readonly gdpr: boolean | null;
  /** Consent strings of the TCF; of two that differ both count. */
  readonly tcf: readonly string[];
  readonly gpp: readonly string[];
  /** Sections that apply; null: not said, so all that are there. */
  readonly gppSections: readonly number[] | null;
  readonly usPrivacy: readonly string[];
  readonly gpc: boolean;
  readonly dnt: boolean;
  readonly minor: boolean;
  /** What should have held signals could not be read at all. */
  readonly isLost: boolean;
  /** What the publisher asked its user itself. */
  readonly agreed: readonly Purpose[];
  readonly refused: readonly Purpose[];
  /** What could not be read, in words. */
  readonly problems: readonly string[];
}

/** Longer ones are made to hurt: the longest real strings have a third of this. */
const longest = { tcf: 8_192, gpp: 16_384, text: 200 };

type Named = Readonly<Record<string, unknown>>;

export interface SignalSources {
  /** Objects that may hold signals under their own names: `regs`, `regs.ext`, a query. */
  readonly places: readonly unknown[];
  readonly user?: unknown;
  readonly device?: unknown;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

/** Null where nothing at all is said, which is how most requests come. */
export function readSignals({ places, user, device, headers }: SignalSources): SaidSignals | null {
  const gpcHeader = headers?.['sec-gpc'] === '1';
  const dntHeader = headers?.['dnt'] === '1';
  if (!gpcHeader && !dntHeader && !isObject(user) && !isObject(device) && places.every(isBlank))
    return null;
  const reader = new SignalReader();
  for (const place of places) {
    if (!isObject(place)) {
      if (isPresent(place)) reader.readNothing();
      continue;
    }
    reader.read(place);
    if (isObject(place['ext'])) reader.read(place['ext']);
  }
  if (isObject(user)) reader.readUser(user);
  if (isObject(device)) reader.readDevice(device);
  if (gpcHeader) reader.say({ gpc: true });
  if (dntHeader) reader.say({ dnt: true });
  return reader.said();
}

class SignalReader {
  #isSaid = false;
  #isLost = false;
  #gdpr: boolean | null = null;
  #sections: number[] | null = null;
  readonly #flags = { gpc: false, dnt: false, minor: false };
  readonly #tcf = new Set<string>();
  readonly #gpp = new Set<string>();
  readonly #usPrivacy = new Set<string>();
  readonly #agreed = new Set<Purpose>();
  readonly #refused = new Set<Purpose>();
  readonly #problems = new Set<string>();

  say(more: Partial<Pick<SaidSignals, 'gpc' | 'dnt' | 'minor'>>): void {
    this.#isSaid = true;
    Object.assign(this.#flags, more);
  }

  /** A string under one of several names; what a template left unfilled is not said. */
  #collect(into: Set<string>, what: 'tcf' | 'gpp' | 'us_privacy', value: unknown): void {
    if (typeof value !== 'string') {
      if (!isPresent(value)) return;
      this.#isSaid = true;
      this.#problems.add(`${what}: not text`);
      into.add('');
      return;
    }
    const text = value.trim();
    if (text === '' || isUnfilled(text)) return;
    this.#isSaid = true;
    const limit = what === 'us_privacy' ? longest.text : longest[what];
    if (text.length > limit) this.#problems.add(`${what}: too long`);
    // Kept as one that cannot be read: that it was sent counts, what is in it does not.
    if (into.size < 2) into.add(text.length > limit ? '' : text);
    else this.#problems.add(`${what}: more than two`);
  }

  /** Yes, no, or null; what is neither is told. */
  #flag(place: Named, name: string): boolean | null {
    const value = flagOf(place[name]);
    if (value === null && isPresent(place[name])) this.#problems.add(`${name}: neither 0 nor 1`);
    return value;
  }

  read(place: Named): void {
    const law = this.#flag(place, 'gdpr');
    if (law !== null) {
      this.#isSaid = true;
      this.#gdpr = this.#gdpr === true ? true : law;
    }
    for (const name of ['tcf', 'gdpr_consent', 'tcString'])
      this.#collect(this.#tcf, 'tcf', place[name]);
    this.#readConsent(place['consent']);
    this.#collect(this.#gpp, 'gpp', place['gpp']);
    for (const name of ['us_privacy', 'usp', 'ccpa'])
      this.#collect(this.#usPrivacy, 'us_privacy', place[name]);
    const named = sectionsOf(place['gpp_sid']);
    if (named !== null) this.#sections = [...new Set([...(this.#sections ?? []), ...named])];
    else if (isPresent(place['gpp_sid'])) this.#problems.add('gpp_sid: not a list of numbers');
    if (this.#flag(place, 'gpc') === true) this.say({ gpc: true });
    if (this.#flag(place, 'dnt') === true) this.say({ dnt: true });
    if (this.#flag(place, 'coppa') === true) this.say({ minor: true });
  }

  #readConsent(given: unknown): void {
    if (typeof given === 'boolean') {
      this.#isSaid = true;
      for (const purpose of purposes) (given ? this.#agreed : this.#refused).add(purpose);
      return;
    }
    if (!isObject(given)) return this.#collect(this.#tcf, 'tcf', given);
    for (const [name, value] of Object.entries(given).slice(0, 50)) {
      const flag = flagOf(value);
      const meant = meaningOf(name);
      if (flag === null || meant.length === 0) continue;
      this.#isSaid = true;
      for (const purpose of meant) (flag ? this.#agreed : this.#refused).add(purpose);
    }
  }

  /** Something stands where signals belong and cannot be read: it may have held an objection. */
  readNothing(): void {
    this.#isSaid = true;
    this.#isLost = true;
    this.#problems.add('regs: not an object');
  }

  readUser(user: Named): void {
    this.#readConsent(user['consent']);
    const { ext } = user;
    if (isObject(ext)) this.#readConsent(ext['consent']);
    if ([user['minor'], user['coppa']].some((flag) => flagOf(flag) === true))
      this.say({ minor: true });
  }

  readDevice(device: Named): void {
    if ([device['dnt'], device['lmt']].some((flag) => flagOf(flag) === true))
      this.say({ dnt: true });
  }

  said(): SaidSignals | null {
    if (!this.#isSaid && this.#problems.size === 0) return null;
    return {
      gdpr: this.#gdpr,
      tcf: [...this.#tcf],
      gpp: [...this.#gpp],
      gppSections: this.#sections,
      usPrivacy: [...this.#usPrivacy],
      ...this.#flags,
      isLost: this.#isLost,
      agreed: [...this.#agreed].filter((purpose) => !this.#refused.has(purpose)),
      refused: [...this.#refused],
      problems: [...this.#problems],
    };
  }
}

const everyPersonal = purposes.filter((purpose) => purpose !== 'context');

/** Names of ours, and those publishers use for the same. */
const meanings: ReadonlyMap<string, readonly Purpose[]> = new Map<string, readonly Purpose[]>([
  ...purposes.map((purpose): [string, readonly Purpose[]] => [purpose, [purpose]]),
  ['all', everyPersonal],
  ['ads', everyPersonal],
  ['personalisation', ['personal_choice', 'identity_links']],
  ['personalization', ['personal_choice', 'identity_links']],
  ['measurement', ['user_reports', 'conversion_matching']],
  ['analytics', ['user_reports', 'conversion_matching']],
  ['storage', ['query_storage']],
  ['sale', ['advertiser_sharing', 'identity_links', 'conversion_matching']],
  ['sharing', ['advertiser_sharing', 'identity_links', 'conversion_matching']],
]);

function meaningOf(name: string): readonly Purpose[] {
  return meanings.get(name.toLowerCase()) ?? [];
}

function isObject(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Nothing stands there, or an object of which no member says anything. */
function isBlank(place: unknown): boolean {
  if (!isObject(place)) return !isPresent(place);
  for (const name in place) if (isPresent(place[name])) return false;
  return true;
}

/** An empty list is how some encoders write an empty object. */
function isPresent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '';
}

/** `true`, `1`, `"1"`, `"true"`, `"yes"` and their opposites; null for anything else. */
export function flagOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string' || value.length > 8) return null;
  const word = value.trim().toLowerCase();
  if (word === '1' || word === 'true' || word === 'yes') return true;
  return word === '0' || word === 'false' || word === 'no' ? false : null;
}

/** A list of numbers, one number, or numbers with commas or underscores between them. */
function sectionsOf(value: unknown): number[] | null {
  const parts =
    typeof value === 'string'
      ? value.slice(0, longest.text).split(/[,_]/)
      : Array.isArray(value)
        ? value.slice(0, 50)
        : typeof value === 'number'
          ? [value]
          : [];
  const numbers = parts
    .map((part) => Number(String(part).trim() || Number.NaN))
    .filter((number) => Number.isSafeInteger(number));
  return numbers.length === 0 ? null : numbers;
}

/** `${GDPR_CONSENT_755}`, `{{gpp}}`, `[US_PRIVACY]`, `%%GDPR%%`: nobody filled it in. */
function isUnfilled(text: string): boolean {
  return (
    text.startsWith('${') ||
    text.startsWith('{') ||
    text.startsWith('[') ||
    text.startsWith('%%') ||
    text === 'undefined' ||
    text === 'null'
  );
}
