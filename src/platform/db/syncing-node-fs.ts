import { fsyncSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface SyncableStream {
  nfd: number;
}

/** The part of the engine's module we reach into; the engine does not type it. */
interface EngineModule {
  FS: { ErrnoError: new (code: number) => Error };
  NODEFS: { stream_ops: { fsync?: (stream: SyncableStream) => number } };
}

const EIO = 29;

/**
 * The engine's file system for Node never syncs: a commit would live in the page cache only. This
 * one gives it a real
 * fsync, and counts, so that the opener can refuse an engine on which the hook does not take.
 */
export class SyncingNodeFS extends NodeFS {
  syncs = 0;

  override async init(
    pg: PGlite,
    options: Parameters<NodeFS['init']>[1],
  ): ReturnType<NodeFS['init']> {
    const base = await super.init(pg, options);
    const hook = (module: unknown): void => {
      // Shape checked by the probe after start: when it is different, no sync is counted and the
      // engine is refused.
      const { FS, NODEFS } = module as EngineModule;
      NODEFS.stream_ops.fsync = (stream) => {
        try {
          fsyncSync(stream.nfd);
        } catch {
          // The engine understands its own errno errors only; on this one it panics, as PostgreSQL
          // must.
          throw new FS.ErrnoError(EIO);
        }
        this.syncs += 1;
        return 0;
      };
    };
    return {
      ...base,
      emscriptenOpts: {
        ...base.emscriptenOpts,
        preRun: [...(base.emscriptenOpts.preRun ?? []), hook],
      },
    };
  }
}
