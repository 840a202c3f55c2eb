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
  const subjects = new Map<string, Showings>();

  function record(subject: string, campaignId: string, now: number): void {
    const known = subjects.get(subject);
    known?.add(campaignId, now, options);
    // Deleting first moves the subject to the young end of the map's order.
    if (known !== undefined) subjects.delete(subject);
    subjects.set(subject, known ?? new Showings(campaignId, now + options.windowMs));
    if (subjects.size > options.maxSubjects) {
      const oldest = subjects.keys().next();
      if (oldest.done !== true) subjects.delete(oldest.value);
    }
  }

  return { of: (subject) => subjects.get(subject) ?? null, record, size: () => subjects.size };
}

/**
 * A subject's showings of one campaign, and those of the next one behind it. Most subjects have one
 * and few more than a handful: a scan of a few beats a map each, and there are so many subjects
 * that whatever each is made of is a good part of what the collector moves.
 */
class Showings implements CampaignCounts {
  private campaignId: string;
  private times = 1;
  private end: number;
  private next: Showings | null = null;

  constructor(campaignId: string, end: number) {
    this.campaignId = campaignId;
    this.end = end;
  }

  count(campaignId: string, now: number): number {
    const own = this.of(campaignId);
    return own !== null && now < own.end ? own.times : 0;
  }

  add(
    campaignId: string,
    now: number,
    { windowMs, maxCampaignsPerSubject }: FrequencyCapOptions,
  ): void {
    const own = this.of(campaignId);
    if (own === null) {
      if (this.length() < maxCampaignsPerSubject)
        this.last().next = new Showings(campaignId, now + windowMs);
      else this.earliest().begin(campaignId, now + windowMs);
    } else if (now < own.end) own.times += 1;
    else own.begin(campaignId, now + windowMs);
  }

  private begin(campaignId: string, end: number): void {
    this.campaignId = campaignId;
    this.times = 1;
    this.end = end;
  }

  private of(campaignId: string): Showings | null {
    if (this.campaignId === campaignId) return this;
    let { next } = this;
    while (next !== null && next.campaignId !== campaignId) ({ next } = next);
    return next;
  }

  private length(): number {
    return 1 + (this.next?.length() ?? 0);
  }

  private last(): Showings {
    return this.next?.last() ?? this;
  }

  private earliest(): Showings {
    const later = this.next?.earliest();
    return later !== undefined && later.end < this.end ? later : this;
  }
}
