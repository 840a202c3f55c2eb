// How often a session or user has been shown a campaign, in bounded memory: the least recently used
// subject is forgotten first.

export type CampaignCounts = { count(campaignId: string, now: number): number };

export type FrequencyCaps = {
  /**
   * null when nothing is known of the subject. Look it up once per request, then ask it per
   * candidate.
   */
  of(subject: string): CampaignCounts | null;
  record(subject: string, campaignId: string, now: number): void;
  size(): number;
};

export type FrequencyCapOptions = {
  /** A count starts with the first showing and is forgotten this long after it. */
  windowMs: number;
  maxSubjects: number;
  maxCampaignsPerSubject: number;
};

/** One instance for sessions and one for users: their windows differ. */
export function createFrequencyCaps(options: FrequencyCapOptions): FrequencyCaps {
  const subjects = new Map<string, Subject>();

  function record(subject: string, campaignId: string, now: number): void {
    const known = subjects.get(subject);
    known?.add(campaignId, now, options);
    // Deleting first moves the subject to the young end of the map's order.
    if (known !== undefined) subjects.delete(subject);
    subjects.set(subject, known ?? new Subject(campaignId, now + options.windowMs));
    if (subjects.size > options.maxSubjects) {
      const oldest = subjects.keys().next();
      if (oldest.done !== true) subjects.delete(oldest.value);
    }
  }

  return { of: (subject) => subjects.get(subject) ?? null, record, size: () => subjects.size };
}

/**
 * Parallel arrays: a subject rarely has more than a handful of campaigns, and a scan of a few
 * strings beats a map each. Most have one, so
 * they begin with it: an array that starts empty takes room for seventeen.
 */
class Subject implements CampaignCounts {
  readonly #campaigns: string[];
  readonly #counts: number[];
  readonly #ends: number[];

  constructor(campaignId: string, end: number) {
    this.#campaigns = [campaignId];
    this.#counts = [1];
    this.#ends = [end];
  }

  count(campaignId: string, now: number): number {
    const at = this.#campaigns.indexOf(campaignId);
    return at >= 0 && now < (this.#ends[at] ?? 0) ? (this.#counts[at] ?? 0) : 0;
  }

  add(
    campaignId: string,
    now: number,
    { windowMs, maxCampaignsPerSubject }: FrequencyCapOptions,
  ): void {
    const at = this.#campaigns.indexOf(campaignId);
    if (at >= 0) {
      const running = now < (this.#ends[at] ?? 0);
      this.#counts[at] = running ? (this.#counts[at] ?? 0) + 1 : 1;
      if (!running) this.#ends[at] = now + windowMs;
      return;
    }
    const free =
      this.#campaigns.length < maxCampaignsPerSubject
        ? this.#campaigns.length
        : earliest(this.#ends);
    this.#campaigns[free] = campaignId;
    this.#counts[free] = 1;
    this.#ends[free] = now + windowMs;
  }
}

function earliest(ends: readonly number[]): number {
  let best = 0;
  for (let i = 1; i < ends.length; i++) if ((ends[i] ?? 0) < (ends[best] ?? 0)) best = i;
  return best;
}
