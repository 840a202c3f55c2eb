// Entry of the thread that holds the product index: changes are worked in a little at a time,
// searches are answered in between.
import { parentPort } from 'node:worker_threads';
import type { ProductDocument } from '../../../domain/search/product-document.js';
import { createProductIndex } from '../../../domain/search/product-index.js';
import type { Facets } from '../../../domain/search/facets.js';
import type { ProductSearch, ProductsFound } from '../../../domain/search/product-search.js';
import { loadIndex, saveIndex } from './index-file.js';

export type IndexChange = { upsert: ProductDocument } | { remove: string };
export type IndexRequest =
  | { kind: 'change'; id: number; changes: IndexChange[] }
  /** In place of an empty index, before anything else. */
  | { kind: 'load'; id: number; path: string }
  /** Everything there is was told since: what was not is gone. */
  | { kind: 'retain'; id: number }
  | { kind: 'save'; id: number; path: string }
  | { kind: 'search'; id: number; request: ProductSearch }
  /** Searches for itself, so that the first one of others finds the code compiled. */
  | { kind: 'practise'; id: number };
export type IndexReply =
  | { kind: 'changed'; id: number; products: number }
  | { kind: 'loaded'; id: number; products: number; reason: string | null }
  | { kind: 'saved'; id: number }
  /** What it counted follows: whoever asked has much to do before that is needed. */
  | { kind: 'found'; id: number; found: ProductsFound }
  | { kind: 'counted'; id: number; facets: Facets }
  | { kind: 'failed'; id: number; error: unknown };

/** A search waits no longer than this for the changes before it. */
const turnMs = 2;
/** After so many, a search takes no longer than the thousandth. */
const practiceSearches = 150;

if (parentPort !== null) {
  const port = parentPort;
  let index = createProductIndex();
  /** Of an index that was loaded: whom the rows told of since; null when all of it is from rows. */
  let told: Set<string> | null = null;
  let isSaving = false;
  let practising: ProductSearch[] | null = null;
  const waiting: { id: number; changes: IndexChange[]; done: number }[] = [];
  const answer = (reply: IndexReply): void => port.postMessage(reply);

  const take = (change: IndexChange): void => {
    if ('upsert' in change) index.upsert(change.upsert);
    else index.remove(change.remove);
    told?.add('upsert' in change ? change.upsert.product_id : change.remove);
  };

  const workOff = (): void => {
    const [batch] = waiting;
    if (batch === undefined || isSaving) return;
    const started = performance.now();
    try {
      for (; batch.done < batch.changes.length; batch.done++) {
        if (performance.now() - started > turnMs) break;
        take(batch.changes[batch.done] as IndexChange); // below length
      }
    } catch (error) {
      answer({ kind: 'failed', id: batch.id, error });
      batch.changes = [];
      waiting.shift();
    }
    if (batch.done >= batch.changes.length && waiting[0] === batch) {
      waiting.shift();
      answer({ kind: 'changed', id: batch.id, products: index.size });
    }
    if (waiting.length > 0) setImmediate(workOff);
  };

  const load = async (path: string): Promise<string | null> => {
    const loaded = await loadIndex(path);
    if ('reason' in loaded) return loaded.reason;
    ({ index } = loaded);
    told = new Set();
    return null;
  };

  const save = async (path: string): Promise<void> => {
    isSaving = true;
    try {
      await saveIndex(index, path, () => new Promise((resolve) => setImmediate(resolve)));
    } finally {
      isSaving = false;
      if (waiting.length > 0) setImmediate(workOff);
    }
  };

  /** One at a time: whoever asks waits for one at the most. */
  const practise = (): void => {
    const request = practising?.pop();
    if (request === undefined) return void (practising = null);
    index.search(request);
    setImmediate(practise);
  };

  /** As changes, so that searches get their turns. */
  const retain = (id: number): void => {
    const gone = told === null ? [] : index.productIds().filter((each) => told?.has(each) !== true);
    told = null;
    waiting.push({ id, changes: gone.map((each) => ({ remove: each })), done: 0 });
    if (waiting.length === 1) setImmediate(workOff);
  };

  const serve = async (message: IndexRequest): Promise<void> => {
    const { id } = message;
    switch (message.kind) {
      case 'change':
        waiting.push({ id, changes: message.changes, done: 0 });
        if (waiting.length === 1) setImmediate(workOff);
        return;
      case 'load': {
        const reason = await load(message.path);
        return answer({ kind: 'loaded', id, products: index.size, reason });
      }
      case 'retain':
        return retain(id);
      case 'save':
        await save(message.path);
        return answer({ kind: 'saved', id });
      case 'search': {
        const { found, countFacets } = index.find(message.request);
        answer({ kind: 'found', id, found });
        return answer({ kind: 'counted', id, facets: countFacets() });
      }
      case 'practise':
        practising ??= index.likelySearches(practiceSearches);
        setImmediate(practise);
        return;
    }
  };

  port.on('message', (message: IndexRequest) => {
    serve(message).catch((error: unknown) => answer({ kind: 'failed', id: message.id, error }));
  });
}
