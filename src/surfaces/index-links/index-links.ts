import { grclidOf } from '../../domain/grclid.js';
import { type BoundedCache, createBoundedCache } from '../../platform/bounded-cache.js';
import type { Db } from '../../platform/db/db.js';
import type { PublicUrls } from '../../platform/public-urls.js';
import { insertLinks, type LinkTarget, type NewIndexLink } from './queries.js';

/** What a search is given to mint tracked links. */
export interface IndexLinks {
  insert(tx: Db, links: readonly NewIndexLink[]): Promise<void>;
  /** The same links as rows of the journal. */
  rows(links: readonly NewIndexLink[]): { index_links: readonly NewIndexLink[] };
  /** `{index_url}/go/<click id>` */
  urlOf(linkId: string): string;
  /** Where links lead that this node minted or followed lately. */
  readonly targets: BoundedCache<string, LinkTarget>;
}

export function createIndexLinks(urls: Pick<PublicUrls, 'index'>): IndexLinks {
  const targets = createBoundedCache<string, LinkTarget>(20_000);
  return {
    insert: insertLinks,
    rows(links) {
      for (const { id, targetUrl, publisherId, campaignId = null } of links)
        targets.set(id, { target: targetUrl, publisherId, campaignId });
      return { index_links: links };
    },
    urlOf: (linkId) => `${urls.index}/go/${grclidOf(linkId)}`,
    targets,
  };
}
