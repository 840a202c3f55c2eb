// The real app on a real port, with inventory for benches.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { sealToken } from '../../src/domain/tracking-token.js';
import { insertClicks } from './click-history.js';
import { reportToBench } from './cpu-compare.js';
import { openBenchApp } from './open-bench-app.js';

const { app, server, db, publisher, advertiser, fill } = await openBenchApp();
await fill(Number(process.env['BENCH_GROUPS'] ?? '1000'));
const clicksAt = await insertClicks(
  db,
  advertiser.id,
  publisher.id,
  Number(process.env['BENCH_CLICKS'] ?? '0'),
  Date.now(),
);
app.start();

/**
 * Tokens of ads as served, minted in one go: the bench measures beacons, not the decisions before
 * them.
 */
function mintTokens(count: number): string[] {
  const now = Date.now();
  const { mintId } = app.services;
  const id = mintId(now);
  return Array.from({ length: count }, () =>
    sealToken(
      {
        serveId: mintId(now),
        advertiserId: advertiser.id,
        campaignId: id,
        adGroupId: null,
        adId: id,
        publisherId: publisher.id,
        placement: 'below_response',
        billingModel: 'cpm',
        priceMicros: 1000,
        node: 1,
        test: false,
        holdsAdGroup: false,
        holdsAdvertiser: false,
      },
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
  process.send?.({
    setup: { publisher: publisher.apiKey, advertiser: advertiser.apiKey, tokens, clicksAt },
  });
  reportToBench(port);
});
