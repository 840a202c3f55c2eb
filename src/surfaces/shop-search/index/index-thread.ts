import { Worker } from 'node:worker_threads';
import type { Facets } from '../../../domain/search/facets.js';
import type { ProductSearch, ProductsFound } from '../../../domain/search/product-search.js';
import type { IndexChange, IndexReply, IndexRequest } from './index-worker.js';

/** What a search found at once; what it counted comes a moment later. */
export interface FoundFirst extends ProductsFound {
  facets: Promise<Facets>;
}

/** The product index in a thread of its own: neither a search nor an import holds up an ad. */
export interface IndexThread {
  /** Resolves when all changes are in. */
  change(changes: IndexChange[]): Promise<void>;
  search(request: ProductSearch): Promise<FoundFirst>;
  /** Makes the first searches as quick as later ones, while nobody asks. */
  practise(): void;
  /** Begins with what an earlier one saved; otherwise empty, with the reason where there is one. */
  load(path: string): Promise<string | null>;
  /** Drops what was loaded and no change has told of since. */
  retain(): Promise<void>;
  /** Changes wait for it, searches do not. */
  save(path: string): Promise<void>;
  /** As of the last change that was confirmed. */
  readonly size: number;
  close(): Promise<void>;
}

export class IndexThreadLost extends Error {
  override readonly name = 'IndexThreadLost';
}

interface Waiting {
  resolve(reply: Answered): void;
  reject(error: unknown): void;
}

/** A reply; to a search, with what follows it. */
type Answered = Exclude<IndexReply, { kind: 'found' }> | { kind: 'found'; found: FoundFirst };

export function startIndexThread(onLost: (error: Error) => void): IndexThread {
  const worker = new Worker(new URL('./index-worker.js', import.meta.url), {
    name: 'product-index',
  });
  const waiting = new Map<number, Waiting>();
  let ended: Error | null = null;

  const end = (error: Error): boolean => {
    if (ended !== null) return false;
    ended = error;
    for (const each of waiting.values()) each.reject(error);
    waiting.clear();
    return true;
  };
  const lose = (cause: unknown): void => {
    const error = new IndexThreadLost('the thread of the product index ended', { cause });
    if (end(error)) onLost(error);
  };
  worker.on('error', lose);
  worker.on('exit', lose);
  worker.on('message', (reply: IndexReply) => {
    const due = waiting.get(reply.id);
    if (reply.kind === 'found') {
      due?.resolve({ kind: 'found', found: { ...reply.found, facets: counted(reply.id) } });
      return;
    }
    waiting.delete(reply.id);
    // Like an idle connection, a thread nobody waits for does not keep the process alive; one that
    // is being ended is waited for.
    if (waiting.size === 0 && ended === null) worker.unref();
    if (reply.kind === 'failed') due?.reject(reply.error);
    else due?.resolve(reply);
  });
  worker.unref();

  const counted = (id: number): Promise<Facets> => {
    const facets = new Promise<Facets>((resolve, reject) => {
      waiting.set(id, {
        resolve: (reply) => void (reply.kind === 'counted' && resolve(reply.facets)),
        reject,
      });
    });
    // Whoever asked may have failed meanwhile.
    facets.catch(() => undefined);
    return facets;
  };

  const ask = (request: IndexRequest): Promise<Answered> => {
    if (ended !== null) return Promise.reject(ended);
    return new Promise((resolve, reject) => {
      if (waiting.size === 0) worker.ref();
      waiting.set(request.id, { resolve, reject });
      worker.postMessage(request);
    });
  };

  return speakingBy(ask, {
    practise: () => void (ended === null && worker.postMessage({ kind: 'practise', id: 0 })),
    async close() {
      end(new IndexThreadLost('the product index is closed'));
      await worker.terminate();
    },
  });
}

function speakingBy(
  ask: (request: IndexRequest) => Promise<Answered>,
  others: Pick<IndexThread, 'practise' | 'close'>,
): IndexThread {
  let asked = 0;
  let size = 0;
  return {
    get size() {
      return size;
    },
    async change(changes) {
      if (changes.length === 0) return;
      const reply = await ask({ kind: 'change', id: ++asked, changes });
      if (reply.kind === 'changed') size = reply.products;
    },
    async search(request) {
      const reply = await ask({ kind: 'search', id: ++asked, request });
      if (reply.kind !== 'found')
        throw new Error(`the product index answered a search with "${reply.kind}"`);
      return reply.found;
    },
    async load(path) {
      const reply = await ask({ kind: 'load', id: ++asked, path });
      if (reply.kind !== 'loaded') return null;
      size = reply.products;
      return reply.reason;
    },
    async retain() {
      const reply = await ask({ kind: 'retain', id: ++asked });
      if (reply.kind === 'changed') size = reply.products;
    },
    async save(path) {
      await ask({ kind: 'save', id: ++asked, path });
    },
    ...others,
  };
}
