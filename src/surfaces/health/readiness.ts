/** What a balancer and a person want to know of a node before they send it work. */
export interface NodeFacts {
  /** The processes behind one port; null where there is one. */
  crew: { ready: number; of: number } | null;
  isStopping: boolean;
  database: 'ok' | 'away';
  silentMs: number;
  /** Why the node does not act on what it remembers, if so. */
  doubt: string | null;
  clockAheadMs: number;
  journalLagMs: number;
  journalDamaged: number;
  /** Why it takes nothing, by the system's name for it; null while it does. */
  journalRefusal: string | null;
  diskFreeBytes: number | null;
  wantsModel: boolean;
  hasModel: boolean;
}

export interface Readiness {
  status: 'ok' | 'degraded' | 'unready';
  ready: boolean;
  checks: Record<string, { ok: boolean } & Record<string, unknown>>;
}

/** With less the journal soon takes nothing more. */
const leastFreeBytes = 64 * 1024 * 1024;
const longLagMs = 60_000;
const clockToldMs = 2_000;

/**
 * A node is ready while it can do its main work: serve what it vouches for and take events. What
 * else is wrong is told and makes it `degraded`: without the database it still serves for a while
 * and takes every beacon, which nobody would if all nodes called themselves unready.
 */
export function judgeReadiness(facts: NodeFacts): Readiness {
  const { diskFreeBytes: free } = facts;
  const checks: Readiness['checks'] = {
    database: { ok: facts.database === 'ok', silent_ms: Math.round(facts.silentMs) },
    journal: {
      ok:
        facts.journalDamaged === 0 &&
        facts.journalLagMs < longLagMs &&
        facts.journalRefusal === null,
      lag_ms: Math.round(facts.journalLagMs),
      damaged: facts.journalDamaged,
      ...(facts.journalRefusal === null ? {} : { refuses: facts.journalRefusal }),
    },
    disk: {
      ok: free === null || free >= leastFreeBytes,
      free_mb: free === null ? null : Math.floor(free / 1024 / 1024),
    },
    clock: {
      ok: Math.abs(facts.clockAheadMs) <= clockToldMs,
      ahead_ms: Math.round(facts.clockAheadMs),
    },
    model: { ok: facts.hasModel || !facts.wantsModel },
    serving: { ok: facts.doubt === null, reason: facts.doubt },
    stopping: { ok: !facts.isStopping },
    ...(facts.crew === null
      ? {}
      : { workers: { ok: facts.crew.ready === facts.crew.of, ...facts.crew } }),
  };
  const takesEvents = checks['disk']?.ok === true && facts.journalRefusal === null;
  const ready = !facts.isStopping && facts.doubt === null && takesEvents;
  const isWhole = Object.values(checks).every(({ ok }) => ok);
  return { status: !ready ? 'unready' : isWhole ? 'ok' : 'degraded', ready, checks };
}

/** The first thing that keeps a node from being ready, in a word; undefined where nothing does. */
export function whyUnready({ ready, checks }: Readiness): string | undefined {
  if (ready) return undefined;
  if (checks['stopping']?.ok === false) return 'stopping';
  const reason = checks['serving']?.['reason'];
  if (typeof reason === 'string') return reason;
  return checks['disk']?.ok === false ? 'disk_full' : 'journal_refuses';
}
