import { composeAds, type ComposedAd } from '../../domain/ad-writing/compose-ads.js';
import { findLosers, rankAds } from '../../domain/ad-writing/find-losers.js';
import { askForAds } from './ask-for-ads.js';
import {
  archiveAds,
  findGroup,
  findWriting,
  type GeneratedAdRow,
  type GroupRow,
  listDeliveringGroups,
  listGeneratedAds,
  loadResults,
  lockGroup,
} from './queries.js';
import type { RefineDeps } from './refine-group-ads.js';
import { addAds, briefOf, liveOf, writesAds } from './write-group-ads.js';
import { dayMs } from '../../domain/time/utc-day.js';

/** Fewer on the air would leave nothing to compare with. */
const leastLive = 2;

/**
 * Every delivering group: ads that are surely worse than their siblings make room for variants of
 * the best.
 */
export async function replaceLosers(deps: RefineDeps): Promise<void> {
  for (const groupId of await listDeliveringGroups(
    deps.db,
    new Date(deps.clock() - 30 * dayMs),
    1000,
  ))
    await replaceLosersOf(deps, groupId);
}

export async function replaceLosersOf(deps: RefineDeps, groupId: string): Promise<void> {
  const group = await findGroup(deps.db, groupId);
  if (!writesAds(group)) return;
  const verdict = await judge(deps, group);
  if (verdict === null) return;
  const { losers, winners, all } = verdict;
  const page = (await findWriting(deps.db, groupId))?.page ?? null;
  const brief = briefOf(group);
  const request = { brief, page, count: losers.length, known: all, winners, losers };
  const written = await askForAds(deps, request);
  const variants: ComposedAd[] = [
    ...written,
    ...composeAds(brief, page, {
      count: losers.length - written.length,
      known: [...all, ...written],
      winners,
    }),
  ];
  await deps.db.transaction(async (tx) => {
    const current = await lockGroup(tx, groupId);
    if (!writesAds(current)) return;
    const stillLive = new Set(liveOf(await listGeneratedAds(tx, groupId)).map((ad) => ad.id));
    const going = losers.filter((ad) => stillLive.has(ad.id));
    await archiveAds(
      tx,
      going.map((ad) => ad.id),
      new Date(deps.clock()),
    );
    await addAds(deps, tx, current, variants.slice(0, going.length), page);
    await deps.review(tx, current);
  });
}

interface Judgement {
  losers: GeneratedAdRow[];
  winners: GeneratedAdRow[];
  all: GeneratedAdRow[];
}

async function judge(deps: RefineDeps, group: GroupRow): Promise<Judgement | null> {
  const all = await listGeneratedAds(deps.db, group.id);
  const live = new Map(
    all
      .filter((ad) => ad.status === 'active' && ad.reviewStatus === 'approved')
      .map((ad) => [ad.id, ad]),
  );
  const results = (await loadResults(deps.db, group)).filter((result) => live.has(result.adId));
  const losers = findLosers(results).slice(0, Math.max(0, live.size - leastLive));
  if (losers.length === 0) return null;
  const lost = new Set(losers.map((result) => result.adId));
  const rowOf = ({ adId }: { adId: string }): GeneratedAdRow[] => {
    const ad = live.get(adId);
    return ad === undefined ? [] : [ad];
  };
  return {
    losers: losers.flatMap(rowOf),
    winners: rankAds(results)
      .filter((result) => !lost.has(result.adId))
      .flatMap(rowOf)
      .slice(0, 3),
    all,
  };
}
