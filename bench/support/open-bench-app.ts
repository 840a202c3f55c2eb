import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, buildApp } from '../../src/app.js';
import { openStore } from '../../src/cli/open-store.js';
import { readConfig } from '../../src/config.js';
import { systemClock } from '../../src/platform/clock.js';
import type { Db } from '../../src/platform/db/db.js';
import { silentLog } from '../../src/platform/log.js';
import { openAdvertiser, openPublisher } from '../../src/surfaces/accounts/open-account.js';
import { insertInventory } from './inventory.js';

export interface BenchApp {
  app: App;
  server: Server;
  db: Db;
  publisher: { id: string; apiKey: string };
  advertiser: { id: string; apiKey: string };
  /** Puts so many ad groups up and waits until they are served. */
  fill(groups: number): Promise<void>;
}

/**
 * The real app over the embedded store in a temporary folder, or DATABASE_URL; by words unless
 * MATCHING says otherwise. Nothing is in it, and the server does not listen yet.
 */
export async function openEmptyApp(): Promise<Pick<BenchApp, 'app' | 'server' | 'db'>> {
  const config = readConfig({
    DATA_DIR: mkdtempSync(join(tmpdir(), 'sidelight-bench-')),
    DEMO: '0',
    MATCHING: 'fast',
    ...process.env,
  });
  const store = await openStore(config);
  let handler: ((...args: Parameters<Parameters<typeof createServer>[1] & object>) => void) | null =
    null;
  const server = createServer((request, response) => handler?.(request, response));
  const app = await buildApp({
    config,
    db: store.db,
    log: silentLog,
    clock: systemClock,
    nodeDir: store.nodeDir,
    serverFor: (next) => ((handler = next), server),
  });
  return { app, server, db: store.db };
}

/** The same with an account of each kind. */
export async function openBenchApp(): Promise<BenchApp> {
  const { app, server, db } = await openEmptyApp();
  const opening = { mintId: app.services.mintId, now: Date.now() };
  const publisher = await db.transaction((tx) =>
    openPublisher({ tx, ...opening }, { name: 'Bench', status: 'approved' }),
  );
  const advertiser = await db.transaction((tx) =>
    openAdvertiser(
      { tx, ...opening },
      { name: 'Bench', email: 'bench@test.example', billingEnabled: true },
    ),
  );
  await app.services.directory.refresh();
  return {
    app,
    server,
    db,
    publisher,
    advertiser,
    async fill(groups) {
      await insertInventory(db, advertiser.id, groups);
      await app.serving.inventory.refresh(null);
      await app.serving.matcher.settled();
      await app.serving.balance();
    },
  };
}
