import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { browserMissing, launchBrowser } from '../support/browser.js';

type Posted = {
  path: string;
  body: Record<string, unknown>;
  headers: Record<string, string | string[] | undefined>;
};
type Sent = {
  event_type: string;
  event_id: string;
  url: string;
  timestamp: number;
  click_id?: string;
  properties?: Record<string, unknown>;
};
type Capi = {
  user_data: Record<string, string | null>;
  event_source_url: string;
  client_context: Record<string, unknown> | null;
};

const script = readFileSync(new URL('../../web/pixel/pixel.js', import.meta.url));
const STUB =
  'window.gravity=window.gravity||function(){(gravity.q=gravity.q||[]).push(arguments)};';

/**
 * One server is the tracking host, another the advertiser's site, so that every request crosses
 * origins.
 */
class Recorder {
  posted: Posted[] = [];
  /**
   * Each test has its own pixel id: what an earlier test's closing page still sends is not this
   * test's.
   */
  pixel = 'px_0';
  failNext = 0;
  #waiting: (() => void)[] = [];
  readonly server: Server = createServer((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method === 'GET') {
      response.setHeader('Content-Type', 'text/javascript');
      response.end(script);
      return;
    }
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const body = JSON.parse(text) as Posted['body']; // the pixel sends objects
      const mine = body['pixel_id'] === this.pixel;
      if (mine && this.failNext > 0) {
        this.failNext -= 1;
        response.writeHead(503).end();
        return;
      }
      if (mine) this.posted.push({ path: request.url ?? '', body, headers: request.headers });
      const session = request.url === '/track/gr-session';
      response.writeHead(session ? 200 : 202, { 'Content-Type': 'application/json' });
      response.end(session ? '{"session_id":"gr_sess_from_server"}' : '{}');
      for (const wake of this.#waiting.splice(0)) wake();
    });
  });

  events(): Sent[] {
    return this.posted
      .filter((post) => post.path === '/track/gr-events')
      .flatMap((post) => post.body['events'] as Sent[]); // the contract of that path
  }

  async until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  event(type: string, nth = 0): Promise<Sent> {
    return this.until(() => this.events().filter((event) => event.event_type === type)[nth]);
  }
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  ); // a TCP server has a port
}

const missing = browserMissing();

