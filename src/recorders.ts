import { createRecorders, type Recorders } from './platform/events/recorders.js';
import {
  storeConversions,
  type ToldConversions,
} from './surfaces/conversions/store-conversions.js';
import { type PixelVisit, storeVisits } from './surfaces/conversions/pixel/store-visits.js';
import { insertUnits, type UnitRow } from './surfaces/experiments/queries.js';
import {
  type IndexVisit,
  insertLinks,
  type NewIndexLink,
  recordVisits,
} from './surfaces/index-links/queries.js';
import { insertUserNames } from './surfaces/serving/queries.js';
import type { NamedUser } from './surfaces/serving/showing/user-names.js';
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

interface Listeners {
  /** Told once for each conversion that teaches, when it is in the database. */
  onConversion?: (adId: string) => void;
}

/**
 * Everything the journal carries beside events, and who writes it. The app and the commands that
 * read a store alone apply the same journal. Rows are what the surface of the name put there.
 */
export function journalRecorders({ onConversion }: Listeners = {}): Recorders {
  const recorders = createRecorders();
  recorders.add('user_names', (tx, rows) => insertUserNames(tx, rows as NamedUser[]));
  recorders.add('index_links', (tx, rows) => insertLinks(tx, rows as NewIndexLink[]));
  recorders.add('index_visits', (tx, rows) => recordVisits(tx, rows as IndexVisit[]));
  recorders.add('shop_searches', (tx, rows) => insertShopSearches(tx, rows as SearchRow[]));
  recorders.add('tool_searches', (tx, rows) => insertToolSearches(tx, rows as StoredSearch[]));
  recorders.add('tool_search_turns', (tx, rows) => insertTurns(tx, rows as StoredTurn[]));
  recorders.add('experiment_units', (tx, rows) => insertUnits(tx, rows as UnitRow[]));
  recorders.add('pixel_visits', (tx, rows) => storeVisits(tx, rows as PixelVisit[]));
  recorders.add('conversions', async (tx, rows) => {
    const taught = await storeConversions(tx, rows as ToldConversions[]);
    return () => taught.forEach((adId) => onConversion?.(adId));
  });
  return recorders;
}
