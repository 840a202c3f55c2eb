// What a signal allows: the one table everything asks. `docs/privacy.md` shows it, made from here.

/** What can be done with a request, a beacon or a visit beyond answering it. */
export const purposes = [
  'context',
  'personal_choice',
  'frequency_capping',
  'user_reports',
  'identity_links',
  'conversion_matching',
  'query_storage',
  'advertiser_sharing',
] as const;
export type Purpose = (typeof purposes)[number];
export type Permissions = Readonly<Record<Purpose, boolean>>;

/** What is said about a person, or decided by them; each is a row. */
export const signals = [
  'consent_asked',
  'sale_opt_out',
  'gpc',
  'dnt',
  'minor',
  'opted_out',
] as const;
export type Signal = (typeof signals)[number];

/** Allowed, not allowed, or allowed to whoever agreed to all of these purposes of the TCF. */
export type Cell = boolean | readonly number[];

const contextOnly = {
  context: true,
  personal_choice: false,
  frequency_capping: false,
  user_reports: false,
  identity_links: false,
  conversion_matching: false,
  query_storage: false,
  advertiser_sharing: false,
} as const;

/**
 * Who objects to the sale of data is still counted, shown an ad only so often and told apart by the
 * publisher they talk to; what leaves that conversation is not theirs to be followed by.
 */
const notSold = {
  context: true,
  personal_choice: false,
  frequency_capping: true,
  user_reports: true,
  identity_links: false,
  conversion_matching: false,
  query_storage: true,
  advertiser_sharing: false,
} as const;

export const decisionTable: Readonly<Record<Signal, Readonly<Record<Purpose, Cell>>>> = {
  consent_asked: {
    context: true,
    personal_choice: [3, 4],
    frequency_capping: [2],
    user_reports: [1, 7],
    identity_links: [1, 3, 7],
    conversion_matching: [1, 7],
    query_storage: [1, 10],
    advertiser_sharing: [1, 7],
  },
  sale_opt_out: notSold,
  gpc: notSold,
  dnt: notSold,
  minor: contextOnly,
  opted_out: contextOnly,
};

/**
 * What somebody agreed to where the law asks for consent: purposes of the TCF, or, where the
 * publisher asked in its own words, purposes of ours.
 */
export type Agreement =
  { readonly tcf: ReadonlySet<number> } | { readonly purposes: ReadonlySet<Purpose> };

export interface Told {
  /** One for each law that asks for consent; an empty one where nobody agreed to anything. */
  readonly agreements: readonly Agreement[];
  /** The other rows that apply. */
  readonly signals: ReadonlySet<Exclude<Signal, 'consent_asked'>>;
  /** What the publisher says its user refused, whatever anything else allows. */
  readonly refused: ReadonlySet<Purpose>;
}

export const everything: Permissions = Object.freeze({
  context: true,
  personal_choice: true,
  frequency_capping: true,
  user_reports: true,
  identity_links: true,
  conversion_matching: true,
  query_storage: true,
  advertiser_sharing: true,
});

export const nothingPersonal: Permissions = Object.freeze({ ...contextOnly });

/** Allowed is what every row that applies allows: one more signal never allows more. */
export function permissionsFor({ agreements, signals: applying, refused }: Told): Permissions {
  const allowed = Object.fromEntries(
    purposes.map((purpose) => [
      purpose,
      purpose === 'context' ||
        (!refused.has(purpose) &&
          agreements.every((agreement) => agrees(agreement, purpose)) &&
          [...applying].every((signal) => decisionTable[signal][purpose] === true)),
    ]),
  );
  // Every purpose was given a value.
  return allowed as Record<Purpose, boolean>;
}

function agrees(agreement: Agreement, purpose: Purpose): boolean {
  if ('purposes' in agreement) return agreement.purposes.has(purpose);
  const needed = decisionTable.consent_asked[purpose];
  return typeof needed === 'boolean' ? needed : needed.every((one) => agreement.tcf.has(one));
}

/** What both allow. */
export function bothAllow(one: Permissions, other: Permissions): Permissions {
  if (one === everything) return other;
  if (other === everything) return one;
  const allowed = Object.fromEntries(
    purposes.map((purpose) => [purpose, one[purpose] && other[purpose]]),
  );
  // Every purpose was given a value.
  return allowed as Record<Purpose, boolean>;
}

/** Most requests share the permissions of those who said nothing. */
const denied = new WeakMap<Permissions, readonly Purpose[]>();

export function deniedBy(permissions: Permissions): readonly Purpose[] {
  let known = denied.get(permissions);
  if (known === undefined)
    denied.set(permissions, (known = purposes.filter((purpose) => !permissions[purpose])));
  return known;
}

const rowNames: Readonly<Record<Signal, string>> = {
  consent_asked: 'consent is asked for: `gdpr`, a TCF string, GPP sections 2 and 5',
  sale_opt_out: 'opted out of sale: `us_privacy` third letter `Y`, GPP sections from 6 on',
  gpc: '`Sec-GPC: 1`, `gpc`, the GPC part of a GPP section',
  dnt: '`DNT: 1`, `device.dnt`, `device.lmt`',
  minor: '`coppa`, an age under 18, a known child in GPP',
  opted_out: 'on an opt-out list, or “no personalisation” chosen',
};

const columnNames: Readonly<Record<Purpose, string>> = {
  context: 'ad chosen by the conversation alone',
  personal_choice: 'gender, age, interests',
  frequency_capping: 'frequency capping',
  user_reports: 'user id in reports',
  identity_links: 'identity links',
  conversion_matching: 'conversion matching',
  query_storage: 'storing the query',
  advertiser_sharing: 'sharing with the advertiser',
};

/** The table for people. */
export function matrixPage(): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const cellText = (cell: Cell): string =>
    typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : `TCF ${cell.join(', ')}`;
  return [
    line(['signal', ...purposes.map((purpose) => columnNames[purpose])]),
    line(['---', ...purposes.map(() => '---')]),
    line(['none', ...purposes.map(() => 'yes')]),
    ...signals.map((signal) =>
      line([
        rowNames[signal],
        ...purposes.map((purpose) => cellText(decisionTable[signal][purpose])),
      ]),
    ),
  ].join('\n');
}
