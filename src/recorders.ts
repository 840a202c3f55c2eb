import { createRecorders, type Recorders } from './platform/events/recorders.js';
import {
  type IndexVisit,
  insertLinks,
  type NewIndexLink,
  recordVisits,
} from './surfaces/index-links/queries.js';
import {
  insertSearches as insertShopSearches,
  type SearchRow,
} from './surfaces/shop-search/queries.js';
import {
  insertSearches as insertToolSearches,
  insertTurns,
  type StoredSearch,
  type StoredTurn,
} from './surfaces/tool-search/queries.js';

/**
 * Everything the journal carries beside events, and who writes it. The app and the commands that
 * read a store alone apply the same journal. Rows are what the surface of the name put there.
 */
export function journalRecorders(): Recorders {
  const recorders = createRecorders();
  recorders.add('index_links', (tx, rows) => insertLinks(tx, rows as NewIndexLink[]));
  recorders.add('index_visits', (tx, rows) => recordVisits(tx, rows as IndexVisit[]));
  recorders.add('shop_searches', (tx, rows) => insertShopSearches(tx, rows as SearchRow[]));
  recorders.add('tool_searches', (tx, rows) => insertToolSearches(tx, rows as StoredSearch[]));
  recorders.add('tool_search_turns', (tx, rows) => insertTurns(tx, rows as StoredTurn[]));
  return recorders;
}
