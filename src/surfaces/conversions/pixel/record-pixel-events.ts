import type { EventRecord } from '../../../platform/events/event.js';
import { identityKey } from '../../../domain/pii.js';
import type { SaidSignals } from '../../../domain/privacy/read-signals.js';
import { type BoundedCache, createBoundedCache } from '../../../platform/bounded-cache.js';
import type { ConsentReader } from '../../../platform/consent/consent-reader.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import type { EventLog } from '../../../platform/events/event-log.js';
import { AppError } from '../../../platform/errors.js';
import type { SharedCounts } from '../../../platform/shared-counts.js';
import type { MintId } from '../../../platform/ids.js';
import { type FindOtherClicks, linkVisits } from '../crediting/attribute-conversions.js';
import { createPixelBounds } from './pixel-bounds.js';
import { findPixel, type Pixel, upsertSession } from './pixel-queries.js';
import { type ClickLink, findOptOuts } from '../queries.js';
import { asConversion, hostOf, type PixelEvent, readPixelEvent } from './read-pixel-event.js';
import type { RecordConversions } from '../record-conversions.js';
import type { PixelBatch, SessionRequest } from '../schema.js';
import type { PixelVisit } from './store-visits.js';

export interface PixelDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  eventLog: Pick<EventLog, 'appendEntry' | 'settled'>;
  recordConversions: RecordConversions;
  /** Puts identities on the opt-out list. */
  optOut: (advertiserId: string, identities: readonly string[], source: 'gpc') => Promise<void>;
  otherClicks?: FindOtherClicks;
  consent: Pick<ConsentReader, 'judge'>;
  /** Of one pixel, on all nodes. */
  pixelEventsPerDay: number;
  sharedCounts: Pick<SharedCounts, 'space'>;
}

/** What the browser said about itself beside the body. */
export interface Browser {
  agent: string | undefined;
  /** Global Privacy Control: the person wants no tracking anywhere. */
  refuses: boolean;
  /** Everything the person chose, as the browser or the page says. */
  said: SaidSignals | null;
  /** The page's origin, which a page cannot choose. */
  origin: string | undefined;
  /** Where it is on the internet; null when it is unknown or private. */
  network: string | null;
  /** Neither an announced machine nor sent from a data centre. */
  isPerson: boolean;
}

interface Visiting {
  visitor: string | null;
  session: string | null;
  sessionId: string | null;
}

const idleMs = 30 * 60_000;
const longestMs = 24 * 3_600_000;

export function createPixelRecorder(deps: PixelDeps) {
  const { db, clock } = deps;
  const bounds = createPixelBounds({
    db,
    clock,
    eventsPerDay: deps.pixelEventsPerDay,
    shared: deps.sharedCounts,
  });
  const pixels = createBoundedCache<string, Pixel>(10_000);
  /** Visits whose click is linked already: every page view repeats it. */
  const linked = createBoundedCache<string, true>(50_000);
  /** When a visit was last kept awake. */
  const awakeAt = createBoundedCache<string, number>(50_000);

  async function recordEvents(batch: PixelBatch, browser: Browser): Promise<void> {
    const { advertiserId, url } = await pixelOf(deps, pixels, batch.pixel_id);
    bounds.take(batch.pixel_id, browser.network, batch.events.length);
    const visitorId = plain(batch.visitor_id);
    const sessionId = plain(batch.session_id);
    const visitor = visitorId === null ? null : identityKey('visitor', visitorId);
    if (browser.refuses)
      return void (visitor !== null && (await deps.optOut(advertiserId, [visitor], 'gpc')));
    if (!(await mayFollow(deps, browser))) return;
    const events = readEvents(batch, {
      now: clock(),
      advertiserId,
      visitorId: visitorId ?? '',
      domain: hostOf(url) ?? '',
    });
    const session = sessionId === null ? null : identityKey('session', sessionId);
    await deps.eventLog.settled(
      events.flatMap(({ serveId }) => (serveId === null ? [] : [serveId])),
    );
    if (visitor !== null && (await findOptOuts(db, advertiserId, [visitor])).size > 0) return;
    const visit = await noteVisit(deps, awakeAt, linked, advertiserId, events, {
      visitor,
      session,
      sessionId,
    });
    const conversions = events
      .map((event) => asConversion(event, { visitorId, sessionId, agent: browser.agent }))
      .filter((event) => event !== null);
    if (conversions.length > 0) {
      // Whom the click belongs to is known first: it decides what they are credited to.
      if (visit !== null)
        await deps.eventLog.appendEntry({ events: [], rows: { pixel_visits: [visit] } });
      await deps.recordConversions(advertiserId, conversions, {
        source: 'pixel',
        isOwnSite: isOnSite(browser.origin, url),
        isValid: browser.isPerson,
      });
    }
    await deps.eventLog.appendEntry({
      events: pageEvents(advertiserId, await bounds.countedAs(advertiserId, events)),
      ...(visit === null || conversions.length > 0 ? {} : { rows: { pixel_visits: [visit] } }),
    });
  }

  return {
    recordEvents,
    openSession: (request: SessionRequest, browser: Browser): Promise<string> =>
      openSession(deps, pixels, bounds, request, browser),
  };
}