describe('the pixel in a browser', { skip: missing ?? false, timeout: 1_200_000 }, () => {
  const track = new Recorder();
  let host = '';
  let site = '';
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let policy: string | null = null;
  let head = '';
  let count = 0;

  const pages = createServer((_request, response) => {
    if (policy !== null) response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Shop</title>${head}<a id="out" href="https://elsewhere.invalid/x?secret=1">out</a><a id="in" href="/inside">in</a>
      <form id="contact" action="/thanks"><input name="id" value="private"><button>Send</button></form>`);
  });
  const tag = (attributes = '') => `<script src="${host}/pixel.js" ${attributes}></script>`;
  const capi = () =>
    page.evaluate(() =>
      (
        window as unknown as { gravityPixel: { getCAPIData(): unknown } }
      ).gravityPixel.getCAPIData(),
    ) as Promise<Capi>; // the page runs the pixel
  const stored = () =>
    page.evaluate(() => ({ cookie: document.cookie, kept: Object.keys(localStorage) }));
  const leave = () => page.goto('about:blank');
  const call = (...command: unknown[]) =>
    page.evaluate(
      (given) => (window as unknown as { gravity(...a: unknown[]): void }).gravity(...given),
      command,
    ); // as above

  before(async () => {
    browser = await launchBrowser();
    host = await listen(track.server);
    site = (await listen(pages)).replace('127.0.0.1', 'localhost');
  });
  after(async () => {
    await browser?.close();
    track.server.close();
    track.server.closeAllConnections();
    pages.close();
    pages.closeAllConnections();
  });
  beforeEach(async () => {
    await context?.close();
    context = await browser.newContext();
    page = await context.newPage();
    track.posted = [];
    track.pixel = `px_${++count}`;
    track.failNext = 0;
    policy = null;
    head = `<script>${STUB}gravity('init','${track.pixel}')</script>${tag('async')}`;
  });

  test('a landing with a click id is reported and remembered for thirty days on later pages', async () => {
    await page.goto(`${site}/landing?grclid=click-1&utm_source=x`);
    const view = await track.event('page_view');
    assert.equal(view.click_id, 'click-1');
    assert.match(view.url, /\/landing\?grclid=click-1/);
    const batch = await track.until(() =>
      track.posted.find((post) => post.path === '/track/gr-events'),
    );
    assert.equal(batch.body['pixel_id'], track.pixel);
    assert.match(String(batch.body['visitor_id']), /^gr_vis_/);
    assert.match(String(batch.body['session_id']), /^gr_sess_/);
    assert.match(String(batch.headers['content-type']), /^text\/plain/);
    const cookie = (await context.cookies()).find((one) => one.name === 'gr_click');
    assert.ok(
      cookie !== undefined && Math.abs(cookie.expires - Date.now() / 1000 - 30 * 86_400) < 3_600,
    );

    await page.goto(`${site}/checkout`);
    const { user_data: user, event_source_url: url, client_context: client } = await capi();
    assert.deepEqual(Object.keys(user), [
      'click_id',
      'visitor_id',
      'session_id',
      'client_user_agent',
    ]);
    assert.equal(user['click_id'], 'click-1');
    assert.equal(user['visitor_id'], batch.body['visitor_id']);
    assert.equal(user['session_id'], 'gr_sess_from_server');
    assert.equal(user['client_user_agent'], await page.evaluate(() => navigator.userAgent));
    assert.equal(url, `${site}/checkout`);
    assert.deepEqual(Object.keys(client ?? {}), [
      'timezone',
      'screen',
      'viewport',
      'platform',
      'connection',
    ]);
    const session = await page.evaluate(() =>
      (
        window as unknown as { gravityPixel: { getSessionId(): string } }
      ).gravityPixel.getSessionId(),
    );
    assert.equal(session, 'gr_sess_from_server');
    assert.equal(track.posted.filter((post) => post.path === '/track/gr-session').length, 1);
  });

  test('without an ad click every attribution field is null and the context is there', async () => {
    await page.goto(`${site}/`);
    await track.event('page_view');
    const data = await capi();
    assert.deepEqual(data.user_data, {
      click_id: null,
      visitor_id: null,
      session_id: null,
      client_user_agent: null,
    });
    assert.ok(data.client_context !== null && typeof data.client_context['timezone'] === 'string');
  });

  test('commands queued before the script loads run once, even when the script is there twice', async () => {
    head = `<script>${STUB}gravity('init','${track.pixel}');gravity('track','Purchase',{value:12.5,currency:'EUR',event_id:'order-7'})</script>${tag()}${tag()}`;
    await page.goto(`${site}/`);
    const purchase = await track.event('Purchase');
    assert.equal(purchase.event_id, 'order-7');
    assert.deepEqual(purchase.properties, { value: 12.5, currency: 'EUR' });
    await leave();
    assert.equal(track.events().length, 2);
    assert.equal(
      track.posted.filter((post) => post.path === '/track/gr-events').length,
      1,
      'both events travel in one batch',
    );
  });

  test('a submitted form and an outbound link are reported without what was typed', async () => {
    await page.goto(`${site}/`);
    await track.event('page_view');
    await page.evaluate(() =>
      document.addEventListener(
        'click',
        (event) => (event.target as Element).tagName === 'A' && event.preventDefault(),
      ),
    ); // clicks land on elements
    await page.click('#out');
    await page.click('#in');
    await page.click('button');
    await page.waitForURL('**/thanks*');
    await track.event('form_submit');
    const [click, ...more] = track.events().filter((event) => event.event_type === 'click');
    assert.deepEqual(click?.properties, { href: 'https://elsewhere.invalid/x' });
    assert.equal(more.length, 0);
    assert.deepEqual(
      track.events().find((event) => event.event_type === 'form_submit')?.properties,
      { form_id: 'contact', form_name: null },
    );
    assert.ok(!JSON.stringify(track.posted).includes('"private"'));
  });

  test('single-page navigation counts each visit once and ignores tidying of the query', async () => {
    await page.goto(`${site}/a?grclid=c`);
    await track.event('page_view');
    await page.evaluate(() => {
      history.replaceState(null, '', '/a');
      history.pushState(null, '', '/b');
      history.pushState(null, '', '/b');
    });
    assert.match((await track.event('page_view', 1)).url, /\/b$/);
    await page.evaluate(() => history.go(-2));
    assert.match((await track.event('page_view', 2)).url, /\/a$/);
    await page.evaluate(() =>
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
    );
    await track.event('page_view', 3);
    await leave();
    assert.equal(track.events().length, 4);
  });

  test('an event tracked just before leaving the page still arrives', async () => {
    await page.goto(`${site}/`);
    await page.evaluate(() => {
      // the page runs the pixel
      (window as unknown as { gravity(...a: unknown[]): void }).gravity('track', 'Lead');
      location.href = 'about:blank';
    });
    assert.equal((await track.event('Lead')).event_type, 'Lead');
    await page.waitForURL('about:blank');
  });

  test('a batch the host could not take is sent again', async () => {
    await page.goto(`${site}/`);
    await track.event('page_view');
    track.failNext = 1;
    await call('track', 'Contact', { event_id: 'again' });
    assert.equal((await track.event('Contact')).event_id, 'again');
  });

  test('blocked storage leaves everything working within the page', async () => {
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('blocked', 'SecurityError');
      };
      Object.defineProperty(window, 'localStorage', { get: refuse });
      Object.defineProperty(Document.prototype, 'cookie', { get: refuse, set: refuse });
    });
    const errors: unknown[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(`${site}/?grclid=c9`);
    assert.equal((await track.event('page_view')).click_id, 'c9');
    assert.equal((await capi()).user_data['click_id'], 'c9');
    assert.deepEqual(errors, []);
  });

  for (const [name, signal] of [
    ['Global Privacy Control', 'globalPrivacyControl'],
    ['Do Not Track', 'doNotTrack'],
  ] as const) {
    test(`${name} means nothing is stored or sent`, async () => {
      await page.addInitScript(
        (property) =>
          Object.defineProperty(navigator, property, {
            get: () => (property === 'doNotTrack' ? '1' : true),
          }),
        signal,
      );
      await page.goto(`${site}/?grclid=c`);
      await page.waitForFunction(() => 'gravityPixel' in window);
      await call('track', 'Purchase');
      assert.deepEqual((await capi()).user_data, {
        click_id: null,
        visitor_id: null,
        session_id: null,
        client_user_agent: null,
      });
      assert.equal((await capi()).client_context, null);
      assert.deepEqual(await stored(), { cookie: '', kept: [] });
      await leave();
      assert.deepEqual(track.posted, []);
    });
  }

  test('pending consent holds events and stores nothing; granting releases both', async () => {
    head = `<script>${STUB}gravity('init','${track.pixel}');gravity('track','Lead');gravity('consent','pending')</script>${tag()}`;
    await page.goto(`${site}/?grclid=c5`);
    assert.deepEqual(await stored(), { cookie: '', kept: [] });
    assert.deepEqual(track.posted, []);
    await call('consent', 'granted');
    assert.equal((await track.event('Lead')).click_id, 'c5');
    assert.equal((await capi()).user_data['click_id'], 'c5');
  });

  test('refused consent drops what was held and erases what was kept', async () => {
    await page.goto(`${site}/?grclid=c6`);
    await track.event('page_view');
    await call('consent', 'denied');
    await call('track', 'Purchase');
    assert.deepEqual(await stored(), { cookie: '', kept: [] });
    await leave();
    assert.equal(track.events().length, 1);
  });

  test('opting out tells the host once and keeps every later page silent', async () => {
    await page.goto(`${site}/?grclid=c7`);
    await track.event('page_view');
    await call('optOut');
    const told = await track.until(() =>
      track.posted.find((post) => post.path === '/privacy/opt-out'),
    );
    assert.match(String(told.body['visitor_id']), /^gr_vis_/);
    await page.goto(`${site}/?grclid=c8`);
    await page.waitForFunction(() => 'gravityPixel' in window);
    assert.equal((await capi()).user_data['click_id'], null);
    await leave();
    assert.equal(track.events().length, 1);
  });

  test('a strict content security policy needs only the host, and no inline script', async () => {
    policy = `default-src 'none'; script-src ${host}; connect-src ${host}`;
    head = tag(`data-pixel-id="${track.pixel}"`);
    const complaints: string[] = [];
    page.on(
      'console',
      (message) =>
        /Content Security Policy/.test(message.text()) && complaints.push(message.text()),
    );
    await page.goto(`${site}/`);
    const batch = await track.until(() =>
      track.posted.find((post) => post.path === '/track/gr-events'),
    );
    assert.equal(batch.body['pixel_id'], track.pixel);
    assert.deepEqual(complaints, []);
  });

  test('addresses of people in the page address are removed before sending', async () => {
    await page.goto(`${site}/?email=ada%40example.com&plan=pro`);
    const view = await track.event('page_view');
    assert.ok(!view.url.includes('ada') && view.url.includes('plan=pro'), view.url);
  });
});
