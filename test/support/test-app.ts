import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, type AppOptions, buildApp, type Prepared, prepareApp } from '../../src/app.js';
import { type Config, readConfig } from '../../src/config.js';
import type { Database } from '../../src/platform/db/db.js';
import { afterJournal } from '../../src/platform/events/after-journal.js';
import { within } from '../../src/platform/events/within.js';
import { type Log, silentLog } from '../../src/platform/log.js';
import type { Outbound } from '../../src/platform/outbound/guarded-fetch.js';
import {
  openAdvertiser,
  type OpenedAccount,
  openPublisher,
} from '../../src/surfaces/accounts/open-account.js';

/** How long a test waits for the journal: a busy machine is slow, a database away never comes. */
const patienceMs = 60_000;

let prepared: Prepared | undefined;

/** The index of tools, made once for all apps of a test file: without a model nothing changes it. */
function shared(): Prepared {
  return (prepared ??= prepareApp());
}

export interface TestApp extends App {
  /** Waits for the journal before it reads, as `http.inject` does before it asks. */
  db: Database;
  /** Moves time for everything that reads the clock. */
  clock: { now: number };
  config: Config;
  newAdvertiser(options?: { billingEnabled?: boolean; timeZone?: string }): Promise<OpenedAccount>;
  newPublisher(options?: { status?: 'pending' | 'approved' }): Promise<OpenedAccount>;
}

/**
 * The whole app over a test database, with a clock that stands still and no way out of the machine.
 */
export async function buildTestApp(
  db: Database,
  options: {
    environment?: Record<string, string>;
    now?: number;
    outbound?: Outbound;
    serverFor?: AppOptions['serverFor'];
    disk?: NonNullable<AppOptions['disk']>;
    log?: Log;
  } = {},
): Promise<TestApp> {
  const nodeDir = mkdtempSync(join(tmpdir(), 'sidelight-test-'));
  const config = readConfig({
    DATA_DIR: nodeDir,
    DEMO: '0',
    MATCHING: 'fast',
    REVIEW: 'auto',
    // A crowded machine is slow, and no reason to turn a test away.
    QUEUE_MS: '0',
    READING_MS: '120000',
    IMPORT_WAIT_MS: '60000',
    ...options.environment,
  });
  const clock = { now: options.now ?? Date.now() };
  const refuse: Outbound = () => Promise.reject(new Error('tests do not leave the machine'));
  const app = await buildApp({
    ...(config.MATCHING === 'fast' ? { prepared: shared() } : {}),
    config,
    db,
    log: options.log ?? silentLog,
    clock: () => clock.now,
    nodeDir,
    outbound: options.outbound ?? refuse,
    ...(options.serverFor === undefined ? {} : { serverFor: options.serverFor }),
    ...(options.disk === undefined ? {} : { disk: options.disk }),
  });
  let count = 0;
  const open = <T>(
    work: (opening: {
      tx: Parameters<Parameters<Database['transaction']>[0]>[0];
      mintId: App['services']['mintId'];
      now: number;
    }) => Promise<T>,
  ): Promise<T> =>
    db.transaction((tx) => work({ tx, mintId: app.services.mintId, now: clock.now }));
  return {
    ...app,
    services: afterEvents(app),
    db: afterJournal(db, app.services.eventLog, patienceMs),
    clock,
    config,
    async newAdvertiser(account = {}) {
      count += 1;
      const opened = await open((opening) =>
        openAdvertiser(opening, {
          name: `Advertiser ${count}`,
          email: `advertiser${count}@test.example`,
          billingEnabled: account.billingEnabled ?? true,
          timeZone: account.timeZone ?? 'UTC',
        }),
      );
      await app.services.directory.refresh();
      return opened;
    },
    async newPublisher(account = {}) {
      count += 1;
      const opened = await open((opening) =>
        openPublisher(opening, {
          name: `Publisher ${count}`,
          url: 'https://publisher.test.example',
          status: account.status ?? 'approved',
        }),
      );
      await app.services.directory.refresh();
      return opened;
    },
    async close() {
      await app.close();
      await db.close();
      rmSync(nodeDir, { recursive: true, force: true });
    },
  };
}

/**
 * Reports follow the journal within a second. Tests look at once, so what they send or append is in
 * the database when they go on, and so is what anybody else sent before they ask.
 */
function afterEvents({ http, services }: App): App['services'] {
  const { eventLog } = services;
  const applied = (): Promise<boolean> => within(eventLog.drain(), patienceMs);
  const inject = http.inject.bind(http) as (request: unknown) => Promise<unknown>;
  Object.assign(http, {
    async inject(request: unknown) {
      await applied();
      const answer = await inject(request);
      await applied();
      return answer;
    },
  });
  return {
    ...services,
    eventLog: {
      ...eventLog,
      async append(events, options) {
        const outcome = await eventLog.append(events, options);
        await applied();
        return outcome;
      },
    },
  };
}
