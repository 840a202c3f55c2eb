import type { Contact } from './db/db.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';

/** A clock that is further off than this is told of. */
const clockToldMs = 2_000;
const lookMs = 1_000;

export type Doubt = 'database_silent' | 'clock_off';

/**
 * Whether this node may act on what it remembers. Keys that were revoked and campaigns that were
 * paused are told by the database; a node that cannot hear it goes on for a while and then stops
 * serving what it cannot vouch for. So does one whose clock is not the database's.
 */
export interface Vouching {
  /** Null: nothing is in doubt. Told from when what is remembered was last known to be true. */
  doubt(knownAt: number): Doubt | null;
  readonly state: {
    database: 'ok' | 'away';
    /** Milliseconds since the database was heard. */
    silentMs: number;
    clockAheadMs: number;
  };
  close(): void;
}

export function createVouching(options: {
  contact: Contact | undefined;
  /** 0: for ever. */
  unheardMs: number;
  clockMs: number;
  log: Log;
  /** How many tries failed without a word since this was asked last. */
  leftOut?: () => number;
  metrics: Metrics;
}): Vouching {
  const { contact, unheardMs, clockMs, log, metrics, leftOut = () => 0 } = options;
  const silentMs = (): number =>
    contact === undefined ? 0 : Math.max(0, performance.now() - contact.heardAt);
  const clockAheadMs = (): number => contact?.clockAheadMs ?? 0;
  const isClockOff = (): boolean => Math.abs(clockAheadMs()) > clockMs;

  measure(metrics, silentMs, clockAheadMs);

  let told = { isAway: false, isSilent: false, isClockTold: false, isClockOff: false };
  const look = (): void => {
    const isSilent = unheardMs > 0 && silentMs() > unheardMs;
    const now = {
      isAway: contact?.isAway ?? false,
      isSilent,
      isClockTold: Math.abs(clockAheadMs()) > clockToldMs,
      isClockOff: isClockOff(),
    };
    if (now.isAway && !told.isAway)
      log.error({}, 'the database does not answer: changes of keys and campaigns are not heard');
    if (isSilent && !told.isSilent)
      log.error({ silentMs: Math.round(silentMs()) }, 'not serving until the database is heard');
    if (!now.isAway && told.isAway)
      log.info({ failedTries: leftOut() }, 'the database answers again');
    const fields = { aheadMs: Math.round(clockAheadMs()) };
    if (now.isClockTold && !told.isClockTold)
      log.error(fields, 'the clock of this machine is not that of the database');
    if (now.isClockOff && !told.isClockOff)
      log.error(fields, 'not serving until the clock is right');
    told = now;
  };
  const timer = contact === undefined ? undefined : setInterval(look, lookMs).unref();

  return {
    doubt(knownAt) {
      if (contact === undefined) return null;
      if (isClockOff()) return 'clock_off';
      return unheardMs > 0 && performance.now() - knownAt > unheardMs ? 'database_silent' : null;
    },
    get state() {
      return {
        database: contact?.isAway === true ? 'away' : 'ok',
        silentMs: silentMs(),
        clockAheadMs: clockAheadMs(),
      } as const;
    },
    close: () => clearInterval(timer),
  };
}

function measure(metrics: Metrics, silentMs: () => number, clockAheadMs: () => number): void {
  metrics.gauge(
    'sidelight_database_silent_seconds',
    'How long the database has not been heard',
    () => silentMs() / 1000,
  );
  metrics.gauge(
    'sidelight_clock_ahead_seconds',
    'How far the clock of this machine is ahead of the database’s',
    () => clockAheadMs() / 1000,
  );
}
