import cluster from 'node:cluster';
import { createServer, type RequestListener, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.js';
import type { Config } from '../config.js';
import { sharedClock } from '../platform/clock.js';
import { collectWhenQuiet } from '../platform/collect-garbage.js';
import { createStartingGate, type StartingGate } from '../platform/http/starting-gate.js';
import { createLog, type Log } from '../platform/log.js';
import type { Metrics } from '../platform/metrics.js';
import type { Telemetry } from '../platform/telemetry/start-telemetry.js';
import { serverVersion } from '../platform/version.js';
import type { Command } from './command.js';
import { openDoor } from './door.js';
import { storeMark } from './find-server.js';
import { endWhenTold, leave } from './leave.js';
import { addressOf, listen } from './listen.js';
import type { Store } from './open-store.js';
import { openWhenPossible } from './open-when-possible.js';
import type { prepareStore } from './first-start.js';
import { listenAtPort } from './port-taken.js';
import { openShop } from './serve-store.js';
import { type Seat, type SelfView, takeSeat } from './worker-seat.js';

export const serveCommand: Command = {
  help: 'Usage: sidelight serve\n\nListens on HOST:PORT, opens or creates the store, adds demo data to an empty one, and serves until it is told to stop (SIGINT or SIGTERM; a second signal forces).',
  async run({ config, print }) {
    if (config.WORKERS > 1 && cluster.isPrimary) {
      const { runWorkers } = await import('./run-workers.js');
      return runWorkers(config, print);
    }
    const signalsAreHeard = endWhenTold();
    const seat = await takeSeat();
    const log = createLog(config.LOG_LEVEL);
    const gate = createStartingGate();
    if (seat.address === null) await listenAtPort(gate.server, config);
    const address = seat.address ?? addressOf(gate.server, config.HOST);
    const started = performance.now();
    let store: Store | null = null;
    let handler: RequestListener | null = null;
    try {
      // The store opens on a thread of its own; once that runs, the app's modules are read
      // meanwhile.
      const { opening, elsewhere } = beginOpening(config, gate, seat);
      await elsewhere;
      const loading = loadApp();
      store = await opening;
      const { buildApp, prepareStore, prepared } = await loading;
      const app = await buildApp({
        prepared,
        config,
        db: store.db,
        log,
        clock: sharedClock(store.db.contact),
        nodeDir: store.nodeDir,
        crew: seat,
        ...(seat.adminSecret === undefined ? {} : { adminSecret: seat.adminSecret }),
        serverFor: (answer) => (gate.hold((handler = answer)), gate.server),
      });
      const { services } = app;
      services.urls.listeningOn(address);
      const prepare = (): Welcome => prepareStore(app, config, address, print);
      const beside = await openBeside({ app, config, seat, log, address, handler, prepare });
      const door = await openCommandDoor(app, store, config, address);
      letIn(gate, app);
      // Whoever reads that we are ready may stop us at once.
      const stopping = seat.stopping(log);
      signalsAreHeard();
      await seat.serves(gate.server, selfOf(app));
      if (beside.welcome !== null)
        print(banner(address, beside.welcome, performance.now() - started));
      const signal = await stopping;
      log.info({}, 'stopping');
      services.adminToken.withdraw(store.nodeDir);
      services.lifecycle.isStopping = true;
      await leave({ config, log, gate, signal, seat }, async () => {
        beside.closeDoors();
        door.close();
        await app.close();
        await beside.endTelemetry();
        await store?.close();
      });
      seat.leave();
      return 0;
    } catch (error) {
      await giveUp(gate.server, store);
      throw error;
    }
  },
};

function selfOf({ readiness, services }: App): SelfView {
  return {
    canServe: async () => (await readiness()).ready,
    measure: () => services.metrics.text(),
  };
}

function letIn(gate: Pick<ReturnType<typeof createStartingGate>, 'open'>, app: App): void {
  gate.open();
  app.start();
  collectWhenQuiet();
}

/** Whatever stopped us, the data folder is left in order. */
async function giveUp(server: Server, store: Store | null): Promise<void> {
  server.close();
  server.closeAllConnections();
  await store?.close().catch(() => undefined);
}

/** The app's modules, and what of them needs no store. */
function loadApp() {
  const code = Promise.all([import('../app.js'), import('./first-start.js')]);
  const loading = code.then(async ([{ prepareApp, buildApp }, { prepareStore }]) => ({
    buildApp,
    prepareStore,
    prepared: prepareApp(),
  }));
  // Should the store fail first, its reason is the one to tell.
  loading.catch(() => undefined);
  return loading;
}

interface Beside {
  app: App;
  config: Config;
  seat: Seat;
  log: Log;
  address: string;
  handler: RequestListener | null;
  prepare: () => Welcome;
}

type Welcome = ReturnType<typeof prepareStore>;

/** What runs beside the server itself: measurements, the demo and its shop. */
async function openBeside({ app, config, seat, log, address, handler, prepare }: Beside) {
  const { services } = app;
  const metricsServer = await listenMetrics(config, seat.number, services.metrics);
  const telemetry = await beginTelemetry(config, services);
  const welcome = seat.isFirst ? await prepare() : null;
  const shop = welcome?.demo == null ? null : await openShop(handler, config, address, log);
  if (shop !== null) services.urls.storeListeningOn(addressOf(shop, config.HOST));
  const shopUrl = shop === null ? null : services.urls.store;
  return {
    welcome: welcome === null ? null : { ...welcome, shop: shopUrl },
    closeDoors() {
      metricsServer?.close();
      shop?.close();
      shop?.closeAllConnections();
    },
    endTelemetry: async () => telemetry?.close(),
  };
}

/** Where the command line finds this server. */
async function openCommandDoor(
  { services }: App,
  store: Store,
  config: Config,
  address: string,
): Promise<Awaited<ReturnType<typeof openDoor>>> {
  const door = await openDoor({
    ...services,
    store: {
      ...store,
      async settle(print) {
        const { settleOthers } = await import('./apply-journal.js');
        await Promise.all([services.eventLog.drain(), settleOthers(store, config, print)]);
      },
    },
    refresh: () => services.directory.refresh(),
  });
  services.adminToken.publish(store.nodeDir, {
    address,
    door: door.address,
    store: storeMark(config),
  });
  return door;
}

function beginOpening(
  config: Config,
  gate: Pick<StartingGate, 'waitFor'>,
  seat: Pick<Seat, 'waitsFor'>,
): { opening: Promise<Store>; elsewhere: Promise<unknown> } {
  let onElsewhere = (): void => undefined;
  const running = new Promise<void>((resolve) => {
    onElsewhere = resolve;
  });
  const onWait = (reason: string | null): void => {
    gate.waitFor(reason);
    seat.waitsFor(reason);
  };
  const opening = openWhenPossible(config, { onWait, onElsewhere });
  return { opening, elsewhere: Promise.race([running, opening]) };
}

async function beginTelemetry(
  config: Config,
  { metrics, node }: { metrics: Metrics; node: { id: string } },
): Promise<Telemetry | null> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === '') return null;
  const { startTelemetry } = await import('../platform/telemetry/start-telemetry.js');
  return startTelemetry({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    service: config.OTEL_SERVICE_NAME,
    version: serverVersion,
    node: node.id,
    metrics,
    tracesPercent: config.TRACES_PERCENT,
    metricsEveryMs: config.OTEL_METRIC_EXPORT_INTERVAL,
  });
}

