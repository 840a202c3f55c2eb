import type { AttributionWindows } from '../../domain/attribution.js';
import { uuidDay } from '../../domain/uuid.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { EventLog } from '../../platform/events/event-log.js';
import type { Partitions } from '../../platform/events/partitions.js';
import type { MintId } from '../../platform/ids.js';
import type { Pseudonyms } from '../../platform/secrets/pseudonyms.js';
import { attributeConversions, type FindOtherClicks } from './crediting/attribute-conversions.js';
import { type CreditedConversion, planCharges } from './crediting/charge-conversions.js';
import { findFirstOnes, keysToldUnder } from './crediting/first-ones.js';
import { type ClickLink, findOptOuts, hasOptOuts, loadRates } from './queries.js';
import { type Conversion, readEvent } from './intake/read-event.js';
import { BadEvent, isObject } from './intake/read-fields.js';
import type { ConversionReport, ConversionResult } from './schema.js';
import { type ToldConversion, type ToldConversions, toldConversion } from './store-conversions.js';
import { createTurns } from './crediting/take-turns.js';
import { findCreditedKeys } from './crediting/trust-queries.js';

export interface ConversionDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  partitions: Partitions;
  eventLog: Pick<EventLog, 'settled' | 'appendEntry'>;
  windows: AttributionWindows;
  shareBpsOf: (publisherId: string) => number;
  isPublisherBlocked: (publisherId: string) => boolean;
  /** The advertiser's local day at an instant, as 'YYYY-MM-DD'. */
  budgetDay: (advertiserId: string, at: number) => string;
  otherClicks?: FindOtherClicks;
  pseudonyms: Pick<Pseudonyms, 'viewer'>;
}

export type ConversionSource = 'capi' | 'pixel' | 'storefront';

export interface RecordOptions {
  /** The advertiser's server and its verified shop are trusted; anybody can speak as its pixel. */
  source: ConversionSource;
  /** Of a shop: every name its order goes by; the page may have told of it under another. */
  orderNames?: readonly string[];
  /** Of a pixel: the page that sent it is on the pixel's own site. */
  isOwnSite?: boolean;
  /** Of a pixel: it came from what looks like a person's browser. */
  isValid?: boolean;
  /** Checks and attributes, stores nothing. */
  test?: boolean;
  /** Made up: no ad is judged by it. */
  isDemo?: boolean;
}

/**
 * Takes conversion events of an advertiser as they were sent. Resolves when every `ok` is durable.
 */
export type RecordConversions = (
  advertiserId: string,
  events: readonly unknown[],
  options: RecordOptions,
) => Promise<ConversionReport>;

export const dedupeMs = 48 * 3_600_000;

type Outcome = Pick<ConversionResult, 'status' | 'attributed'>;
const outcome = (status: ConversionResult['status'], attributed: boolean): Outcome => ({
  status,
  attributed,
});

export function createConversionRecorder(deps: ConversionDeps): RecordConversions {
  const takeTurns = createTurns();
  // What was sent is read at once and let go: kept over the waits below, it would cost more to
  // collect than to read.
  return (advertiserId, events, options) => {
    const now = deps.clock();
    return run(
      advertiserId,
      events.map((event) => readSafely(event, now)),
      events.map(eventIdOf),
      { ...options, now, test: options.test === true },
    );
  };

  async function run(
    advertiserId: string,
    read: readonly (Conversion | string)[],
    eventIds: readonly (string | null)[],
    options: Telling,
  ): Promise<ConversionReport> {
    const valid = read.filter((one) => typeof one !== 'string');
    const keys = keysToldUnder(valid, options.orderNames);
    const results = await takeTurns(
      keys.map((key) => `${advertiserId} ${key}`),
      () => tell(deps, advertiserId, valid, keys, options),
    );
    return report(eventIds, read, results, options.test);
  }
}

/** Answers from what is stored and what this node's journal still holds, and journals the rest. */
async function tell(
  deps: ConversionDeps,
  advertiserId: string,
  valid: readonly Conversion[],
  keys: readonly string[],
  options: Telling,
): Promise<Map<Conversion, Outcome>> {
  const { now, test, source } = options;
  await deps.partitions.ensure([uuidDay(deps.mintId(now))]);
  // Its click, whoever came with it before, and the same conversion may be in the journal still.
  await deps.eventLog.settled([
    ...keys,
    ...valid
      .flatMap((one) => [one.serveId, one.session, ...identitiesOf(one)])
      .filter((id) => id !== null),
  ]);
  const results = new Map<Conversion, Outcome>();
  const wanted = test ? valid : await withoutOptOuts(deps.db, advertiserId, valid, results);
  const about = { ...options, tx: deps.db, advertiserId, windowMs: dedupeMs };
  // What is left out is a repeat, and said to be one.
  const fresh = test ? wanted : await findFirstOnes(about, wanted);
  const { credits, links } =
    fresh.length === 0
      ? { credits: [], links: [] }
      : await attributeConversions({
          ...deps,
          ...about,
          conversions: fresh,
          learns: !test,
          viewerOf: deps.pseudonyms.viewer,
        });
  const credited = fresh.map((conversion, n) => ({
    id: deps.mintId(now),
    conversion,
    credit: credits[n] ?? null,
  }));
  for (const { conversion, credit } of credited)
    results.set(conversion, outcome(test ? 'test_ok' : 'ok', credit !== null));
  if (!test && source !== 'pixel')
    await repeatCredits({ tx: deps.db, advertiserId, wanted, credited }, results);
  if (!test && credited.length > 0) await journal(deps, advertiserId, credited, links, options);
  return results;
}

