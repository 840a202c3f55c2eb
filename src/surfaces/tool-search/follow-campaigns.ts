import { channels, hear } from '../../platform/channels.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/db/db.js';
import { errorFields, type Log } from '../../platform/log.js';
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
  let loading: Promise<void> | null = null;
  let again = false;

  /** One load at a time; a change during a load causes exactly one more. */
  function refresh(): Promise<void> {
    if (loading !== null) {
      again = true;
      return loading;
    }
    loading = (async () => {
      do {
        again = false;
        links = await loadCampaignLinks(db);
      } while (again);
    })().finally(() => (loading = null));
    return loading;
  }
  const refreshLater = (): void =>
    void refresh().catch((error: unknown) =>
      log.warn(errorFields(error), 'tool campaigns not refreshed'),
    );

  await refresh();
  const stops = [
    await hear(db, channels.toolCampaigns, refreshLater),
    await hear(db, channels.inventory, () => links.length > 0 && refreshLater()),
  ];
  const timer = setInterval(refreshLater, resyncMs);
  timer.unref();

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
    refresh,
    async close() {
      clearInterval(timer);
      for (const stop of stops) await stop();
      await loading?.catch(() => undefined);
    },
  };
}
