import { Charges } from '../budgets/charge-budgets.js';
import type { BatchPart } from './apply-statement.js';
import { EventCounter } from './count-events.js';
import type { EventRecord } from './event.js';
import { eventLists } from './event-lists.js';
import type { Position } from './journal/journal.js';
import { type ServedAd, servedAdFor, withServedAd } from './served-ads.js';
import { createSlices } from './slices.js';
import { userLists } from './user-lists.js';

/** How far the journal is applied with a batch; refused when the database is not at `from`. */
export interface Reached {
  journalId: string;
  from: Position | null;
  to: Position;
}

/** Everything one statement writes for these events. */
export async function batchParts(
  events: readonly EventRecord[],
  served: ReadonlyMap<string, ServedAd>,
): Promise<BatchPart[]> {
  const slices = createSlices(events.length);
  const whole: EventRecord[] = [];
  const counter = new EventCounter();
  const viewers = new Map<string, Viewer>();
  const charges = new Charges();
  for (const event of events) {
    if (slices.isOver()) await slices.next();
    const ad = servedAdFor(event, served);
    const known = withServedAd(event, ad);
    whole.push(known);
    counter.add(known);
    charges.add(known);
    if (ad !== undefined && ad.identity !== null) noteViewer(viewers, known, ad.identity);
  }
  const { tables, users } = counter.rows();
  const rows: [string, readonly object[]][] = [
    ...tables,
    ['budgets', charges.budgets],
    ['holds', charges.holds],
    ['viewers', [...viewers.values()]],
  ];
  const parts: BatchPart[] = rows
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => ({ name, values: [JSON.stringify(list)] }));
  if (users.length > 0)
    parts.push({ name: 'publisher_users', values: await userLists(users, slices) });
  if (whole.length > 0) parts.push(await eventLists(whole, served, slices));
  return parts;
}

/** In one order whatever came first, so that there are few statements, each planned once. */
export function inOrder(parts: readonly BatchPart[]): BatchPart[] {
  return [...parts].sort((one, other) => (one.name < other.name ? -1 : 1));
}

export function positionPart({ journalId, from, to }: Reached): BatchPart {
  const row = {
    journal_id: journalId,
    segment: to.segment,
    position: to.offset,
    from_segment: from?.segment ?? null,
    from_position: from?.offset ?? null,
  };
  return { name: 'position', values: [JSON.stringify([row])] };
}

interface Viewer {
  advertiser_id: string;
  identity: string;
  click_id: string | null;
  clicked_at: string | null;
  view_id: string | null;
  viewed_at: string | null;
}

/** What viewers known to a publisher by a hashed e-mail clicked and saw last. */
function noteViewer(viewers: Map<string, Viewer>, event: EventRecord, identity: string): void {
  if (event.kind !== 'impression' && event.kind !== 'click') return;
  if (event.invalid != null || event.test === true || event.advertiserId == null) return;
  if (event.data?.['unlinked'] === true) return;
  const key = `${event.advertiserId} ${identity}`;
  let viewer = viewers.get(key);
  if (viewer === undefined)
    viewers.set(
      key,
      (viewer = {
        advertiser_id: event.advertiserId,
        identity,
        click_id: null,
        clicked_at: null,
        view_id: null,
        viewed_at: null,
      }),
    );
  const at = new Date(event.at).toISOString();
  if (event.kind === 'click' && (viewer.clicked_at ?? '') <= at)
    Object.assign(viewer, { click_id: event.id, clicked_at: at });
  if (event.kind === 'impression' && (viewer.viewed_at ?? '') <= at)
    Object.assign(viewer, { view_id: event.id, viewed_at: at });
}
