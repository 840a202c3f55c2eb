import { composeAds } from '../../domain/ad-writing/compose-ads.js';
import type { PageFacts } from '../../domain/ad-writing/page-facts.js';
import type { Db } from '../../platform/db/db.js';
import type { Llm } from '../../platform/llm/llm.js';
import type { Log } from '../../platform/log.js';
import { PageUnreadable } from '../../platform/outbound/read-page.js';
import { askForAds } from './ask-for-ads.js';
import { findGroup, type GroupRow, lockGroup, saveWriting } from './queries.js';
import {
  adsPerGroup,
  briefOf,
  hashBrief,
  replaceAds,
  type WriteDeps,
  writesAds,
} from './write-group-ads.js';

export interface RefineDeps extends WriteDeps {
  db: Db;
  llm: Llm | null;
  log: Log;
  readPage: (url: string) => Promise<PageFacts>;
}

const mostRounds = 3;
/** A page that is down is tried again for about an hour; then the ads from the brief stay. */
export const refineAttempts = 4;

/**
 * Better ads once the page was read and, where there is one, the model asked. A page that cannot be
 * read leaves the first ads on.
 */
export async function refineGroupAds(
  deps: RefineDeps,
  groupId: string,
  attempt: number,
): Promise<void> {
  for (let round = 0; round < mostRounds; round += 1)
    if (await refineOnce(deps, groupId, attempt)) return;
}

/**
 * False when the brief changed meanwhile: what was written answers yesterday's question. Throws to
 * be tried again later.
 */
async function refineOnce(deps: RefineDeps, groupId: string, attempt: number): Promise<boolean> {
  const group = await findGroup(deps.db, groupId);
  if (!writesAds(group)) return true;
  const page = await tryPage(deps, group.landingPage);
  if (page instanceof PageUnreadable) {
    const isDone = attempt > 1 || deps.llm === null || (await storeRefined(deps, group, null));
    if (isDone && page.isPassing && attempt < refineAttempts) throw page;
    return isDone;
  }
  return storeRefined(deps, group, page);
}

async function storeRefined(
  deps: RefineDeps,
  group: GroupRow,
  page: PageFacts | null,
): Promise<boolean> {
  const brief = briefOf(group);
  const written = await askForAds(deps, {
    brief,
    page,
    count: adsPerGroup,
    known: [],
    winners: [],
    losers: [],
  });
  if (page === null && written.length === 0) return true;
  const ads = [
    ...written,
    ...composeAds(brief, page, { count: adsPerGroup - written.length, known: written }),
  ];
  return deps.db.transaction(async (tx) => {
    const current = await lockGroup(tx, group.id);
    if (!writesAds(current)) return true;
    if (hashBrief(current) !== hashBrief(group)) return false;
    await replaceAds(deps, tx, current, ads, page);
    await saveWriting(
      tx,
      group.id,
      { briefHash: hashBrief(current), pageUrl: page === null ? null : group.landingPage, page },
      new Date(deps.clock()),
    );
    return true;
  });
}

async function tryPage(deps: RefineDeps, url: string): Promise<PageFacts | PageUnreadable> {
  try {
    return await deps.readPage(url);
  } catch (error) {
    if (error instanceof PageUnreadable) return error;
    throw error;
  }
}
