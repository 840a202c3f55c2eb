import {
  type Agreement,
  everything,
  type Permissions,
  permissionsFor,
  type Purpose,
  type Signal,
} from './decision-table.js';
import type { SaidSignals } from './read-signals.js';

/** What a consent string says of those who run this installation. */
export interface ReadConsent {
  /** Purposes agreed to, or allowed as a legitimate interest, of vendor and person alike. */
  readonly purposes: readonly number[];
  readonly version: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  readonly isServiceSpecific: boolean;
}

export interface ReadSection {
  readonly id: number;
  readonly consent?: ReadConsent;
  readonly usPrivacy?: string;
  readonly saleOptOut?: boolean;
  readonly gpc?: boolean;
  readonly child?: boolean;
}

/** Null: it could not be read. */
export interface ReadStrings {
  readonly tcf: readonly (ReadConsent | null)[];
  readonly gpp: readonly (readonly ReadSection[] | null)[];
}

export interface PrivacyDecision {
  readonly permissions: Permissions;
  readonly signals: readonly Signal[];
  /** What was wrong with what was said, for whoever said it. */
  readonly problems: readonly string[];
}

export const noSignals: PrivacyDecision = { permissions: everything, signals: [], problems: [] };

/** The framework asks again after thirteen months at the latest. */
const staleMs = 396 * 86_400_000;
const aheadMs = 2 * 86_400_000;

/** Sections of the GPP; those of American states come after. */
const tcfEu = 2;
const tcfCanada = 5;
const usPrivacy = 6;

/** Conflicts are settled for the person: everything that was said applies. */
export function weighSignals(
  said: SaidSignals,
  strings: ReadStrings,
  now: number,
): PrivacyDecision {
  const problems = new Set(said.problems);
  const agreements: Agreement[] = [];
  const applying = new Set<Exclude<Signal, 'consent_asked'>>();
  const weighing: Weighing = {
    problems,
    agree: (consent, what) =>
      void agreements.push({ tcf: new Set(agreedTo(consent, what, now, problems)) }),
    apply: (signal) => void applying.add(signal),
  };

  // A string counts where the law applies or nobody says that it does not.
  if (said.gdpr !== false) for (const consent of strings.tcf) weighing.agree(consent, 'tcf');
  for (const sections of strings.gpp) weighGpp(said.gppSections, sections, weighing);
  for (const text of said.usPrivacy) weighUsPrivacy(text, weighing);
  if (said.gpc) applying.add('gpc');
  if (said.dnt) applying.add('dnt');
  if (said.minor) applying.add('minor');
  if (said.isLost) applying.add('sale_opt_out');
  // Where consent is asked for and no string came, what the publisher asked itself stands for it.
  if (said.gdpr === true && agreements.length === 0)
    agreements.push({ purposes: new Set<Purpose>(said.agreed) });
  return {
    permissions: permissionsFor({ agreements, signals: applying, refused: new Set(said.refused) }),
    signals: [...(agreements.length > 0 ? (['consent_asked'] as const) : []), ...applying],
    problems: [...problems],
  };
}

interface Weighing {
  readonly problems: Set<string>;
  /** Consent is asked for, and this is what was agreed to; null where nobody can tell. */
  agree(consent: ReadConsent | null, what: string): void;
  apply(signal: Exclude<Signal, 'consent_asked'>): void;
}

function weighGpp(
  named: readonly number[] | null,
  sections: readonly ReadSection[] | null,
  { problems, agree, apply }: Weighing,
): void {
  // 0 says that nobody knows yet, -1 that no law applies.
  const known = named === null || named.includes(0) ? null : named;
  if (sections === null) {
    if (known?.some((id) => id === tcfEu || id === tcfCanada) === true) agree(null, 'gpp');
    else problems.add('gpp: not readable');
    if (known === null || known.some((id) => id >= usPrivacy)) apply('sale_opt_out');
    return;
  }
  for (const id of [tcfEu, tcfCanada])
    if (known?.includes(id) === true && !sections.some((section) => section.id === id))
      agree(null, `gpp section ${id}`);
  for (const section of sections) {
    if (known !== null && !known.includes(section.id)) continue;
    if (section.id === tcfEu || section.id === tcfCanada)
      agree(section.consent ?? null, `gpp section ${section.id}`);
    if (section.usPrivacy !== undefined) weighUsPrivacy(section.usPrivacy, { problems, apply });
    if (section.saleOptOut === true) apply('sale_opt_out');
    if (section.gpc === true) apply('gpc');
    if (section.child === true) apply('minor');
  }
}

/**
 * One version digit and three letters; the third is the one that says no. What cannot be read may
 * have said it.
 */
function weighUsPrivacy(
  text: string,
  { problems, apply }: Pick<Weighing, 'problems' | 'apply'>,
): void {
  const isReadable = /^1[YN-]{3}$/i.test(text);
  if (!isReadable) problems.add('us_privacy: not readable');
  if (!isReadable || text[2]?.toUpperCase() === 'Y') apply('sale_opt_out');
}

function agreedTo(
  consent: ReadConsent | null,
  what: string,
  now: number,
  problems: Set<string>,
): readonly number[] {
  const wrong =
    consent === null
      ? 'not readable'
      : consent.version !== 2
        ? `version ${consent.version}`
        : consent.updatedAt < now - staleMs
          ? 'expired'
          : consent.updatedAt > now + aheadMs
            ? 'from the future'
            : null;
  if (consent === null || wrong !== null) {
    problems.add(`${what}: ${wrong}`);
    return [];
  }
  if (!consent.isServiceSpecific) problems.add(`${what}: not service-specific`);
  return consent.purposes;
}
