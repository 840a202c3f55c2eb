import { callService, trimUrl, type Call, type CallOptions, type Outcome } from './call-service.js';

export interface ReportingOptions {
  /** An advertiser or publisher key, as the client asks. */
  /** Undefined, as an unset variable is, answers every call with `unauthorized`. */
  apiKey: string | undefined;
  /** The platform host. */
  baseUrl: string;
  /** Longest wait, retries included; 30,000 ms unless told. */
  timeoutMs?: number;
  /** Further attempts for reads; writes are never repeated. 2 unless told. */
  retries?: number;
  fetch?: typeof fetch;
}

export interface CallParts {
  path?: Record<string, string>;
  query?: object;
  body?: unknown;
}

export type Caller = <T>(
  method: Call['method'],
  path: string,
  parts: CallParts,
  options?: CallOptions,
) => Promise<Outcome<T>>;

/** What the generated clients share. */
export function createCaller(options: ReportingOptions): Caller {
  return async <T>(
    method: Call['method'],
    path: string,
    parts: CallParts,
    given: CallOptions = {},
  ): Promise<Outcome<T>> => {
    const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      encodeURIComponent(parts.path?.[name] ?? ''),
    );
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parts.query ?? {}))
      if (value !== undefined && value !== null) query.set(name, String(value));
    const text = query.toString();
    const outcome = await callService({
      url: `${trimUrl(options.baseUrl)}${filled}${text === '' ? '' : `?${text}`}`,
      method,
      headers: { 'x-api-key': options.apiKey ?? '' },
      body: parts.body,
      timeoutMs: given.timeoutMs ?? options.timeoutMs ?? 30_000,
      retries: method === 'GET' ? (given.retries ?? options.retries ?? 2) : 0,
      signal: given.signal,
      fetch: options.fetch,
    });
    // the generated client names what the service documents for this path
    return outcome as Outcome<T>;
  };
}
