// The real app on a real port, with inventory for benches.
import type { AddressInfo } from 'node:net';
import type { TrackingToken } from '../../src/domain/tracking-token.js';
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
// A server compiles what it needs in its first half minute; what is measured is all that follows.
app.http.compileNow();

/**
 * Tokens of ads as served, recorded and minted in one go: the bench measures beacons, not the
 * decisions before them.
 */
async function mintTokens(count: number): Promise<string[]> {
  const now = Date.now();
  const { mintId, eventLog, pseudonyms } = app.services;
  const id = mintId(now);
  const tokens = Array.from({ length: count }, (): TrackingToken => ({
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
  }));
  for (let at = 0; at < count; at += 1000)
    await eventLog.append(
      tokens.slice(at, at + 1000).map(({ serveId, ...token }, n) => ({
        id: serveId,
        kind: 'win',
        at: now,
        publisherId: token.publisherId,
        advertiserId: token.advertiserId,
        campaignId: token.campaignId,
        adId: token.adId,
        placement: token.placement,
        device: 'desktop',
        country: 'DE',
        userId: pseudonyms.user(publisher.id, `u${(at + n) % 5000}`),
      })),
    );
  await eventLog.drain();
  return tokens.map((token) => app.services.trackingTokens.seal(token));
}
process.on('message', (message: { prepare?: number }) => {
  if (message.prepare === undefined) return;
  void mintTokens(message.prepare).then((tokens) => process.send?.({ setup: { tokens } }));
});
server.listen(0, '127.0.0.1', () => {
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;
  app.services.urls.listeningOn(`http://127.0.0.1:${port}`);
  process.send?.({
    setup: { publisher: publisher.apiKey, advertiser: advertiser.apiKey, clicksAt },
  });
  reportToBench(port, app.services.eventLog.drain);
});