async function journal(
  deps: ConversionDeps,
  advertiserId: string,
  credited: readonly CreditedConversion[],
  links: readonly ClickLink[],
  options: Telling,
): Promise<void> {
  const { now, source, orderNames = [], isDemo = false } = options;
  const rates = await loadRates(deps.db, [
    ...new Set(credited.map(({ conversion }) => conversion.currency)),
  ]);
  const charges = await planCharges(
    { ...deps, tx: deps.db, advertiserId, told: options },
    credited,
  );
  const told = credited.map((one, n) => toldConversion(one, charges[n], rates));
  const parts = inParts(told, {
    advertiserId,
    source,
    now,
    orderNames,
    isDemo,
    links,
  });
  await Promise.all(
    parts.map((part) => deps.eventLog.appendEntry({ events: [], rows: { conversions: [part] } })),
  );
}

/** The embedded engine stores one part after the other, and lets others in between. */
const partSize = 200;

function inParts(
  told: readonly ToldConversion[],
  { links, ...about }: Omit<ToldConversions, 'ids' | 'conversions'>,
): ToldConversions[] {
  const parts: ToldConversions[] = [];
  for (let at = 0; at < told.length; at += partSize) {
    const conversions = told.slice(at, at + partSize);
    const linksOfPart = at === 0 ? links : [];
    const identities = new Set(linksOfPart.map(({ identity }) => identity));
    const ids = [...keysToldUnder(conversions, about.orderNames), ...identities];
    parts.push({ ...about, ids, links: linksOfPart, conversions });
  }
  return parts;
}

type Telling = RecordOptions & { now: number; test: boolean };

/**
 * A repeat is told what was said of the first: a client that lost that answer asks for it again.
 */
async function repeatCredits(
  told: {
    tx: Db;
    advertiserId: string;
    wanted: readonly Conversion[];
    credited: readonly CreditedConversion[];
  },
  results: Map<Conversion, Outcome>,
): Promise<void> {
  const repeats = told.wanted.filter((conversion) => !results.has(conversion));
  if (repeats.length === 0) return;
  const now = new Map(told.credited.map((one) => [one.conversion.key, one.credit !== null]));
  const before = await findCreditedKeys(
    told.tx,
    told.advertiserId,
    repeats.map((conversion) => conversion.key),
  );
  for (const conversion of repeats)
    results.set(
      conversion,
      outcome('duplicate', now.get(conversion.key) ?? before.has(conversion.key)),
    );
}

function readSafely(event: unknown, now: number): Conversion | string {
  try {
    return readEvent(event, now);
  } catch (error) {
    if (error instanceof BadEvent) return error.message;
    throw error;
  }
}

async function withoutOptOuts(
  tx: Db,
  advertiserId: string,
  valid: readonly Conversion[],
  results: Map<Conversion, Outcome>,
): Promise<readonly Conversion[]> {
  // Most advertisers have none: then thousands of identities need not travel.
  const listed = (await hasOptOuts(tx, advertiserId))
    ? await findOptOuts(tx, advertiserId, valid.flatMap(identitiesOf))
    : new Set<string>();
  const refused = new Set(
    valid.filter(
      (conversion) =>
        conversion.optOut ||
        (listed.size > 0 && identitiesOf(conversion).some((identity) => listed.has(identity))),
    ),
  );
  if (refused.size === 0) return valid;
  for (const conversion of refused) results.set(conversion, outcome('skipped', false));
  return valid.filter((conversion) => !refused.has(conversion));
}

function identitiesOf({ visitor, people }: Conversion): string[] {
  return visitor === null ? people : [visitor, ...people];
}

/** Repeated in the answer as it was sent, if it was a text. */
function eventIdOf(event: unknown): string | null {
  const given = isObject(event) ? event['event_id'] : null;
  return typeof given === 'string' ? given.slice(0, 500) : null;
}

function report(
  eventIds: readonly (string | null)[],
  read: readonly (Conversion | string)[],
  outcomes: ReadonlyMap<Conversion, Outcome>,
  test: boolean,
): ConversionReport {
  const results = read.map((one, n): ConversionResult => {
    const eventId = eventIds[n] ?? null;
    if (typeof one === 'string')
      return { event_id: eventId, status: 'error', attributed: false, error: one };
    const { status, attributed } = outcomes.get(one) ?? outcome('duplicate', false);
    return { event_id: eventId, status, attributed };
  });
  const errored = results.filter((result) => result.status === 'error').length;
  return {
    events_received: read.length,
    events_processed: read.length - errored,
    events_errored: errored,
    results,
    test_mode: test,
  };
}
