import { sidelight } from './support/app-contender.js';
import { compareServers, printMeasured } from './support/cpu-compare.js';
import { clickAt } from './support/click-history.js';
import { withEngine } from './support/with-engine.js';

export const summary =
  'conversion batches of 1,000 against bare node:http parsing the same JSON, CPU per event, over growing history';

const bare = new URL('./support/bare-server.js', import.meta.url);

/**
 * Arguments: engine (embedded | server), rounds (5), batches a round (8), events a batch (1000),
 * then sizes of history in clicks (1000 and
 * 100000): ten rounds of a hundred batches are a million events. With the embedded engine the
 * database's own CPU is part of the process.
 */
export async function run([engine = 'embedded', ...args]: readonly string[]): Promise<void> {
  await withEngine(engine === 'embedded' ? 'embedded' : 'server', (store) => measure(args, store));
}

async function measure(args: readonly string[], store: Record<string, string>): Promise<void> {
  const [rounds = 5, batches = 8, events = 1000, ...given] = args.map(Number);
  for (const clicks of given.length === 0 ? [1000, 100_000] : given) {
    let key = '';
    let clicksAt = 0;
    const results = await compareServers(
      [
        {
          name: 'bare node:http JSON',
          module: bare,
          request: (n) => ({
            path: '/',
            method: 'POST',
            body: batch(n, events, clicks, Date.now()),
          }),
        },
        {
          name: `sidelight /gateway/events`,
          ...sidelight,
          env: { ...store, BENCH_GROUPS: '10', BENCH_CLICKS: String(clicks) },
          onSetup: (setup) => {
            key = String(setup['advertiser']);
            clicksAt = Number(setup['clicksAt']);
          },
          request: (n) => ({
            path: '/gateway/events',
            method: 'POST',
            headers: { authorization: `Bearer ${key}` },
            body: batch(n, events, clicks, clicksAt),
          }),
        },
      ],
      { rounds, requests: batches, concurrency: 2, warmUp: 40 },
    );
    printMeasured(
      `Batches of ${events} conversions (${batch(0, events, clicks, Date.now()).length} bytes) with ${clicks} clicks of history`,
      results,
    );
    process.stdout.write(
      `memory after each round: ${(results[1]?.memoryMb ?? []).join(', ')} MiB\n`,
    );
    process.stdout.write(
      `per event: ${results.map((result) => `${result.name} ${(result.cpuMicros / events).toFixed(2)} µs`).join(', ')}\n`,
    );
  }
}

/** Four in ten know their click, three their visitor, two an e-mail, one nothing. */
export function batch(n: number, size: number, clicks: number, clicksAt: number): string {
  const data = Array.from({ length: size }, (_, k) => {
    const seq = n * size + k;
    const { grclid, visitorId } = clickAt((seq * 7919) % clicks, clicks, clicksAt);
    const kind = seq % 10;
    return {
      event_name: kind % 3 === 0 ? 'Lead' : 'Purchase',
      event_time: Math.floor(Date.now() / 1000) - (seq % 3600),
      event_id: `order-${process.pid}-${seq}`,
      action_source: 'website',
      event_source_url: `https://shop.example/thanks?order=${seq}`,
      user_data: {
        click_id: kind < 4 ? grclid : null,
        visitor_id: kind < 7 ? visitorId : null,
        session_id: kind < 7 ? `gr_sess_${seq}` : null,
        client_user_agent:
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
        ...(kind < 9
          ? {
              em: [`person${seq}@mail.example`],
              ph: [`+1 555 ${seq}`],
              fn: 'Ada',
              ln: `Person ${seq}`,
              external_id: [`customer-${seq}`],
            }
          : {}),
      },
      client_context: {
        timezone: 'Europe/Berlin',
        screen: { width: 1920, height: 1080, color_depth: 24 },
        viewport: { width: 1280, height: 900 },
        platform: 'Linux',
        connection: '4g',
      },
      custom_data: {
        value: 19.99,
        currency: 'USD',
        order_id: `o-${seq}`,
        contents: [{ id: `sku-${seq % 100}`, quantity: 1, item_price: 19.99, title: 'Thing' }],
        content_name: 'Thing',
        content_category: 'Things',
      },
    };
  });
  return JSON.stringify({ data });
}
