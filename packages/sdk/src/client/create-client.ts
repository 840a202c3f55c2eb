import type { Ad, AdFeedback, LeadSubmission, Slot } from '../ad.js';
import {
  callService,
  trimUrl,
  type Call,
  type CallOptions,
  type FailureReason,
  type Outcome,
} from '../call-service.js';
import { prepareMessages, type ChatMessage, type ContextOptions } from './prepare-messages.js';
import { readAds } from './read-ads.js';
import { readRequest, type AnyRequest, type Device } from '../http/read-request.js';
import { regsOf } from './read-regs.js';
import type { Regs } from '../regs.js';
import type {
  CategoryList,
  ProductQuery,
  ProductResult,
  ToolQuery,
  ToolResult,
} from '../search.js';

export interface ClientOptions {
  /** Your publisher key. Keep it on the server. */
  apiKey: string | undefined;
  /** Where the network runs; the other three addresses default to it. */
  baseUrl: string;
  platformUrl?: string;
  indexUrl?: string;
  /** The longest an ad request may take, retries included; 1,500 ms unless told. */
  timeoutMs?: number;
  /** The longest a search, a lead or feedback may take; 10,000 ms unless told. */
  slowTimeoutMs?: number;
  /** Further attempts inside the same time; 1 unless told. */
  retries?: number;
  /** Always-filling, never-billed ads; on by itself when NODE_ENV is "development". */
  testAd?: boolean;
  /** How much of the conversation leaves your server. */
  context?: ContextOptions;
  fetch?: typeof fetch;
}

export interface AdRequest extends CallOptions {
  messages: readonly ChatMessage[];
  sessionId: string;
  /** One slot below the answer unless told. */
  placements?: readonly Slot[];
  user?: Record<string, unknown>;
  device?: Device;
  /** The incoming request: address, agent, country and language are read from it. */
  request?: AnyRequest;
  /** What the user chose; `Sec-GPC` and `DNT` of `request` are added by themselves. */
  regs?: Regs;
  excludedTopics?: readonly string[];
  relevancy?: number | null;
  testAd?: boolean;
}

/** `filled` with ads, or no ads and why. Never an exception, never late. */
export interface AdResult {
  ads: Ad[];
  reason: 'filled' | 'no_fill' | FailureReason;
  status?: number;
}

/** Ads on their way while the answer streams. */
export interface PendingAds {
  /** Resolves, never rejects, at the latest when the time is up. */
  readonly result: Promise<AdResult>;
  /** What is known now, without waiting. */
  current(): AdResult | null;
  cancel(): void;
}

export interface SidelightClient {
  getAds(request: AdRequest): Promise<AdResult>;
  startAds(request: AdRequest): PendingAds;
  sendFeedback(
    feedback: AdFeedback,
    options?: CallOptions,
  ): Promise<Outcome<{ status: string; feedbackId: string }>>;
  submitLead(
    lead: LeadSubmission,
    options?: CallOptions,
  ): Promise<Outcome<{ status: string; leadId: string }>>;
  searchTools(query: ToolQuery, options?: CallOptions): Promise<Outcome<ToolResult>>;
  searchProducts(query: ProductQuery, options?: CallOptions): Promise<Outcome<ProductResult>>;
  listCategories(options?: CallOptions): Promise<Outcome<CategoryList>>;
}

const DEFAULT_SLOTS: readonly Slot[] = [
  { placement: 'below_response', placement_id: 'below-response' },
];

/**
 * The publisher's client. No method throws or rejects: a chat goes on whatever happens here.
 *
 * @example
 * const sidelight = createClient({ apiKey: process.env.SIDELIGHT_KEY, baseUrl:
 * 'https://ads.example.com' });
 * const pending = sidelight.startAds({ messages, sessionId, request: req }); // before the model
 * starts
 * for await (const chunk of answer) res.write(chunk);
 * const { ads } = await pending.result; // long there
 */
