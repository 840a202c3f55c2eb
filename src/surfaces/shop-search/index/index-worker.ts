// Entry of the thread that holds the product index: changes are worked in a little at a time,
// searches are answered in between.
import { parentPort } from 'node:worker_threads';
import type { ProductDocument } from '../../../domain/search/product-document.js';
import { createProductIndex } from '../../../domain/search/product-index.js';
import type { ProductSearch, ProductSearchResult } from '../../../domain/search/product-search.js';

export type IndexChange = { upsert: ProductDocument } | { remove: string };
export type IndexRequest =
  | { kind: 'change'; id: number; changes: IndexChange[] }
  | { kind: 'search'; id: number; request: ProductSearch };
export type IndexReply =
  | { kind: 'changed'; id: number; products: number }
  | { kind: 'found'; id: number; result: ProductSearchResult }
  | { kind: 'failed'; id: number; error: unknown };

/** A search waits no longer than this for the changes before it. */
const turnMs = 2;

if (parentPort !== null) {
  const port = parentPort;
  const index = createProductIndex();
  const waiting: { id: number; changes: IndexChange[]; done: number }[] = [];
  const answer = (reply: IndexReply): void => port.postMessage(reply);

  const workOff = (): void => {
    const [batch] = waiting;
    if (batch === undefined) return;
    const started = performance.now();
    try {
      for (; batch.done < batch.changes.length; batch.done++) {
        if (performance.now() - started > turnMs) break;
        const change = batch.changes[batch.done] as IndexChange; // below length
        if ('upsert' in change) index.upsert(change.upsert);
        else index.remove(change.remove);
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

  port.on('message', (message: IndexRequest) => {
    const { id } = message;
    if (message.kind === 'change') {
      waiting.push({ id, changes: message.changes, done: 0 });
      if (waiting.length === 1) setImmediate(workOff);
      return;
    }
    try {
      answer({ kind: 'found', id, result: index.search(message.request) });
    } catch (error) {
      answer({ kind: 'failed', id, error });
    }
  });
}
