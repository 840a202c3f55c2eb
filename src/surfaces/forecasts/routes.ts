import type { FastifyInstance } from 'fastify';
import type { ClickModel } from '../../domain/decision/click-model.js';
import { fromDollars } from '../../domain/money.js';
import { readInstant } from '../../domain/time/read-instant.js';
import { isUuid } from '../../domain/uuid.js';
import { advertiserOf, type Guards } from '../../platform/auth/guards.js';
import { createBoundedCache } from '../../platform/bounded-cache.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { Reader } from '../../platform/embedding/create-reader.js';
import { AppError, fieldError } from '../../platform/errors.js';
import { errorFields, type Log } from '../../platform/log.js';
import { createAskedRequests, forecastDaysBack } from './asked-requests.js';
import { makeForecast, type Plan, textsOf, watchedDays } from './make-forecast.js';
import { findCampaign, listGroups, loadShownShare, type PlannedCampaign } from './queries.js';
import { Forecast, ForecastRequest } from './schema.js';
import { dayMs } from '../../domain/time/utc-day.js';

export interface ForecastsDeps {
  db: Db;
  clock: Clock;
  guards: Guards;
  reader: Pick<Reader, 'embed' | 'calibration'>;
  /** What serving has learned of clicks, and the model it reads with. */
  model: Pick<ClickModel, 'pctr' | 'pcvr' | 'adIndex' | 'topicIndex'>;
  matcher: {
    readonly mode: 'semantic' | 'lexical';
    readonly version: string;
    settled(): Promise<void>;
  };
  log: Log;
}

export interface Forecasts {
  /** Reads ahead what the first forecast needs, once ads are matched. */
  start(): void;
  close(): Promise<void>;
}

const mostGroups = 50;
/** Before anything was seen: as pacing starts out. */
const usualShown = { wins: 100, impressions: 80 };

/**
 * What a campaign would bring, before it is launched or changed: the requests of the last two weeks
 * played again with it among the bidders. Owns nothing; serving keeps the requests
 * (asked_requests).
 */
export function forecastRoutes(app: FastifyInstance, deps: ForecastsDeps): Forecasts {
  const { db, clock } = deps;
  const askedRequests = createAskedRequests(db, clock);
  const vectors = createBoundedCache<string, Float32Array>(500);

  /** While somebody types, most of it was read a moment ago. */
  async function embed(texts: readonly string[]): Promise<void> {
    const missing = [...new Set(texts)].filter(
      (text) => text !== '' && vectors.get(text) === undefined,
    );
    if (missing.length === 0) return;
    const read = await deps.reader.embed(missing);
    missing.forEach((text, at) => vectors.set(text, read[at] ?? new Float32Array()));
  }

  app.post<{ Body: ForecastRequest }>(
    '/advertiser-dashboard/forecast',
    {
      onRequest: deps.guards.advertiserDashboard,
      schema: {
        tags: ['advertiser'],
        summary: 'What a campaign would bring, from the requests of the last 14 days',
        security: [{ apiKey: [] }],
        body: ForecastRequest,
        response: { 200: Forecast },
      },
    },
    async (request) => {
      const now = clock();
      const { plan, current } = await plansOf(db, advertiserOf(request).id, request.body);
      const isRead = deps.matcher.mode === 'semantic';
      const rows = isRead ? await askedRequests.recent(deps.matcher.version) : [];
      if (isRead) await embed(textsOf([...plan.groups, ...(current?.groups ?? [])]));
      const shown = await loadShownShare(db, new Date(now - forecastDaysBack * dayMs));
      const { calibration } = deps.reader;
      const input = {
        rows,
        now,
        isRead,
        calibration,
        model: deps.model,
        vectorOf: vectors.get,
        shownShare: Math.min(
          1,
          (shown.impressions + usualShown.impressions) / (shown.wins + usualShown.wins),
        ),
      };
      return {
        basis: {
          days: watchedDays(rows, now),
          requests: Math.round(rows.reduce((sum, row) => sum + row.weight, 0)),
          kept: rows.length,
        },
        forecast: makeForecast(plan, input),
        ...(current === null ? {} : { current: makeForecast(current, input) }),
      };
    },
  );

  return lifeOf(deps, askedRequests);
}

