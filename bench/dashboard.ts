// How soon a page of the dashboards can be used, in real Chromium, with an empty cache.
import { loadavg } from 'node:os';
import type { Browser, BrowserContext } from 'playwright-core';
import { insertLiveCampaign } from '../test/support/live-campaign.js';
import { launchBrowser } from '../test/support/browser.js';
import {
  type DashboardSite,
  type Role,
  startDashboardSite,
} from '../test/support/dashboard-site.js';

export const summary =
  'pages of the dashboards in Chromium: script sent, time until they can be used, CPU time; `large` for 10,000 ad groups';

const pages: readonly { path: string; role: Role | null }[] = [
  { path: '/', role: null },
  { path: '/app/playground', role: null },
  { path: '/app/advertiser', role: 'advertiser' },
  { path: '/app/advertiser/campaigns', role: 'advertiser' },
  { path: '/app/advertiser/campaigns/new', role: 'advertiser' },
  { path: '/app/advertiser/ad-groups', role: 'advertiser' },
  { path: '/app/advertiser/ad-groups?of=ads', role: 'advertiser' },
  { path: '/app/advertiser/reports', role: 'advertiser' },
  { path: '/app/publisher', role: 'publisher' },
  { path: '/app/publisher/audience', role: 'publisher' },
  { path: '/app/publisher/earnings', role: 'publisher' },
  { path: '/app/operator', role: 'operator' },
  { path: '/app/operator/overview', role: 'operator' },
  { path: '/app/operator/health', role: 'operator' },
];

interface Visit {
  /**
   * Milliseconds from the start of the navigation until the page has its data and the main thread
   * is free.
   */
  usable: number;
  /** Of them, until there is something to read. */
  painted: number;
  /** CPU time of the page's main thread until then. */
  cpu: number;
  scriptBytes: number;
}

/**
 * `npm run bench -- dashboard [runs] [large]`: the middle of the runs, and the slowest. `large` is an
 * account of 1,000 campaigns with 10,000 ad groups and as many ads.
 */
export async function run(args: string[]): Promise<void> {
  const runs = Math.max(1, Number(args[0] ?? 5));
  const [site, browser] = await Promise.all([startDashboardSite(), launchBrowser()]);
  try {
    for (let n = 0; n < 50; n += 1)
      await insertLiveCampaign(site.app, site.advertiser.id, { context: `camping tents ${n}` });
    if (args.includes('large')) await grow(site);
    process.stdout.write(
      `load of the machine ${loadavg()
        .map((value) => value.toFixed(1))
        .join(' ')}; ${runs} visits with an empty cache each\n\n`,
    );
    process.stdout.write(
      `${'page'.padEnd(30)}${'script gz'.padStart(11)}${'painted'.padStart(10)}${'usable'.padStart(10)}${'slowest'.padStart(10)}${'CPU'.padStart(9)}\n`,
    );
    let worst = 0;
    for (const { path, role } of pages) {
      const visits: Visit[] = [];
      for (let n = 0; n < runs; n += 1) visits.push(await visit(site, browser, role, path));
      const slowest = Math.max(...visits.map((one) => one.usable));
      worst = Math.max(worst, middle(visits, 'usable'));
      const column = (value: number, width: number): string =>
        `${Math.round(value)} ms`.padStart(width);
      process.stdout.write(
        `${path.padEnd(30)}${`${(middle(visits, 'scriptBytes') / 1024).toFixed(1)} KB`.padStart(11)}${column(middle(visits, 'painted'), 10)}${column(middle(visits, 'usable'), 10)}${column(slowest, 10)}${column(middle(visits, 'cpu'), 9)}\n`,
      );
    }
    process.stdout.write(
      `\nslowest page at the middle of its runs: ${Math.round(worst)} ms (the goal is under 1000)\n`,
    );
  } finally {
    await browser.close();
    await site.close();
  }
}

/** Copies of one campaign, its group and its ad. Nobody is told: only pages are measured. */
async function grow({ app, advertiser }: DashboardSite): Promise<void> {
  const copy = (table: string, count: number, changes: string): Promise<unknown> =>
    app.db.query(
      `insert into ${table}
       select (jsonb_populate_record(null::${table}, to_jsonb(first) || jsonb_build_object(${changes}))).*
       from (select * from ${table} where advertiser_id = $1 order by id limit 1) first
       cross join generate_series(1, ${count}) n`,
      [advertiser.id],
    );
  const some = (table: string): string =>
    `(array(select id from ${table} where advertiser_id = $1 order by id))[1 + n % 1000]`;
  await copy('campaigns', 950, `'id', gen_random_uuid(), 'name', 'Campaign ' || n`);
  await copy(
    'ad_groups',
    9950,
    `'id', gen_random_uuid(), 'name', 'Group ' || n, 'campaign_id', ${some('campaigns')}`,
  );
  await copy('ads', 9950, `'id', gen_random_uuid(), 'headline', 'Headline ' || n`);
  await app.db.script('analyze');
}

function middle(visits: readonly Visit[], field: keyof Visit): number {
  const sorted = visits.map((one) => one[field]).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/**
 * Notes in the page when it has its heading and nothing loads any more, and the last task that kept
 * the thread busy before.
 */
const watch = `(() => {
  window.benchTimes = { shown: 0, busyUntil: 0 };
  new PerformanceObserver((list) => { for (const task of list.getEntries()) if (window.benchTimes.shown === 0 || task.startTime < window.benchTimes.shown) window.benchTimes.busyUntil = task.startTime + task.duration; }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (document.querySelector('h1') !== null && document.querySelector('.loading') === null) window.benchTimes.shown = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

async function visit(
  site: DashboardSite,
  browser: Browser,
  role: Role | null,
  path: string,
): Promise<Visit> {
  const context: BrowserContext =
    role === null
      ? await browser.newContext({ viewport: { width: 1280, height: 800 } })
      : await site.signedIn(browser, role);
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.addInitScript(watch);
  await page.goto(`${site.base}${path}`);
  while ((await page.evaluate('window.benchTimes.shown')) === 0) await page.waitForTimeout(20);
  const { metrics } = await protocol.send('Performance.getMetrics');
  await page.waitForTimeout(100);
  // What the page returns is built in the lines above and here.
  const seen =
    (await page.evaluate(`({ ...window.benchTimes, painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    scriptBytes: performance.getEntriesByType('resource').filter((one) => one.name.endsWith('.js')).reduce((sum, one) => sum + one.encodedBodySize, 0) })`)) as {
      shown: number;
      busyUntil: number;
      painted: number;
      scriptBytes: number;
    };
  await context.close();
  return {
    usable: Math.max(seen.shown, seen.busyUntil),
    painted: seen.painted,
    cpu: (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000,
    scriptBytes: seen.scriptBytes,
  };
}
