import {
  type AttributionWindows,
  type Touchpoint,
  clockToleranceMs,
  creditedTo,
  isCreditable,
} from '../../../domain/attribution.js';
import { uuidTime } from '../../../domain/uuid.js';
import type { Db } from '../../../platform/db/db.js';
import {
  type ClickLink,
  findLastClicks,
  findTouches,
  findViewerLinks,
  type Touch,
} from '../queries.js';
import type { Conversion } from '../intake/read-event.js';
import type { ConversionSource } from '../record-conversions.js';

export interface Credit {
  evidence: Touchpoint['evidence'];
  kind: 'click' | 'view';
  touch: Touch;
}

/** Clicks outside the event log (the search index), looked up for ids it does not know. */
export type FindOtherClicks = (
  tx: Db,
  advertiserId: string,
  ids: readonly string[],
  source: ConversionSource,
) => Promise<Touch[]>;

export interface AttributionInput {
  tx: Db;
  advertiserId: string;
  conversions: readonly Pick<
    Conversion,
    'at' | 'serveId' | 'visitor' | 'session' | 'people' | 'emails'
  >[];
  windows: AttributionWindows;
  now: number;
  /**
   * What an unknown browser says is credited by the click id it carries or its own visitor's click;
   * whom it names is not asked, and never linked to a click.
   */
  source: ConversionSource;
  /** Whether identities seen with a click are to be remembered; not in test mode. */
  learns: boolean;
  otherClicks?: FindOtherClicks;
  /** Under which name a hashed e-mail's ads are kept for an advertiser. */
  viewerOf: (advertiserId: string, identity: string) => string;
}

export interface Attribution {
  credits: (Credit | null)[];
  /** Who came with which click: to be stored. The conversions of this batch know it already. */
  links: ClickLink[];
}

/**
 * Credits each conversion to at most one ad, by look-ups alone: a fixed number of statements,
 * whatever the size of the batch and of history.
 */
export async function attributeConversions(input: AttributionInput): Promise<Attribution> {
  const { conversions, windows } = input;
  const clicks = await findClicks(
    input,
    conversions.map((conversion) => conversion.serveId),
  );
  const trusted = input.source !== 'pixel';
  const links = input.learns
    ? linksOf(
        trusted ? conversions : conversions.map((conversion) => ({ ...conversion, people: [] })),
        clicks,
      )
    : [];

  const touchpoints = byClickId(input, clicks);
  const open = conversions.flatMap((_, n) => (touchpoints[n]?.length === 0 ? [n] : []));
  await addLinkedClicks(input, open, touchpoints, links);
  if (trusted) await addViewers(input, open, touchpoints);

  const found = touchpoints.flat();
  await addTouches(
    input,
    clicks,
    found
      .filter((touchpoint) => touchpoint.evidence !== 'viewer_view')
      .map((touchpoint) => touchpoint.serveId),
  );
  const views = new Map(
    (
      await findKnown(
        input,
        'impression',
        found
          .filter((touchpoint) => touchpoint.evidence === 'viewer_view')
          .map((touchpoint) => touchpoint.serveId),
      )
    ).map((touch) => [touch.id, touch]),
  );
  const touchOf = (touchpoint: Touchpoint): Touch | undefined =>
    (touchpoint.evidence === 'viewer_view' ? views : clicks).get(touchpoint.serveId);

  const credits = conversions.map(({ at }, n): Credit | null => {
    const credited = creditedTo(
      (touchpoints[n] ?? []).filter((touchpoint) => touchOf(touchpoint) !== undefined),
      at,
      windows,
    );
    const touch = credited === null ? undefined : touchOf(credited);
    if (credited === null || touch === undefined) return null;
    return {
      evidence: credited.evidence,
      kind: credited.evidence === 'viewer_view' ? 'view' : 'click',
      touch,
    };
  });
  return { credits, links };
}

/** What the click id of each conversion says, where it is still creditable. */
function byClickId(
  { conversions, windows }: AttributionInput,
  clicks: ReadonlyMap<string, Touch>,
): Touchpoint[][] {
  return conversions.map(({ serveId, at }) => {
    const touch = serveId === null ? undefined : clicks.get(serveId);
    const touchpoint =
      touch === undefined
        ? null
        : ({ evidence: 'click_id', serveId: touch.id, at: touch.at } as const);
    return touchpoint !== null && isCreditable(touchpoint, at, windows) ? [touchpoint] : [];
  });
}

/** Which click a pixel's visitor and session came with, of the clicks that exist. */
export async function linkVisits(
  input: ClickSearch,
  visits: readonly Pick<Conversion, 'serveId' | 'visitor' | 'session'>[],
): Promise<{ links: ClickLink[]; clicks: ReadonlySet<string> }> {
  const clicks = await findClicks(
    input,
    visits.map((visit) => visit.serveId),
  );
  const links = linksOf(
    visits.map((visit) => ({ ...visit, people: [] })),
    clicks,
  );
  return { links, clicks: new Set(clicks.keys()) };
}

type ClickSearch = Pick<AttributionInput, 'tx' | 'advertiserId' | 'now' | 'otherClicks' | 'source'>;

async function findClicks(
  input: ClickSearch,
  ids: readonly (string | null)[],
): Promise<Map<string, Touch>> {
  const clicks = new Map<string, Touch>();
  await addTouches(
    input,
    clicks,
    ids.filter((id) => id !== null),
  );
  return clicks;
}