async function openSession(
  deps: PixelDeps,
  pixels: BoundedCache<string, Pixel>,
  bounds: ReturnType<typeof createPixelBounds>,
  request: SessionRequest,
  browser: Browser,
): Promise<string> {
  const { advertiserId } = await pixelOf(deps, pixels, request.pixel_id);
  bounds.take(request.pixel_id, browser.network, 1);
  const now = deps.clock();
  const minted = `gr_sess_${deps.mintId(now)}`;
  const given = /^gr_sess_[\w-]{8,100}$/.test(request.session_id ?? '')
    ? (request.session_id ?? null)
    : null;
  const visitor = identityKey('visitor', request.visitor_id);
  if (
    browser.refuses ||
    !(await mayFollow(deps, browser)) ||
    (await findOptOuts(deps.db, advertiserId, [visitor])).size > 0
  )
    return given ?? minted;
  return upsertSession(deps.db, { advertiserId, visitor, given, minted, now, idleMs, longestMs });
}

function pageEvents(
  advertiserId: string,
  counted: readonly Pick<PixelEvent, 'id' | 'at' | 'domain' | 'eventType'>[],
): EventRecord[] {
  return counted.map(({ id, at, domain, eventType }) => ({
    id,
    kind: 'pixel',
    at,
    advertiserId,
    data: { domain, event_type: eventType },
  }));
}

function readEvents(
  { events }: PixelBatch,
  context: Parameters<typeof readPixelEvent>[1],
): PixelEvent[] {
  return events.map((event) => readPixelEvent(event, context)).filter((event) => event !== null);
}

/** What is new of a visit: a click it came with, or a minute that passed. */
async function noteVisit(
  deps: PixelDeps,
  awakeAt: BoundedCache<string, number>,
  linked: BoundedCache<string, true>,
  advertiserId: string,
  events: readonly PixelEvent[],
  { visitor, session, sessionId }: Visiting,
): Promise<PixelVisit | null> {
  const now = deps.clock();
  const about = `${advertiserId} ${visitor} ${session}`;
  const isAwake = (awakeAt.get(about) ?? -Infinity) > now - 60_000;
  const touches = visitor !== null && sessionId !== null && !isAwake;
  const links = await newLinks(deps, linked, advertiserId, events, visitor, session);
  if (!touches && links.length === 0) return null;
  if (touches) awakeAt.set(about, now);
  return {
    ids: links.map(({ identity }) => identity),
    advertiserId,
    visitor,
    sessionId: touches ? sessionId : null,
    now,
    links,
  };
}

async function newLinks(
  deps: PixelDeps,
  linked: BoundedCache<string, true>,
  advertiserId: string,
  events: readonly PixelEvent[],
  visitor: string | null,
  session: string | null,
): Promise<ClickLink[]> {
  if (visitor === null && session === null) return [];
  const key = (serveId: string): string => `${advertiserId} ${serveId} ${visitor} ${session}`;
  const clicks = [
    ...new Set(events.flatMap(({ serveId }) => (serveId === null ? [] : [serveId]))),
  ].filter((serveId) => linked.get(key(serveId)) === undefined);
  if (clicks.length === 0) return [];
  const found = await linkVisits(
    { ...deps, tx: deps.db, advertiserId, now: deps.clock(), source: 'pixel' },
    clicks.map((serveId) => ({ serveId, visitor, session })),
  );
  for (const serveId of found.clicks) linked.set(key(serveId), true);
  return found.links;
}

async function pixelOf(
  deps: PixelDeps,
  pixels: BoundedCache<string, Pixel>,
  id: string,
): Promise<Pixel> {
  const known = pixels.get(id);
  if (known !== undefined) return known;
  const pixel = await findPixel(deps.db, id);
  if (pixel === null) throw new AppError('not_found');
  pixels.set(id, pixel);
  return pixel;
}

/** Whether visits of this person may be put together, with each other and with a click. */
async function mayFollow(deps: PixelDeps, { said }: Browser): Promise<boolean> {
  return said === null || (await deps.consent.judge(said)).permissions.conversion_matching;
}

function plain(value: string | null | undefined): string | null {
  const text = value?.replaceAll('\u0000', '').toWellFormed().trim() ?? '';
  return text === '' ? null : text;
}

/** Whether the page is on the pixel's site: the same host, or a part of it. */
function isOnSite(origin: string | undefined, pixelUrl: string): boolean {
  const site = bareHost(pixelUrl);
  const page = bareHost(origin ?? null);
  return site !== null && page !== null && (page === site || page.endsWith(`.${site}`));
}

function bareHost(url: string | null): string | null {
  return hostOf(url)?.replace(/^www\./, '') ?? null;
}
