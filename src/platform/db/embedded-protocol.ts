/** What the opener tells the worker when it starts it. */
export interface EmbeddedStart {
  /** Null keeps everything in memory. */
  dir: string | null;
  /** A data directory to begin with, when `dir` is empty or null. */
  tarball?: string;
}

export type EmbeddedRequest =
  /** Whole messages of the PostgreSQL wire protocol. */
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'dump'; compression: 'none' | 'gzip' }
  | { kind: 'close' };

export type EmbeddedReply =
  | { kind: 'ready' }
  | { kind: 'bytes'; bytes: Uint8Array; syncs: number; busyMs: number }
  | { kind: 'dump'; bytes: Uint8Array }
  | { kind: 'closed' }
  /** The engine is unusable; the thread ends right after. */
  | { kind: 'crashed'; reason: string };