async function addTouches(
  input: ClickSearch,
  clicks: Map<string, Touch>,
  ids: readonly string[],
): Promise<void> {
  const wanted = [...new Set(ids)].filter((id) => !clicks.has(id));
  for (const touch of await findKnown(input, 'click', wanted)) clicks.set(touch.id, touch);
  const missing = wanted.filter((id) => !clicks.has(id));
  if (input.otherClicks === undefined || missing.length === 0) return;
  for (const touch of await input.otherClicks(input.tx, input.advertiserId, missing, input.source))
    clicks.set(touch.id, touch);
}

const tenYearsMs = 3_660 * 86_400_000;

/** An id from outside may hold any time; only those the log could have are looked up. */
async function findKnown(
  { tx, advertiserId, now }: ClickSearch,
  kind: 'click' | 'impression',
  ids: readonly string[],
): Promise<Touch[]> {
  const plausible = [...new Set(ids)].filter(
    (id) =>
      id.charAt(14) === '7' && uuidTime(id) > now - tenYearsMs && uuidTime(id) < now + 86_400_000,
  );
  return plausible.length === 0 ? [] : findTouches(tx, advertiserId, kind, plausible);
}

function linksOf(
  visits: readonly Pick<Conversion, 'serveId' | 'visitor' | 'session' | 'people'>[],
  clicks: ReadonlyMap<string, Touch>,
): ClickLink[] {
  const links: ClickLink[] = [];
  for (const { serveId, visitor, session, people } of visits) {
    const touch = serveId === null ? undefined : clicks.get(serveId);
    if (touch === undefined) continue;
    for (const identity of [visitor, session, ...people])
      if (identity !== null) links.push({ identity, clickedAt: touch.at, serveId: touch.id });
  }
  return links;
}

interface Wanted {
  n: number;
  evidence: Touchpoint['evidence'];
  identity: string;
  from: number;
  until: number;
}

async function addLinkedClicks(
  { tx, advertiserId, conversions, windows, source }: AttributionInput,
  open: readonly number[],
  touchpoints: Touchpoint[][],
  links: readonly ClickLink[],
): Promise<void> {
  const wanted: Wanted[] = [];
  for (const n of open) {
    const conversion = conversions[n];
    if (conversion === undefined) continue;
    const from = conversion.at - windows.clickMs;
    const until = conversion.at + clockToleranceMs;
    if (conversion.visitor !== null)
      wanted.push({ n, from, until, evidence: 'visitor', identity: conversion.visitor });
    if (source === 'pixel') continue;
    if (conversion.session !== null)
      wanted.push({ n, from, until, evidence: 'session', identity: conversion.session });
    for (const identity of conversion.people)
      wanted.push({ n, from, until, evidence: 'person', identity });
  }
  addLinksOfBatch(wanted, links, touchpoints);
  // Most identities have no click after the conversion, so their last click is the one; the few
  // others are asked again up to their time.
  let left = wanted;
  while (left.length > 0) {
    const from = left.reduce((least, one) => Math.min(least, one.from), Infinity);
    const until = left.reduce((most, one) => Math.max(most, one.until), 0);
    const last = new Map(
      (
        await findLastClicks(
          tx,
          advertiserId,
          left.map((one) => one.identity),
          from,
          until,
        )
      ).map((click) => [click.identity, click]),
    );
    const late: Wanted[] = [];
    for (const one of left) {
      const click = last.get(one.identity);
      if (click === undefined) continue;
      if (click.at > one.until) late.push(one);
      else
        touchpoints[one.n]?.push({ evidence: one.evidence, serveId: click.serveId, at: click.at });
    }
    // The latest time that was asked for is settled by now, so this ends.
    left = late;
  }
}

/** Of what this batch itself tells about an identity: its last click by then. */
function addLinksOfBatch(
  wanted: readonly Wanted[],
  links: readonly ClickLink[],
  touchpoints: Touchpoint[][],
): void {
  if (links.length === 0) return;
  const latestFirst = new Map<string, ClickLink[]>();
  for (const link of links.toSorted((a, b) => b.clickedAt - a.clickedAt)) {
    const known = latestFirst.get(link.identity);
    if (known === undefined) latestFirst.set(link.identity, [link]);
    else known.push(link);
  }
  for (const { n, evidence, identity, until } of wanted) {
    const link = latestFirst.get(identity)?.find(({ clickedAt }) => clickedAt <= until);
    if (link !== undefined)
      touchpoints[n]?.push({ evidence, serveId: link.serveId, at: link.clickedAt });
  }
}

async function addViewers(
  { tx, advertiserId, conversions, viewerOf }: AttributionInput,
  open: readonly number[],
  touchpoints: Touchpoint[][],
): Promise<void> {
  const wanted = open.flatMap((n) => (conversions[n]?.emails ?? []).map((email) => ({ n, email })));
  if (wanted.length === 0) return;
  for (const row of await findViewerLinks(
    tx,
    advertiserId,
    wanted.map((one) => viewerOf(advertiserId, `em:${one.email}`)),
  )) {
    const list = touchpoints[wanted[row.n]?.n ?? -1];
    if (list === undefined) continue;
    if (row.clickServeId !== null && row.clickedAt !== null)
      list.push({
        evidence: 'viewer_click',
        serveId: row.clickServeId,
        at: row.clickedAt.getTime(),
      });
    if (row.viewServeId !== null && row.viewedAt !== null)
      list.push({ evidence: 'viewer_view', serveId: row.viewServeId, at: row.viewedAt.getTime() });
  }
}
