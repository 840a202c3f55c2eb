// How often a session or user has been shown a campaign, in bounded memory: the least recently used subject is forgotten first.

export type CampaignCounts = { count(campaignId: string, now: number): number };

export type FrequencyCaps = {
  /** null when nothing is known of the subject. Look it up once per request, then ask it per candidate. */
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
    const counts = known ?? createSubject(options);
    // Deleting first moves the subject to the young end of the map's order.
    if (known !== undefined) subjects.delete(subject);
    subjects.set(subject, counts);
    counts.add(campaignId, now);
    if (subjects.size > options.maxSubjects) {
      const oldest = subjects.keys().next();
      if (oldest.done !== true) subjects.delete(oldest.value);
    }
  }

  return { of: (subject) => subjects.get(subject) ?? null, record, size: () => subjects.size };
}

type Subject = CampaignCounts & { add(campaignId: string, now: number): void };

/** Parallel arrays: a subject rarely has more than a handful of campaigns, and a scan of a few strings beats a map each. */
function createSubject({ windowMs, maxCampaignsPerSubject }: FrequencyCapOptions): Subject {
  const campaigns: string[] = [];
  const counts: number[] = [];
  const ends: number[] = [];

  function count(campaignId: string, now: number): number {
    const at = campaigns.indexOf(campaignId);
    return at >= 0 && now < (ends[at] ?? 0) ? (counts[at] ?? 0) : 0;
  }

  function add(campaignId: string, now: number): void {
    const at = campaigns.indexOf(campaignId);
    if (at >= 0) {
      const running = now < (ends[at] ?? 0);
      counts[at] = running ? (counts[at] ?? 0) + 1 : 1;
      if (!running) ends[at] = now + windowMs;
      return;
    }
    const slot = campaigns.length < maxCampaignsPerSubject ? campaigns.length : earliest(ends);
    campaigns[slot] = campaignId;
    counts[slot] = 1;
    ends[slot] = now + windowMs;
  }

  return { count, add };
}

function earliest(ends: readonly number[]): number {
  let best = 0;
  for (let i = 1; i < ends.length; i++) if ((ends[i] ?? 0) < (ends[best] ?? 0)) best = i;
  return best;
}
