/** Why a call brought nothing. None of them is thrown. */
export type FailureReason =
  | 'timeout'
  | 'aborted'
  | 'unavailable'
  | 'unauthorized'
  | 'not_approved'
  | 'not_found'
  | 'rate_limited'
  | 'invalid_request'
  | 'bad_response';

export interface Failure {
  ok: false;
  reason: FailureReason;
  /** HTTP status, when the service answered. */
  status?: number;
  /** The service's own word for it, when it gave one. */
  detail?: unknown;
}

export type Outcome<T> = { ok: true; status: number; data: T } | Failure;

export interface CallOptions {
  /** Longest wait in milliseconds, all retries together. */
  timeoutMs?: number;
  /** Further attempts after a refused connection, 429 or 5xx. */
  retries?: number;
  signal?: AbortSignal;
}

export interface Call extends CallOptions {
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  body?: unknown;
  timeoutMs: number;
  retries: number;
  fetch?: typeof fetch;
}

/**
 * Calls the service and always resolves, at the latest when the time is up, whatever fetch does.
 */
export async function callService(call: Call): Promise<Outcome<unknown>> {
  const stop = new AbortController();
  const started = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const limit = new Promise<Outcome<unknown>>((resolve) => {
    timer = setTimeout(
      () => resolve({ ok: false, reason: 'timeout' }),
      Math.max(0, call.timeoutMs),
    );
    onAbort = () => resolve({ ok: false, reason: 'aborted' });
    if (call.signal?.aborted === true) onAbort();
    call.signal?.addEventListener('abort', onAbort);
  });
  try {
    const left = (): number => call.timeoutMs - (Date.now() - started);
    return await Promise.race([limit, attempts(call, stop.signal, left)]);
  } catch {
    return { ok: false, reason: 'invalid_request' };
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) call.signal?.removeEventListener('abort', onAbort);
    stop.abort();
  }
}

async function attempts(
  call: Call,
  signal: AbortSignal,
  left: () => number,
): Promise<Outcome<unknown>> {
  let body: string | undefined;
  try {
    body = call.body === undefined ? undefined : JSON.stringify(call.body);
  } catch {
    return { ok: false, reason: 'invalid_request' };
  }
  for (let attempt = 0; ; attempt += 1) {
    const { outcome, retryAfterMs } = await attemptOnce(call, body, signal);
    const passing =
      !outcome.ok && (outcome.reason === 'unavailable' || outcome.reason === 'rate_limited');
    const wait = Math.max(retryAfterMs, 50 * 2 ** attempt * (1 + Math.random()));
    if (!passing || attempt >= call.retries || signal.aborted || wait >= left()) return outcome;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

async function attemptOnce(
  call: Call,
  body: string | undefined,
  signal: AbortSignal,
): Promise<{ outcome: Outcome<unknown>; retryAfterMs: number }> {
  let response: Response;
  try {
    const send = call.fetch ?? fetch;
    const headers = {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    };
    response = await send(call.url, {
      method: call.method,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
    });
  } catch {
    return {
      outcome: { ok: false, reason: signal.aborted ? 'aborted' : 'unavailable' },
      retryAfterMs: 0,
    };
  }
  const retryAfterMs = (Number(response.headers.get('retry-after')) || 0) * 1000;
  return { outcome: await readOutcome(response), retryAfterMs };
}

async function readOutcome(response: Response): Promise<Outcome<unknown>> {
  const { status } = response;
  if (status === 204) return { ok: true, status, data: null };
  let data: unknown;
  try {
    data = await response.json();
  } catch {
    if (response.ok) return { ok: false, reason: 'bad_response', status };
  }
  if (response.ok) return { ok: true, status, data };
  const detail =
    typeof data === 'object' && data !== null && 'detail' in data ? data.detail : undefined;
  return {
    ok: false,
    reason: failureReason(status),
    status,
    ...(detail === undefined ? {} : { detail }),
  };
}

function failureReason(status: number): FailureReason {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'not_approved';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'unavailable';
  return status >= 400 ? 'invalid_request' : 'bad_response';
}

/** An address without trailing slashes, so that paths can be appended. */
export function trimUrl(url: string): string {
  // A setting that is not set is the commonest mistake of all, and plain JavaScript has no types to
  // tell.
  if (typeof url !== 'string' || url === '')
    throw new TypeError('baseUrl is missing: give the address of your Sidelight server');
  return url.replace(/\/{1,9}$/, '');
}
