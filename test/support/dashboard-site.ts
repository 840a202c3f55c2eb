import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Outbound } from '../../src/platform/outbound/guarded-fetch.js';
import {
  addPerson,
  openAdvertiser,
  type OpenedAccount,
  openPublisher,
} from '../../src/surfaces/accounts/open-account.js';
import { buildTestApp, type TestApp } from './test-app.js';
import { testEngines } from './test-database.js';

/** A person's browser: the headless one names itself a robot, and robots are not counted. */
export const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export type Role = 'advertiser' | 'publisher' | 'operator';

/** The whole app on a port, its clock running, with one demo account and one login of each role. */
export interface DashboardSite {
  app: TestApp;
  base: string;
  advertiser: OpenedAccount;
  publisher: OpenedAccount;
  logins: Record<Role, { email: string; password: string }>;
  /** A browser window where that role is signed in. */
  signedIn(
    browser: Browser,
    role: Role,
    options?: { width?: number; dark?: boolean; german?: boolean },
  ): Promise<BrowserContext>;
  close(): Promise<void>;
}

export async function startDashboardSite({
  environment = {},
  outbound,
}: { environment?: Record<string, string>; outbound?: Outbound } = {}): Promise<DashboardSite> {
  const engine = testEngines()[0];
  if (engine === undefined) throw new Error('no test engine');
  const app = await buildTestApp(await engine.open(), {
    environment: { REVIEW: 'manual', ...environment },
    ...(outbound === undefined ? {} : { outbound }),
  });
  const ticking = setInterval(() => (app.clock.now = Date.now()), 20);
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  // A TCP server that listens has an address object.
  const base = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  app.services.urls.listeningOn(base);
  const opening = { mintId: app.services.mintId, now: app.clock.now };
  const password = randomBytes(9).toString('base64url');
  const login = (role: Role) => ({ email: `${role}@test.example`, password });
  const { advertiser, publisher } = await app.db.transaction(async (tx) => {
    const accounts = {
      advertiser: await openAdvertiser(
        { tx, ...opening },
        { name: 'Camp & Co', email: 'camp@test.example', billingEnabled: true, isDemo: true },
      ),
      publisher: await openPublisher(
        { tx, ...opening },
        {
          name: 'Trail Assistant',
          url: 'https://assistant.test.example',
          status: 'approved',
          isDemo: true,
        },
      ),
    };
    await addPerson(
      { tx, ...opening },
      { ...login('advertiser'), role: 'advertiser', accountId: accounts.advertiser.id },
    );
    await addPerson(
      { tx, ...opening },
      { ...login('publisher'), role: 'publisher', accountId: accounts.publisher.id },
    );
    await addPerson(
      { tx, ...opening },
      { ...login('operator'), role: 'operator', accountId: null },
    );
    return accounts;
  });
  await app.services.directory.refresh();
  app.start();
  return {
    app,
    base,
    advertiser,
    publisher,
    logins: {
      advertiser: login('advertiser'),
      publisher: login('publisher'),
      operator: login('operator'),
    },
    async signedIn(browser, role, { width = 1280, dark = false, german = false } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme: dark ? 'dark' : 'light',
        userAgent,
        locale: german ? 'de-DE' : 'en-US',
        timezoneId: 'UTC',
      });
      const answer = await context.request.post(`${base}/session`, { data: login(role) });
      if (!answer.ok()) throw new Error(`signing in as ${role} answered ${answer.status()}`);
      return context;
    },
    async close() {
      clearInterval(ticking);
      await app.close();
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds serious or critical, as readable lines. Evaluated from outside, so the page's own
 * policy stays in force.
 */
export async function seriousFindings(page: Page): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe);
  // A button that fades from one colour to the next has neither.
  await page.evaluate(
    `Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished.catch(() => undefined)))`,
  );
  // The page returns plain strings.
  return (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations.filter((one) => one.impact === 'serious' || one.impact === 'critical').flatMap((one) => one.nodes.map((node) => one.id + ': ' + node.target.join(' ') + ' ' + (node.any[0]?.message ?? node.failureSummary))))`,
  )) as string[];
}
