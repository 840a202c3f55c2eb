import { grclidOf } from '../../domain/grclid.js';
import type { Db } from '../../platform/db/db.js';
import type { PublicUrls } from '../../platform/public-urls.js';
import { insertLinks, type NewIndexLink } from './queries.js';

/** What a search is given to mint tracked links. */
export interface IndexLinks {
  insert(tx: Db, links: readonly NewIndexLink[]): Promise<void>;
  /** `{index_url}/go/<click id>` */
  urlOf(linkId: string): string;
}

export function createIndexLinks(urls: Pick<PublicUrls, 'index'>): IndexLinks {
  return { insert: insertLinks, urlOf: (linkId) => `${urls.index}/go/${grclidOf(linkId)}` };
}
