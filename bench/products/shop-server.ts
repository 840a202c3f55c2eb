// The real app over a large made-up shop, for the product-search bench: BENCH_PRODUCTS listings in
// the database, indexed as at any start.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openPublisher } from '../../src/surfaces/accounts/open-account.js';
import { openMerchant } from '../../src/surfaces/catalog-import/queries.js';
import { writeBatch } from '../../src/surfaces/catalog-import/write-batch.js';
import { openEmptyApp } from '../support/open-bench-app.js';
import { itemOf } from './listing-item.js';
import { makeProducts } from './make-products.js';

const count = Number(process.env['BENCH_PRODUCTS'] ?? '100000');
const { app, server, db } = await openEmptyApp();
const { mintId } = app.services;
const publisher = await db.transaction((tx) =>
  openPublisher({ tx, mintId, now: Date.now() }, { name: 'Bench', status: 'approved' }),
);
const merchantId = await openMerchant(db, {
  id: mintId(Date.now()),
  slug: 'bench',
  name: 'Bench',
  storeUrl: '',
  platform: 'feed',
  commissionBps: 0,
  isDemo: false,
  createdAt: new Date(),
});

async function write(seed: number, most: number, at = Date.now()): Promise<void> {
  let batch: ReturnType<typeof itemOf>[] = [];
  const flush = async (): Promise<void> => {
    const items = batch;
    batch = [];
    await db.transaction((tx) =>
      writeBatch(
        tx,
        { merchantId, merchantSlug: 'bench', feedId: null },
        { id: mintId(Date.now()), at },
        items,
      ),
    );
  };
  for (const product of makeProducts(most, seed, count > 200_000 ? 40 : undefined)) {
    batch.push(itemOf(product));
    if (batch.length === 200) await flush();
  }
  if (batch.length > 0) await flush();
}

const tell = (message: object): void => void process.send?.(message);
const started = performance.now();
// An hour old: what was written just before a start is read twice by it.
await write(1, count, Date.now() - 3_600_000);
tell({ written: (performance.now() - started) / 1000 });
await app.services.directory.refresh();
const delay = monitorEventLoopDelay({ resolution: 5 });
/**
 * On a busy machine waiting is mostly for others: the CPU time this thread used between two ticks
 * tells what it was held up by itself.
 */
function ownCpuMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    // No such file beyond Linux: of all threads, then.
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
let ownMax = 0;
let ticked = ownCpuMs();
setInterval(() => {
  const now = ownCpuMs();
  ownMax = Math.max(ownMax, now - ticked);
  ticked = now;
}, 5).unref();
const summary = () => ({
  p50: delay.percentile(50) / 1e6,
  p99: delay.percentile(99) / 1e6,
  max: delay.max / 1e6,
  own: ownMax,
});
const reset = (): void => {
  delay.reset();
  ownMax = 0;
};
const progress = () => app.catalog.progress();

if (typeof globalThis.gc === 'function') globalThis.gc();
const before = process.memoryUsage();
delay.enable();
const building = performance.now();
const cpu = process.cpuUsage();
app.start();
app.catalog.start();
while (!progress().ready) await new Promise((resolve) => setTimeout(resolve, 50));
const used = process.cpuUsage(cpu);
if (typeof globalThis.gc === 'function') globalThis.gc();
const after = process.memoryUsage();
tell({
  built: {
    seconds: (performance.now() - building) / 1000,
    cpuSeconds: (used.user + used.system) / 1e6,
    products: progress().indexed,
    bytes: after.rss - before.rss,
    rss: after.rss,
    delay: summary(),
  },
});

process.on('message', (message: { change?: number; cpu?: true }) => {
  if (message.cpu === true) tell({ cpu: process.cpuUsage(), own: ownCpuMs(), delay: summary() });
  if (message.cpu === true) reset();
  if (message.change !== undefined)
    void write(Math.floor(Math.random() * 1e9), message.change).then(() => tell({ changed: true }));
});
server.listen(0, '127.0.0.1', () => {
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;
  app.services.urls.listeningOn(`http://127.0.0.1:${port}`);
  reset();
  tell({ port, key: publisher.apiKey });
});