function lifeOf(
  { matcher, log }: Pick<ForecastsDeps, 'matcher' | 'log'>,
  askedRequests: ReturnType<typeof createAskedRequests>,
): Forecasts {
  async function readAhead(): Promise<void> {
    await matcher.settled();
    if (matcher.mode === 'semantic') await askedRequests.readAhead(matcher.version);
  }
  return {
    start: () =>
      void readAhead().catch((error: unknown) =>
        log.warn(errorFields(error), 'the first forecast will have to wait'),
      ),
    close: askedRequests.close,
  };
}

/** The campaign as the body has it, and as it is where it exists. */
async function plansOf(
  db: Db,
  advertiserId: string,
  body: ForecastRequest,
): Promise<{ plan: Plan; current: Plan | null }> {
  const id = body.campaign_id ?? null;
  const known = id === null ? null : isUuid(id) ? await findCampaign(db, advertiserId, id) : null;
  if (id !== null && known === null) throw new AppError('not_found');
  if (known === null && body.daily_budget == null)
    throw fieldError(['body', 'daily_budget'], 'Say what a day may cost', 'missing');
  const own = id === null ? [] : await listGroups(db, id, mostGroups);
  const campaign = changed(known ?? unset, body);
  const groups =
    body.context == null
      ? own
      : [
          {
            context: body.context,
            negativeContext: body.negative_context ?? null,
            maxCpcMicros: null,
            allowedCountries: [],
            allowedDevices: [],
            adId: null,
          },
        ].filter(({ context }) => context.trim() !== '');
  return {
    plan: { advertiserId, campaign, groups },
    current: known === null ? null : { advertiserId, campaign: known, groups: own },
  };
}

const unset: PlannedCampaign = {
  objective: 'clicks',
  billingModel: 'cpm',
  bidStrategy: 'lowest_cost',
  dailyBudgetMicros: 0,
  clickGoal: null,
  impressionGoal: null,
  maxCpcMicros: null,
  maxCpmMicros: null,
  maxCpaMicros: null,
  allowedCountries: [],
  allowedDevices: [],
  startTime: null,
  endTime: null,
};

function changed(known: PlannedCampaign, body: ForecastRequest): PlannedCampaign {
  const money = (value: number | null | undefined, before: number | null): number | null =>
    value === undefined ? before : value === null ? null : fromDollars(value);
  const time = (name: 'start_time' | 'end_time', before: Date | null): Date | null => {
    const text = body[name];
    if (text === undefined) return before;
    if (text === null || text === '') return null;
    // Without an offset it is UTC, as everywhere.
    const at = readInstant(/T[\d:.]{1,20}$/i.test(text) ? `${text}Z` : text);
    if (at === null)
      throw fieldError(['body', name], 'Must be a date and time in ISO 8601', 'datetime');
    return at;
  };
  return {
    ...known,
    objective: body.campaign_objective ?? known.objective,
    billingModel: body.billing_model ?? known.billingModel,
    dailyBudgetMicros: money(body.daily_budget ?? undefined, known.dailyBudgetMicros) ?? 0,
    maxCpcMicros: money(body.max_cpc, known.maxCpcMicros),
    maxCpmMicros: money(body.max_cpm, known.maxCpmMicros),
    maxCpaMicros: money(body.max_cpa, known.maxCpaMicros),
    allowedCountries:
      body.allowed_countries ?? (body.allowed_countries === null ? [] : known.allowedCountries),
    allowedDevices:
      body.allowed_devices ?? (body.allowed_devices === null ? [] : known.allowedDevices),
    startTime: time('start_time', known.startTime),
    endTime: time('end_time', known.endTime),
  };
}
