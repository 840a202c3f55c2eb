// The shape of a day: which share of its traffic has come by now. Learned per quarter hour of the
// UTC day, so that it serves every zone, including those at :30 and :45; a local day of 23 or 25
// hours is simply a shorter or longer stretch of it.

const QUARTER_MS = 900_000;
const QUARTERS = 96;
/** A quarter hour seen on one day weighs this many times the flat prior; older days fade. */
const PRIOR_DAYS = 0.25;
const FADE = 0.8;

export type TrafficCurve = {
  /**
   * Traffic at an instant. Instants may not go back by more than the current quarter hour; totals
   * of a bucket go in at its start.
   */
  observe(instant: number, requests: number): void;
  /** Share of the traffic of [start, end) that falls before `now`, in [0, 1]. */
  share(start: number, end: number, now: number): number;
  snapshot(): TrafficCurveSnapshot;
};

export type TrafficCurveSnapshot = {
  requests: number[];
  days: number[];
  open: number;
  openRequests: number;
};

export function createTrafficCurve(saved?: TrafficCurveSnapshot): TrafficCurve {
  const requests = Float64Array.from({ length: QUARTERS }, (_, i) => saved?.requests[i] ?? 0);
  const days = Float64Array.from({ length: QUARTERS }, (_, i) => saved?.days[i] ?? 0);
  /**
   * The quarter hour under way (since the epoch): it teaches once it is over, or the present would
   * always look quiet.
   */
  let open = saved?.open ?? -1;
  let openRequests = saved?.openRequests ?? 0;
  /** cumulative[i]: weight of the first i quarters of the UTC day. */
  const cumulative = new Float64Array(QUARTERS + 1);
  reweigh(cumulative, requests, days);

  function close(quarter: number, count: number): void {
    const i = quarter % QUARTERS;
    requests[i] = (requests[i] ?? 0) * FADE + count;
    days[i] = (days[i] ?? 0) * FADE + 1;
  }

  function observe(instant: number, count: number): void {
    const quarter = Math.floor(instant / QUARTER_MS);
    if (quarter > open) {
      if (open >= 0) {
        close(open, openRequests);
        // Quarters without any traffic teach too, unless the silence is so long that it was an
        // outage or a restart.
        if (quarter - open <= QUARTERS / 4)
          for (let silent = open + 1; silent < quarter; silent++) close(silent, 0);
        reweigh(cumulative, requests, days);
      }
      open = quarter;
      openRequests = 0;
    }
    openRequests += count;
  }

  /** Weight from the epoch to an instant, linear inside a quarter. */
  function weightUntil(instant: number): number {
    const at = instant / QUARTER_MS;
    const whole = Math.floor(at);
    const day = Math.floor(whole / QUARTERS);
    const i = whole - day * QUARTERS;
    const before = cumulative[i] ?? 0;
    return (
      day * (cumulative[QUARTERS] ?? 0) +
      before +
      (at - whole) * ((cumulative[i + 1] ?? 0) - before)
    );
  }

  function share(start: number, end: number, now: number): number {
    if (now <= start) return 0;
    if (now >= end) return 1;
    const from = weightUntil(start);
    return (weightUntil(now) - from) / (weightUntil(end) - from);
  }

  return {
    observe,
    share,
    snapshot: () => ({ requests: [...requests], days: [...days], open, openRequests }),
  };
}

function reweigh(cumulative: Float64Array, requests: Float64Array, days: Float64Array): void {
  let seen = 0;
  let observed = 0;
  for (let i = 0; i < QUARTERS; i++) {
    seen += requests[i] ?? 0;
    observed += days[i] ?? 0;
  }
  const usual = observed > 0 && seen > 0 ? seen / observed : 1;
  for (let i = 0; i < QUARTERS; i++) {
    const weight = (PRIOR_DAYS * usual + (requests[i] ?? 0)) / (PRIOR_DAYS + (days[i] ?? 0));
    cumulative[i + 1] = (cumulative[i] ?? 0) + weight;
  }
}