/** Workers have a port each, one after the other: what they measure is theirs. */
async function listenMetrics(
  config: Config,
  seat: number,
  metrics: Metrics,
): Promise<Server | null> {
  if (config.METRICS_PORT === 0) return null;
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    metrics.text().then(
      (text) =>
        response
          .writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
          .end(text),
      () => response.writeHead(500).end(),
    );
  });
  const place = { port: config.METRICS_PORT + seat, host: config.HOST, exclusive: true };
  for (let tries = 0; ; tries += 1)
    try {
      await listen(server, place);
      return server;
    } catch (error) {
      // Workers end with the process that began them, but not before what they are doing.
      if (seat === 0 && config.WORKERS === 1) throw error;
      if (
        tries >= 20 ||
        !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      )
        throw error;
      await sleep(250);
    }
}

function banner(
  address: string,
  { demo, invitation, shop }: Awaited<Welcome> & { shop: string | null },
  ms: number,
): string {
  const lines = [
    '',
    `Sidelight is ready at ${address}  (${(ms / 1000).toFixed(1)} s)`,
    `  docs     ${address}/docs`,
    `  health   ${address}/health`,
    ...(shop === null ? [] : [`  shop     ${shop}`]),
  ];
  if (invitation !== null)
    lines.push(
      '',
      'Nobody runs this yet. Become its operator, once, within a day:',
      `  ${invitation}`,
    );
  if (demo !== null) {
    lines.push(
      '',
      'Demo logins:',
      ...demo.logins.map((login) => `  ${login.role.padEnd(10)} ${login.email}  ${login.password}`),
    );
    lines.push(
      '',
      'Ask for an ad:',
      `  curl -s ${address}/api/v1/ad -H "Authorization: Bearer ${demo.publisher.api_key}" -H "Content-Type: application/json" \\`,
      `    -d '{"sessionId":"s1","placements":[{"placement":"below_response","placement_id":"main"}],"messages":[{"role":"user","content":"My flight got cancelled and I am stuck at the airport"}]}'`,
    );
  }
  return `${lines.join('\n')}\n`;
}
