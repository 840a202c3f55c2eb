'use client';
import type { Ad, Regs } from '@sidelight/sdk/browser';
import { useEffect, useState } from 'react';

/**
 * Where an ad comes from: a route of yours (see `createAdEndpoint` of the SDK), or ads your server
 * requested already.
 */
export interface AdSource {
  /** Your route, for example "/api/sidelight". */
  endpoint?: string;
  messages?: readonly { role: string; content?: unknown; parts?: unknown }[];
  sessionId: string;
  /** What the user chose, from your consent banner; a change asks again. */
  regs?: Regs;
  placement?: string;
  placementId?: string;
  /** The result of `getAds` or `startAds(...).result`, or its ads, instead of an endpoint. */
  ads?:
    | readonly Ad[]
    | { ads: readonly Ad[] }
    | PromiseLike<readonly Ad[] | { ads: readonly Ad[] }>
    | null;
  /** False waits, for example until the question is sent. */
  enabled?: boolean;
  /** An ad later than this is not shown; 4,000 ms unless told. */
  timeoutMs?: number;
}

export type AdState =
  { status: 'idle' | 'loading' | 'empty'; ad: null } | { status: 'ready'; ad: Ad };

/**
 * One ad for a conversation. Never throws: without an ad the status is "empty".
 *
 * @example
 * const { ad } = useAd({ endpoint: '/api/sidelight', messages, sessionId });
 */
export function useAd(source: AdSource): AdState {
  const {
    endpoint,
    messages,
    sessionId,
    regs,
    placement = 'below_response',
    placementId = 'below-response',
    ads,
    enabled = true,
    timeoutMs = 4000,
  } = source;
  const [state, setState] = useState<AdState>({ status: 'idle', ad: null });
  // The conversation is compared by content: a new array with the same messages is the same
  // question.
  const body =
    endpoint === undefined || messages === undefined
      ? null
      : JSON.stringify({
          kind: 'ads',
          messages,
          sessionId,
          placements: [{ placement, placement_id: placementId }],
          regs,
        });

  useEffect(() => {
    if (!enabled || (ads === undefined && body === null)) {
      setState({ status: 'idle', ad: null });
      return undefined;
    }
    const stop = new AbortController();
    let live = true;
    const settle = (given: unknown): void => {
      if (!live) return;
      live = false;
      const ad = firstAd(given);
      setState(ad === null ? { status: 'empty', ad: null } : { status: 'ready', ad });
    };
    setState({ status: 'loading', ad: null });
    const timer = setTimeout(() => settle(null), timeoutMs);
    const coming =
      ads === undefined && endpoint !== undefined
        ? fetchAds(endpoint, body ?? '', stop.signal)
        : Promise.resolve(ads);
    coming.then(settle, () => settle(null));
    return () => {
      live = false;
      clearTimeout(timer);
      stop.abort();
    };
  }, [endpoint, body, ads, enabled, timeoutMs]);
  return state;
}

async function fetchAds(endpoint: string, body: string, signal: AbortSignal): Promise<unknown> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal,
    credentials: 'same-origin',
  });
  return answer.ok ? answer.json() : null;
}

function firstAd(given: unknown): Ad | null {
  const list: unknown =
    typeof given === 'object' && given !== null && 'ads' in given ? given.ads : given;
  const first: unknown = Array.isArray(list) ? list[0] : null;
  const usable =
    typeof first === 'object' && first !== null && 'impUrl' in first && 'clickUrl' in first;
  return usable ? (first as Ad) : null; // the SDK on the server checked the rest
}
