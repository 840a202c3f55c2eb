import type { IncomingMessage } from 'node:http';
import { grclidOf } from '../../domain/grclid.js';
import type { TrackingToken } from '../../domain/tracking-token.js';
import { onlyMarks, shownParams, utmRecord } from '../../domain/utm-params.js';
import { nilUuid } from '../../domain/uuid.js';
import { type BoundedCache, createBoundedCache, remember } from '../../platform/bounded-cache.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import { everything, type Permissions } from '../../domain/privacy/decision-table.js';
import type { ConsentReader } from '../../platform/consent/consent-reader.js';
import { isEmbedded, isFetchedAhead } from '../../platform/http/fetched-ahead.js';
import { signalsOfRequest } from '../../platform/http/signals-of-request.js';
import type { ClientAddress } from '../../platform/http/client-address.js';
import { isPrivateAddress } from '../../platform/outbound/private-address.js';
import type { SharedCounts } from '../../platform/shared-counts.js';
import type { TrackingTokens } from '../../platform/secrets/tracking-tokens.js';
import { type Beacon, createTrafficJudge, trafficRules } from './judge-traffic.js';
import { type Landing, landingUrl } from './landing-url.js';
import { findLanding, type LandingRow, wasSeen } from './queries.js';
import { createSeenElsewhere } from './seen-elsewhere.js';
import { type ChargeDeps, createBeaconCharges } from './charge-beacon.js';
import { type BeaconDeps, createBeaconRecorder, type Visitor } from './record-beacon.js';
import { createViewableRecorder, type ViewableDeps } from './record-viewable.js';
import type { ViewableTime } from './schema.js';

export interface TrackingDeps
  extends
    Omit<BeaconDeps, 'judge' | 'charges' | 'seenElsewhere'>,
    Omit<ChargeDeps, 'wasSeen' | 'seenElsewhere'>,
    Omit<ViewableDeps, 'charges'> {
  db: Db;
  sharedCounts: Pick<SharedCounts, 'space'>;
  trackingTokens: Pick<TrackingTokens, 'open'>;
  clientAddress: ClientAddress;
  countryOf: (address: string) => string | null;
  isDataCentre: (address: string) => boolean;
  describeAgent: (agent: string | undefined) => { deviceType: string; bot: Beacon['bot'] };
  isAdvertiserBlocked: (advertiserId: string) => boolean;
  consent: Pick<ConsentReader, 'judge'>;
  /** Where a live ad leads, from memory; null when it is not live. */
  liveLanding: (token: TrackingToken) => { landingPage: string; utmParams: unknown } | null;
  /** Where the house test ad leads. */
  testLanding: () => string;
  /** Where an address is opened: the pages of made-up brands are on this server. */
  openAt: (url: string) => string;
}

const landingCacheMs = 500;
/** An ad that was served without its person stays so. */
const unlinked: Permissions = {
  ...everything,
  identity_links: false,
  conversion_matching: false,
  advertiser_sharing: false,
};
const nowhere = { address: null, country: null, isHosted: false };

interface KnownLanding {
  landing: Landing | 'gone' | null;
  at: number;
}

/** What the routes and the front in front of them share. */
export function createTracking(deps: TrackingDeps) {
  const seenElsewhere = createSeenElsewhere(deps.sharedCounts);
  const judge = createTrafficJudge(
    { ...trafficRules, impressionWindowMs: deps.impressionWindowMs },
    deps.sharedCounts,
    seenElsewhere.at,
  );
  const charges = createBeaconCharges({
    ...deps,
    seenElsewhere,
    wasSeen: (serveId) => wasSeen(deps.db, serveId),
  });
  const record = createBeaconRecorder({ ...deps, charges, judge, seenElsewhere });
  const recordViewable = createViewableRecorder({ ...deps, charges });
  const landings = createBoundedCache<string, KnownLanding>(10_000);

  const visitorOf = createVisitorReader(deps);

  function tokenOf(p: string | undefined): TrackingToken {
    const token = p === undefined ? null : deps.trackingTokens.open(p);
    if (token === null) throw new AppError('invalid_token');
    return token;
  }

  return {
    viewable: (seen: ViewableTime, request: IncomingMessage): Promise<void> =>
      recordViewable(tokenOf(seen.p), seen, visitorOf(request)),
    impression(p: string | undefined, request: IncomingMessage): Promise<void> {
      const token = tokenOf(p);
      const allowed = allowedTo(deps, token, request);
      const visitor = visitorOf(request);
      // Most say nothing, and what is known needs no turn of its own.
      return allowed instanceof Promise
        ? allowed.then((said) => record('impression', token, visitor, said))
        : record('impression', token, visitor, allowed);
    },
    /** Where to send the person; null when the offer is gone. */
    async click(p: string | undefined, request: IncomingMessage): Promise<string | null> {
      const token = tokenOf(p);
      const landing = await landingOf(deps, landings, token);
      if (landing === null) throw new AppError('not_found');
      const allowed = await allowedTo(deps, token, request);
      await record(
        'click',
        token,
        visitorOf(request),
        allowed,
        landing === 'gone' ? 'offer_gone' : null,
      );
      const isLinked = allowed.advertiser_sharing && allowed.conversion_matching;
      return landing === 'gone'
        ? null
        : deps.openAt(landingUrl(landing, isLinked ? grclidOf(token.serveId) : null));
    },
  };
}

