import {
  type OutboundFailure,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from '../../../platform/outbound/guarded-fetch.js';
import { BrokenFeed, type FeedRow } from './feed-row.js';
import type { FeedSource } from './open-feed.js';

// What the thread that reads a feed and the one that started it say to each other. The thread has
// no way out of its own: whatever it wants from the network, it asks for here.

export interface FeedJob {
  source: FeedSource;
  indexUrl: string;
}

export type FromReader =
  | { say: 'fetch'; id: number; url: string; request: Omit<OutboundRequest, 'signal'> }
  | { say: 'open'; id: number; url: string }
  | { say: 'pull'; id: number; stream: number }
  | { say: 'leave'; stream: number }
  | { say: 'rows'; rows: FeedRow[] }
  | { say: 'end' }
  | { say: 'broke'; error: PlainError }
  | { say: 'alive' };

export type ToReader =
  | { say: 'answer'; id: number; value: unknown }
  | { say: 'failed'; id: number; error: PlainError }
  | { say: 'more' }
  | { say: 'still-there' };

/** An answer as it crosses between threads, where buffers become plain bytes. */
export type PlainResponse = Omit<OutboundResponse, 'body'> & { body: Uint8Array };

/** What is kept of an error between threads. */
export interface PlainError {
  kind: 'broken' | 'outbound' | 'other';
  message: string;
  failure?: OutboundFailure;
  code?: string;
}

export function plainError(error: unknown): PlainError {
  if (error instanceof BrokenFeed) return { kind: 'broken', message: error.message };
  if (error instanceof OutboundError)
    return { kind: 'outbound', message: error.message, failure: error.failure };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { kind: 'other', message: error instanceof Error ? error.message : String(error), code };
}

export function errorOf({ kind, message, failure, code }: PlainError): Error {
  if (kind === 'broken') return new BrokenFeed(message);
  if (kind === 'outbound') return new OutboundError(failure ?? 'unreachable', message);
  return Object.assign(new Error(message), code === '' ? {} : { code });
}