export function createClient(options: ClientOptions): SidelightClient {
  const baseUrl = trimUrl(options.baseUrl);
  const platformUrl = trimUrl(options.platformUrl ?? baseUrl);
  const indexUrl = trimUrl(options.indexUrl ?? baseUrl);
  const bearer = { authorization: `Bearer ${options.apiKey ?? ''}` };
  const apiKey = { 'x-api-key': options.apiKey ?? '' };
  const call = callerOf(options);
  const getAds = (request: AdRequest): Promise<AdResult> =>
    requestAds(call, { url: `${baseUrl}/api/v1/ad`, headers: bearer }, request, options);

  return {
    getAds,
    startAds: (request) => startAds(getAds, request),
    async sendFeedback(feedback, given) {
      return objectOutcome(
        await call(
          { url: `${platformUrl}/ad-feedback`, method: 'POST', headers: apiKey, body: feedback },
          given,
        ),
      );
    },
    async submitLead(lead, given) {
      return objectOutcome(
        await call(
          { url: `${baseUrl}/api/v1/lead`, method: 'POST', headers: bearer, body: lead },
          given,
        ),
      );
    },
    async searchTools(query, given) {
      return objectOutcome(
        await call(
          { url: `${indexUrl}/search`, method: 'POST', headers: apiKey, body: query },
          given,
        ),
      );
    },
    async searchProducts(query, given) {
      return objectOutcome(
        await call(
          { url: `${indexUrl}/shop/search`, method: 'POST', headers: apiKey, body: query },
          given,
        ),
      );
    },
    async listCategories(given) {
      return objectOutcome(
        await call({ url: `${indexUrl}/categories`, method: 'GET', headers: {} }, given),
      );
    },
  };
}

type Caller = (
  target: Pick<Call, 'url' | 'method' | 'headers' | 'body'>,
  given?: CallOptions,
  timeoutMs?: number,
) => Promise<Outcome<unknown>>;

/** Calls the service with the client's own limits, unless a call brings others. */
function callerOf(options: ClientOptions): Caller {
  return async (target, given = {}, timeoutMs = options.slowTimeoutMs ?? 10_000) =>
    callService({
      ...target,
      timeoutMs: given.timeoutMs ?? timeoutMs,
      retries: given.retries ?? options.retries ?? 1,
      signal: given.signal,
      fetch: options.fetch,
    });
}

async function requestAds(
  call: Caller,
  door: Pick<Call, 'url' | 'headers'>,
  request: AdRequest,
  options: ClientOptions,
): Promise<AdResult> {
  const body = safely(() => adBody(request, options));
  if (body === null) return { ads: [], reason: 'invalid_request' };
  const outcome = await call({ ...door, method: 'POST', body }, request, options.timeoutMs ?? 1500);
  if (!outcome.ok)
    return {
      ads: [],
      reason: outcome.reason,
      ...(outcome.status === undefined ? {} : { status: outcome.status }),
    };
  if (outcome.data === null && outcome.status === 204)
    return { ads: [], reason: 'no_fill', status: 204 };
  const ads = readAds(outcome.data);
  if (ads === null) return { ads: [], reason: 'bad_response', status: outcome.status };
  return { ads, reason: ads.length > 0 ? 'filled' : 'no_fill', status: outcome.status };
}

function startAds(
  getAds: (request: AdRequest) => Promise<AdResult>,
  request: AdRequest,
): PendingAds {
  const stop = new AbortController();
  const forward = (): void => stop.abort();
  request.signal?.addEventListener('abort', forward);
  if (request.signal?.aborted === true) stop.abort();
  let known: AdResult | null = null;
  const result = getAds({ ...request, signal: stop.signal }).then((settled) => {
    request.signal?.removeEventListener('abort', forward);
    known = settled;
    return settled;
  });
  return { result, current: () => known, cancel: forward };
}

function adBody(request: AdRequest, options: ClientOptions): Record<string, unknown> | null {
  const messages = prepareMessages(request.messages, options.context);
  if (messages.length === 0 || typeof request.sessionId !== 'string' || request.sessionId === '')
    return null;
  const seen = request.request === undefined ? undefined : readRequest(request.request);
  const device = { ...seen, ...request.device };
  return {
    messages,
    sessionId: request.sessionId,
    placements: request.placements ?? DEFAULT_SLOTS,
    user: request.user,
    device: Object.keys(device).length === 0 ? undefined : device,
    regs: regsOf(request.request, request.regs),
    excludedTopics: request.excludedTopics,
    relevancy: request.relevancy,
    testAd: (request.testAd ?? options.testAd ?? inDevelopment()) || undefined,
  };
}

/** Edge runtimes have no process; a missing one means production. */
function inDevelopment(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }; // present on Node, Bun and Deno only
  return safely(() => process?.env?.['NODE_ENV'] === 'development') === true;
}

function safely<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null; // a hostile getter or a denied environment must not reach the chat
  }
}

/** The service answers these calls with an object; anything else is not its answer. */
function objectOutcome<T>(outcome: Outcome<unknown>): Outcome<T> {
  if (!outcome.ok) return outcome;
  if (typeof outcome.data !== 'object' || outcome.data === null || Array.isArray(outcome.data))
    return { ok: false, reason: 'bad_response', status: outcome.status };
  // the contract of the path that was called
  return { ok: true, status: outcome.status, data: outcome.data as T };
}
