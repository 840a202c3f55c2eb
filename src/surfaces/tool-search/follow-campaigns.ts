import { channels, hear } from '../../platform/channels.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/db/db.js';
import { follow } from '../../platform/follow.js';
import type { Log } from '../../platform/log.js';
import { type CampaignLink, loadCampaignLinks } from './queries.js';

/**
 * Which tools have a campaign behind them right now. Read from memory; follows changes of every
 * node.
 */
export interface ToolCampaigns {
  /** Tools with a live campaign billed per conversion. */
  favoured(): ReadonlySet<string>;
  /** The campaign that conversions after a click on the tool's link are credited to. */
  campaignOf(slug: string): CampaignLink | null;
  refresh(): Promise<void>;
  close(): Promise<void>;
}

const resyncMs = 30_000;

export async function followToolCampaigns({
  db,
  clock,
  log,
}: {
  db: Database;
  clock: Clock;
  log: Log;
}): Promise<ToolCampaigns> {
  let links: readonly CampaignLink[] = [];
  const follower = await follow({
    db,
    log,
    what: 'tool campaigns',
    channel: channels.toolCampaigns,
    load: async () => void (links = await loadCampaignLinks(db)),
    resyncMs,
  });
  const stopHearing = await hear(db, channels.inventory, () => {
    if (links.length > 0) follower.refreshSoon();
  });

  const isLive = ({ isLive: live, startsAt, endsAt }: CampaignLink, now: number): boolean =>
    live &&
    (startsAt === null || startsAt.getTime() <= now) &&
    (endsAt === null || endsAt.getTime() > now);
  return {
    favoured() {
      const now = clock();
      return new Set(
        links.filter((link) => link.isCpa && isLive(link, now)).map(({ slug }) => slug),
      );
    },
    campaignOf(slug) {
      const now = clock();
      const live = links.filter((link) => link.slug === slug && isLive(link, now));
      return live.find(({ isCpa }) => isCpa) ?? live[0] ?? null;
    },
    refresh: follower.refresh,
    async close() {
      await stopHearing();
      await follower.close();
    },
  };
}
