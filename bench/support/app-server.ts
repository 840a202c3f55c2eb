// The real app on a real port, over the embedded store in a temporary folder or SIDELIGHT_BENCH_DATABASE_URL, with inventory for benches.
import { mkdtempSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../src/app.js';
import { openStore } from '../../src/cli/open-store.js';
import { readConfig } from '../../src/config.js';
import { sealToken } from '../../src/domain/tracking-token.js';
import { systemClock } from '../../src/platform/clock.js';
import { silentLog } from '../../src/platform/log.js';
import { openAdvertiser, openPublisher } from '../../src/surfaces/accounts/open-account.js';
import { insertClicks } from './click-history.js';
import { insertInventory } from './inventory.js';
import { reportToBench } from './cpu-compare.js';

const config = readConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), 'sidelight-bench-')), DEMO: '0', MATCHING: 'fast', ...process.env });
const store = await openStore(config);
let handler: ((...args: Parameters<Parameters<typeof createServer>[1] & object>) => void) | null = null;
const server = createServer((request, response) => handler?.(request, response));
const app = await buildApp({ config, db: store.db, log: silentLog, clock: systemClock, nodeDir: store.nodeDir, serverFor: (next) => ((handler = next), server) });
const opening = { mintId: app.services.mintId, now: Date.now() };
const publisher = await store.db.transaction((tx) => openPublisher({ tx, ...opening }, { name: 'Bench', status: 'approved' }));
const advertiser = await store.db.transaction((tx) => openAdvertiser({ tx, ...opening }, { name: 'Bench', email: 'bench@test.example', billingEnabled: true }));
await insertInventory(store.db, advertiser.id, Number(process.env['BENCH_GROUPS'] ?? '1000'));
const clicksAt = await insertClicks(store.db, advertiser.id, publisher.id, Number(process.env['BENCH_CLICKS'] ?? '0'), Date.now());
await app.services.directory.refresh();
await app.serving.inventory.refresh(null);
await app.serving.matcher.settled();
await app.serving.balance();
app.start();
/** Tokens of ads as served, minted in one go: the bench measures beacons, not the decisions before them. */
function mintTokens(count: number): string[] {
  const now = Date.now();
  const id = opening.mintId(now);
  return Array.from({ length: count }, () =>
    sealToken(
      { serveId: opening.mintId(now), advertiserId: advertiser.id, campaignId: id, adGroupId: null, adId: id, publisherId: publisher.id, placement: 'below_response', billingModel: 'cpm', priceMicros: 1000, node: 1, test: false, holdsAdGroup: false, holdsAdvertiser: false },
      app.services.trackingKeys.current(),
      randomBytes(12),
    ),
  );
}
const tokens = mintTokens(Number(process.env['BENCH_TOKENS'] ?? '0'));
server.listen(0, '127.0.0.1', () => {
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;
  app.services.urls.listeningOn(`http://127.0.0.1:${port}`);
  process.send?.({ setup: { publisher: publisher.apiKey, advertiser: advertiser.apiKey, tokens, clicksAt } });
  reportToBench(port);
});