/** Who sent a beacon, as far as it matters whether it counts. */
function createVisitorReader(deps: TrackingDeps): (request: IncomingMessage) => Visitor {
  // Decided once for each address: the same visitors send beacon after beacon.
  const placeOf = remember(
    (address: string) =>
      isPrivateAddress(address)
        ? nowhere
        : { address, country: deps.countryOf(address), isHosted: deps.isDataCentre(address) },
    20_000,
  );

  return (request) => {
    const found = deps.clientAddress(request);
    const { address, country, isHosted } = found === null ? nowhere : placeOf(found);
    const { deviceType, bot } = deps.describeAgent(request.headers['user-agent']);
    const isPrefetch = request.method === 'HEAD' || isFetchedAhead(request);
    return {
      address,
      country,
      device: deviceType,
      bot,
      isHosted,
      isPrefetch,
      isEmbedded: isEmbedded(request),
    };
  };
}

/** Nowhere any more: turned down for what it shows, or its advertiser is blocked. */
async function landingOf(
  deps: TrackingDeps,
  landings: BoundedCache<string, KnownLanding>,
  token: TrackingToken,
): Promise<Landing | 'gone' | null> {
  if (!token.test && deps.isAdvertiserBlocked(token.advertiserId)) return 'gone';
  if (token.test && token.campaignId === nilUuid) return { url: deps.testLanding(), utmParams: {} };
  const live = deps.liveLanding(token);
  if (live !== null) return { url: live.landingPage, utmParams: utmRecord(live.utmParams) };
  const known = landings.get(token.adId);
  if (known !== undefined && deps.clock() - known.at < landingCacheMs) return known.landing;
  try {
    const row = await findLanding(deps.db, token.campaignId, token.adId);
    const landing =
      row === null
        ? null
        : row.landingPage === null
          ? 'gone'
          : { url: row.landingPage, utmParams: paramsOf(row) };
    landings.set(token.adId, { landing, at: deps.clock() });
    return landing;
  } catch (error) {
    // A click must not be lost because the database is away: an older address is better than
    // none.
    if (known === undefined) throw error;
    return known.landing;
  }
}

/** What the beacon itself says counts; where it says nothing, what the ad was served under. */
function allowedTo(
  deps: TrackingDeps,
  token: TrackingToken,
  request: IncomingMessage,
): Permissions | Promise<Permissions> {
  const said = signalsOfRequest(request);
  if (said !== null) return permissionsOf(deps.consent.judge(said));
  return token.unlinked === true ? unlinked : everything;
}

function permissionsOf(
  judged: ReturnType<TrackingDeps['consent']['judge']>,
): Permissions | Promise<Permissions> {
  return judged instanceof Promise
    ? judged.then(({ permissions }) => permissions)
    : judged.permissions;
}

/** Of a campaign nobody has looked at again, what was added to the page may lead elsewhere. */
function paramsOf(row: LandingRow): Record<string, string> {
  if (row.showsApproved) return shownParams(row.utmParams, row.approvedUtm);
  const params = utmRecord(row.utmParams);
  return row.isApproved ? params : onlyMarks(params);
}

export type Tracking = ReturnType<typeof createTracking>;
