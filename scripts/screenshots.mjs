// `node scripts/screenshots.mjs FOLDER [WORD…]`: every page of the demo as each role sees it, on a phone and
// on a desk, light and dark, as one picture a page, to be looked at. Needs a server that runs with the
// demo in DATA_DIR (data). Words narrow it: a role (open, advertiser, publisher, operator), a width
// (390, 1440), a theme (light, dark), a language (en, de), or part of an address (/reports).
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

const [folder, ...words] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node scripts/screenshots.mjs FOLDER [WORD…]\n');
  process.exit(2);
}
const only = (choices, usual = choices) => {
  const named = choices.filter((choice) => words.includes(String(choice)));
  return named.length > 0 ? named : usual;
};
const parts = words.filter((word) => word.startsWith('/'));

await ensureInstalled('full');
await ensureBuilt();
const { launchBrowser } = await import('../build/test/support/browser.js');
const demo = JSON.parse(readFileSync(join(process.env['DATA_DIR'] ?? 'data', 'demo.json'), 'utf8'));
/** What no menu leads to. */
const beside = {
  open: [
    '/',
    '/app/sign-in',
    '/app/sign-up',
    '/app/forgot',
    '/app/playground',
    '/docs',
    '/docs/api',
  ],
  advertiser: ['/app/advertiser/campaigns/new', '/app/advertiser/ad-groups?of=ads'],
  publisher: ['/app/publisher/reports?by=country'],
  operator: ['/app/operator/reports?by=day'],
};

const browser = await launchBrowser();
mkdirSync(folder, { recursive: true });
for (const role of only(['open', 'advertiser', 'publisher', 'operator']))
  for (const width of only([390, 1440]))
    for (const theme of only(['light', 'dark']))
      for (const language of only(['en', 'de'], ['en'])) await look(role, width, theme, language);
await browser.close();

async function look(role, width, theme, language) {
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 844 : 900 },
    colorScheme: theme,
    locale: language === 'de' ? 'de-DE' : 'en-US',
    reducedMotion: 'reduce',
  });
  const login = demo.logins.find((one) => one.role === role);
  if (login !== undefined)
    await context.request.post(`${demo.base_url}/session`, {
      data: { email: login.email, password: login.password },
    });
  const page = await context.newPage();
  for (const path of await pagesOf(page, role)) {
    if (parts.length > 0 && !parts.some((part) => path.includes(part))) continue;
    await page.goto(`${demo.base_url}${path}`);
    await settle(page);
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    if (wide > width) process.stdout.write(`${path} is ${wide} wide on a screen of ${width}\n`);
    const name = path.replace(/^\/(app\/)?/, '').replace(/[^a-z0-9]+/gi, '-') || 'start';
    await page.screenshot({
      path: join(folder, `${role}-${width}-${theme}-${language}-${name}.png`),
      fullPage: true,
    });
  }
  await context.close();
}

/** Everything the menu leads to, the first campaign and experiment, and what stands beside. */
async function pagesOf(page, role) {
  if (role === 'open') return beside.open;
  await page.goto(`${demo.base_url}/app/${role}`);
  await settle(page);
  const linksIn = (where) =>
    page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(where)})].map((one) => one.getAttribute('href'))`,
    );
  const pages = [...(await linksIn('#menu a')), ...beside[role]];
  if (role === 'advertiser')
    for (const list of ['campaigns', 'experiments']) {
      await page.goto(`${demo.base_url}/app/advertiser/${list}`);
      await settle(page);
      const [first] = await linksIn(`main td a[href^="/app/advertiser/${list}/"]`);
      if (first !== undefined) pages.push(first);
    }
  return [...new Set(pages)];
}

async function settle(page) {
  await page.locator('h1, .empty-title').first().waitFor();
  // The pages' own policy forbids what would wait for this inside them.
  while ((await page.locator('.loading').count()) > 0) await page.waitForTimeout(20);
  await page.waitForTimeout(150);
}
