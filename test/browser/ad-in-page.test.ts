import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { isLabelSeen, type LabelProof } from '../../src/domain/disclosure/label-proof.js';
import { readDisclosure } from '../../src/platform/catalog-folder/read-disclosure.js';
import { browserMissing, launchBrowser } from '../support/browser.js';

type Call = { method: string; path: string; body: string; cookie: string | undefined };

const root = fileURLToPath(new URL('../../../', import.meta.url));
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * What a publisher's page would bundle: the browser entry and the React package, both as they are
 * published.
 */
const PAGE_SCRIPT = `
import * as browser from '@sidelight/sdk/browser';
import * as components from '@sidelight/react';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
Object.assign(window, { browser, components, createElement, StrictMode, createRoot, calls: [] });
`;

function listen(server: Server): Promise<string> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  ); // a TCP server has a port
}

describe('an ad in a page', { skip: browserMissing() ?? false, timeout: 1_200_000 }, () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let site = '';
  let tracking = '';
  let bundle = '';
  let calls: Call[] = [];
  let failImpressions = 0;
  let waiting: (() => void)[] = [];

  const host = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      if (request.url?.startsWith('/ack') === true && failImpressions > 0) {
        failImpressions -= 1;
        request.socket.destroy();
        return;
      }
      calls.push({
        method: request.method ?? '',
        path: request.url ?? '',
        body,
        cookie: request.headers.cookie,
      });
      response.setHeader('Access-Control-Allow-Origin', '*');
      if (request.url?.startsWith('/track/click') === true)
        response.writeHead(302, { location: `${site}/landing` });
      response.end();
      for (const wake of waiting.splice(0)) wake();
    });
  });
  const publisher = createServer((request, response) => {
    if (request.url === '/app.js')
      return response.setHeader('Content-Type', 'text/javascript').end(bundle);
    if (request.url === '/styles.css')
      return response
        .setHeader('Content-Type', 'text/css')
        .end(readFileSync(`${root}packages/react/src/styles.css`));
    if (request.method === 'POST') {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      return request.on('end', () => {
        calls.push({ method: 'POST', path: request.url ?? '', body, cookie: undefined });
        response
          .setHeader('Content-Type', 'application/json')
          .end(
            JSON.parse(body).kind === 'ads'
              ? JSON.stringify({ ads: [ad()], reason: 'filled' })
              : '{}',
          );
        for (const wake of waiting.splice(0)) wake();
      });
    }
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ${tracking}; img-src 'self'`,
    );
    response.setHeader('Content-Type', 'text/html');
    return response.end(
      '<!doctype html><html lang="en"><title>Chat</title><link rel="stylesheet" href="/styles.css"><main><h1>Chat</h1><div id="slot"></div><p id="after">More</p></main><script src="/app.js"></script></html>',
    );
  });

  const ad = (more: object = {}) => ({
    adText: 'Light, dry and quick to pitch. '.repeat(8),
    title: '<img src=x onerror=alert(1)> Tents',
    cta: 'See tents',
    brandName: 'Camp & Co',
    url: 'https://camp.test/',
    image: 'https://camp.test/none.png',
    impUrl: `${tracking}/ack?p=tok%2Ben`,
    clickUrl: `${tracking}/track/click?p=tok`,
    campaignId: 'c1',
    placement: 'below_response',
    placement_id: 'below',
    ...more,
  });
  const called = async (path: string, nth = 0): Promise<Call> => {
    for (;;) {
      const found = calls.filter((call) => call.path.startsWith(path))[nth];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  /** Runs in the page, where the bundle has put both packages. */
  const inPage = (code: string, given: unknown = null) =>
    page.evaluate(`(async (given) => { ${code} })(${JSON.stringify(given)})`);

  before(async () => {
    const built = await build({
      stdin: { contents: PAGE_SCRIPT, resolveDir: root, loader: 'js' },
      bundle: true,
      write: false,
      format: 'iife',
      minify: true,
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'error',
    });
    bundle = built.outputFiles[0]?.text ?? '';
    browser = await launchBrowser();
    tracking = (await listen(host)).replace('127.0.0.1', 'localhost');
    site = await listen(publisher);
  });
  after(async () => {
    await browser?.close();
    for (const server of [host, publisher]) {
      server.close();
      server.closeAllConnections();
    }
  });
  beforeEach(async () => {
    await context?.close();
    context = await browser.newContext({ viewport: { width: 700, height: 500 } });
    page = await context.newPage();
    calls = [];
    waiting = [];
    failImpressions = 0;
    await context.addCookies([{ name: 'private', value: '1', url: tracking }]);
    await page.goto(site);
  });

  const render = (given: object, options = '') =>
    inPage(
      `window.shown = browser.renderAd(document.querySelector('#slot'), given, { sessionId: 's1', onImpression: () => calls.push('impression'), onClick: () => calls.push('click') ${options} });`,
      given,
    );

  test('the impression waits for half the ad to be in view, is sent once and without cookies', async () => {
    await inPage(
      `document.querySelector('#slot').before(Object.assign(document.createElement('div'), { id: 'space' })); document.querySelector('#space').style.height = '1000px';`,
    );
    await render(ad());
    await inPage(`await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));`);
    assert.equal(calls.length, 0);
    await inPage(`document.querySelector('#slot').scrollIntoView({ block: 'center' });`);
    assert.equal((await called('/ack')).path, '/ack?p=tok%2Ben');
    const viewable = JSON.parse((await called('/track/viewable')).body);
    assert.equal(viewable.p, 'tok+en');
    assert.ok(viewable.ms >= 1000);
    assert.ok(
      calls.every((call) => call.path.startsWith('/ack') === false || call.cookie === undefined),
    );
    await inPage(
      `scrollTo(0, 0); await new Promise((done) => setTimeout(done, 50)); document.querySelector('#slot').scrollIntoView({ block: 'center' }); await new Promise((done) => setTimeout(done, 50)); shown.destroy();`,
    );
    assert.ok(JSON.parse((await called('/track/viewable', 1)).body).ms > viewable.ms);
    assert.equal(calls.filter((call) => call.path.startsWith('/ack')).length, 1);
    assert.deepEqual(await inPage('return calls;'), ['impression']);
  });

  test('an impression that met a broken connection is sent again', async () => {
    failImpressions = 2;
    await render(ad());
    await called('/ack');
  });

  test('everything in the ad is text, labelled, in links that name their relation, under a strict policy', async () => {
    const complaints: string[] = [];
    page.on(
      'console',
      (message) =>
        /Content Security Policy/.test(message.text()) &&
        !/none\.png/.test(message.text()) &&
        complaints.push(message.text()),
    );
    await render(ad());
    const slot = page.locator('#slot aside');
    assert.match((await slot.textContent()) ?? '', /<img src=x onerror=alert\(1\)> Tents/);
    assert.equal(await slot.getByText('Sponsored', { exact: true }).isVisible(), true);
    assert.equal(await page.locator('#slot a').first().getAttribute('rel'), 'sponsored noopener');
    assert.equal(await slot.evaluate((element) => getComputedStyle(element).borderTopWidth), '1px');
    assert.equal(await page.locator('#slot [style]').count(), 0);
    assert.deepEqual(complaints, []);
  });

  const disclosure = {
    label: 'Anzeige',
    advertiser: 'Camp & Co',
    paid_by: 'Camp Holding',
    why: 'Wird gezeigt, weil es passt.',
    presentation: 'separate',
  };
  /** The last proof sent while the page is as `code` made it. */
  async function proofWith(code: string, options = ''): Promise<Record<string, number | string>> {
    await render(ad({ disclosure }), options);
    await inPage(code);
    return JSON.parse((await called('/track/viewable')).body).label;
  }
  /** Of one ad among several. */
  async function proofOf(token: string): Promise<Record<string, number | string>> {
    for (let nth = 0; ; nth += 1) {
      const { p, label } = JSON.parse((await called('/track/viewable', nth)).body);
      if (p === token) return label;
    }
  }
  const isReadable = (proof: Record<string, number | string>): boolean =>
    isLabelSeen(proof as unknown as LabelProof, readDisclosure()); // as the server reads it

  test('the label is in the person’s language, and its proof says that it could be read', async () => {
    const proof = await proofWith('');
    assert.equal(proof['text'], 'Anzeige');
    assert.equal(isReadable(proof), true, JSON.stringify(proof));
    assert.match(
      (await page.locator('#slot [data-sidelight-label]').getAttribute('title')) ?? '',
      /Wird gezeigt, weil es passt\. Camp Holding/,
    );
  });

  test('no option takes the label away', async () => {
    const proof = await proofWith(
      '',
      `, labels: { sponsored: ' ' }, styles: '.label,[data-sidelight-label]{display:none!important;opacity:0;font-size:1px}'`,
    );
    assert.equal(isReadable(proof), true, JSON.stringify(proof));
    await inPage(
      `document.querySelector('#slot').replaceChildren(); createRoot(document.querySelector('#slot')).render(createElement(components.Ad, { ad: given, labels: { sponsored: '' }, unstyled: true }));
      const sheet = new CSSStyleSheet(); sheet.replaceSync('[data-sl=label]{display:none!important;opacity:0!important}'); document.adoptedStyleSheets = [sheet];`,
      ad({ disclosure, impUrl: `${tracking}/ack?p=react` }),
    );
    const seen = JSON.parse((await called('/track/viewable', 1)).body);
    assert.equal(seen.p, 'react');
    assert.equal(isReadable(seen.label), true, JSON.stringify(seen));
  });

  /** Ways to show an ad without its label; `slot` holds one ad, `label` is what says so. */
  const hidings: Readonly<Record<string, string>> = {
    covered: `cover('');`,
    'covered by what the pointer goes through': `cover('pointer-events:none');`,
    transparent: `slot.style.opacity = '0.05';`,
    'the colour of the page': `slot.style.color = '#fefefe';`,
    tiny: `slot.style.cssText = 'transform:scale(0.2);transform-origin:0 0';`,
    'cut away': `slot.style.cssText = 'clip-path:inset(45px 0 0 0)';`,
    'not displayed': `label.style.setProperty('display', 'none', 'important');`,
    invisible: `label.style.setProperty('visibility', 'hidden', 'important');`,
    'in a tiny font': `label.style.setProperty('font-size', '2px', 'important');`,
    'out of the window': `label.style.setProperty('position', 'fixed', 'important'); label.style.left = '-9999px';`,
    'painted in no colour': `label.style.webkitTextFillColor = 'transparent';`,
    emptied: `label.textContent = '';`,
    'called something else': `label.textContent = 'Our tip';`,
    'filtered away': `slot.style.filter = 'opacity(0.01)';`,
    blurred: `slot.style.filter = 'blur(9px)';`,
    masked: `slot.style.maskImage = 'linear-gradient(transparent, transparent)';`,
  };
  test('a label nobody can read is no disclosed impression, however it was hidden', async () => {
    const ways = Object.keys(hidings);
    await page.setViewportSize({ width: 900, height: 200 * (ways.length + 2) });
    const hide = Object.values(hidings)
      .map((code) => `(slot, label, cover) => { ${code} }`)
      .join(',');
    await inPage(
      `const hidings = [() => undefined, ${hide}];
      for (const [n, ad] of given.entries()) {
        const slot = document.querySelector('#slot').appendChild(document.createElement('div'));
        slot.style.cssText = 'position:relative;height:180px;overflow:hidden';
        const inner = slot.appendChild(document.createElement('div'));
        const label = browser.renderAd(inner, ad).element.shadowRoot.querySelector('[data-sidelight-label]');
        const cover = (style) => {
          const lid = slot.appendChild(document.createElement('div'));
          lid.style.cssText = 'position:absolute;inset:0 0 auto 0;height:60px;background:#fff;' + style;
        };
        hidings[n](inner, label, cover);
      }`,
      ['plain', ...ways].map((_, n) => ad({ disclosure, impUrl: `${tracking}/ack?p=way${n}` })),
    );
    for (const [n, how] of ['plain', ...ways].entries()) {
      const proof = await proofOf(`way${n}`);
      assert.equal(isReadable(proof), how === 'plain', `${how}: ${JSON.stringify(proof)}`);
    }
  });

  test('a label that is pushed out of view is no disclosed impression', async () => {
    const proof = await proofWith(
      `document.querySelector('#slot').style.cssText = 'position:absolute;top:-60px';`,
    );
    assert.equal(isReadable(proof), false, JSON.stringify(proof));
  });

  test('a label that comes into view later is told of then', async () => {
    await proofWith(
      `const cover = document.createElement('div'); cover.id = 'cover'; cover.style.cssText = 'position:fixed;inset:0 0 auto 0;height:300px;background:#fff'; document.body.append(cover);`,
    );
    await inPage(`document.querySelector('#cover').remove();`);
    assert.equal(isReadable(JSON.parse((await called('/track/viewable', 1)).body).label), true);
  });

  const choices = {
    language: 'de',
    scope: 'user',
    choices: [
      { action: 'hide_ad', label: 'Diese Anzeige ausblenden', made: false },
      { action: 'no_personalisation', label: 'Keine personalisierten Anzeigen', made: false },
    ],
    kept: [],
    words: { saved: 'Gespeichert.' },
  };
  for (const [how, show] of [
    [
      'the plain entry',
      `browser.renderAd(document.querySelector('#slot'), given, { onChoice: (_ad, action) => calls.push(action) });`,
    ],
    [
      'React',
      `createRoot(document.querySelector('#slot')).render(createElement(components.Ad, { ad: given, onChoice: (_ad, action) => calls.push(action) }));`,
    ],
  ] as const)
    test(`${how} tells why, takes what the person decides to the network, and is no click`, async () => {
      await page.route('**/ad-choices/**', (route) => {
        const { pathname, search } = new URL(route.request().url());
        const cookie = route.request().headers()['cookie'];
        calls.push({ method: route.request().method(), path: pathname + search, body: '', cookie });
        return route.fulfill({ json: choices, headers: { 'access-control-allow-origin': '*' } });
      });
      await inPage(show, ad({ disclosure, choicesUrl: `${tracking}/ad-choices/tok?l=de` }));
      await page.getByRole('button', { name: 'About this ad' }).click();
      await page.getByText('Wird gezeigt, weil es passt. Paid by Camp Holding.').waitFor();
      await page.getByRole('button', { name: 'Diese Anzeige ausblenden' }).click();
      await page.getByText('Gespeichert.').waitFor();
      const made = calls.filter((call) => call.path.startsWith('/ad-choices/'));
      assert.deepEqual(
        made.map(({ method, path, cookie }) => [method, path, cookie]),
        [
          ['GET', '/ad-choices/tok?l=de', undefined],
          ['POST', '/ad-choices/tok?l=de&action=hide_ad', undefined],
        ],
      );
      const told = (await inPage('return calls;')) as string[]; // the array made by the page script
      assert.ok(told.includes('hide_ad') && !told.includes('click'));
      const kept = page.getByRole('link', { name: 'See and delete what is kept about me' });
      assert.equal(await kept.getAttribute('href'), `${tracking}/ad-choices/tok?l=de`);
    });

  test('nothing below moves when the ad comes into its reserved space', async () => {
    const top = `return document.querySelector('#after').getBoundingClientRect().top;`;
    const before = await inPage(`browser.reserveSpace(document.querySelector('#slot')); ${top}`);
    await render(
      ad({
        feedbackPrompt: { question: 'Useful?', reasons: ['irrelevant'] },
        leadForm: {
          title: 'Ask',
          fields: [{ name: 'email', label: 'Email', type: 'email', required: true }],
        },
      }),
      `, feedback: '/api', lead: '/api'`,
    );
    assert.equal(await inPage(top), before);
    assert.equal(await page.locator('[data-sidelight-slot]').count(), 1);
  });

  test('a click goes through the tracking link and is told to the page', async () => {
    await render(ad());
    const popup = context.waitForEvent('page');
    await page.locator('#slot a').last().click();
    await (await popup).waitForURL('**/landing');
    assert.equal((await called('/track/click')).path, '/track/click?p=tok');
    // the array made by the page script
    assert.ok(((await inPage('return calls;')) as string[]).includes('click'));
  });

  test('feedback goes to the publisher, with reasons, and is not a click', async () => {
    await render(
      ad({ feedbackPrompt: { question: 'Useful?', reasons: ['not_interested', 'irrelevant'] } }),
      `, feedback: '/api'`,
    );
    await page.getByRole('button', { name: 'Not helpful' }).click();
    await page.getByRole('button', { name: 'irrelevant' }).click();
    assert.deepEqual(JSON.parse((await called('/api')).body), {
      kind: 'feedback',
      sessionId: 's1',
      impUrl: ad().impUrl,
      sentiment: 'thumbs_down',
      reasons: ['irrelevant'],
      placement: 'below_response',
      placementId: 'below',
    });
    await page.getByText('Thank you').waitFor();
    assert.deepEqual(await inPage('return calls;'), ['impression']);
    await render(ad(), `, feedback: '/api'`);
    assert.equal(await page.getByRole('button').count(), 0, 'no controls unless the ad asks');
  });

  test('a form is checked, sent to the publisher with consent, and thanks', async () => {
    const leadForm = {
      title: 'Get an offer',
      fields: [
        { name: 'email', label: 'Email', type: 'email', required: true },
        { name: 'size', label: 'Size', type: 'select', options: ['1', '2'] },
        { name: 'news', label: 'News', type: 'checkbox' },
      ],
      privacy_policy_url: 'https://camp.test/privacy',
      success_message: 'We will write.',
    };
    await render(ad({ leadForm }), `, lead: '/api'`);
    await page.getByRole('button', { name: 'Get an offer' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Size').selectOption('2');
    await page.getByLabel(/privacy policy/).check();
    await page.getByRole('button', { name: 'Send' }).click();
    const { fields, consent, kind } = JSON.parse((await called('/api')).body);
    assert.deepEqual(
      { fields, consent, kind },
      { fields: { email: 'ada@example.com', size: '2', news: false }, consent: true, kind: 'lead' },
    );
    await page.getByText('We will write.').waitFor();
    assert.equal(calls.filter((call) => call.path === '/api').length, 1);
  });

  test('an ad inside a shadow tree counts as everywhere else', async () => {
    await inPage(
      `const shadow = document.querySelector('#slot').attachShadow({ mode: 'open' }); shadow.append(document.createElement('div')); browser.renderAd(shadow.firstChild, given);`,
      ad(),
    );
    await called('/ack');
    assert.equal(await page.getByText('See tents').isVisible(), true);
  });

  test('React shows, counts once in strict mode, and stays in its place', async () => {
    await inPage(`const { AdSlot } = components; window.root = createRoot(document.querySelector('#slot')); window.more = { onImpression: () => calls.push('impression') };
      root.render(createElement(StrictMode, null, createElement(AdSlot, { ...more, endpoint: '/api', messages: [{ role: 'user', content: 'tent?' }], sessionId: 's1' })));`);
    await called('/ack');
    await called('/track/viewable');
    assert.equal(
      await page
        .locator('.sl-ad')
        .evaluate((element) => element.getBoundingClientRect().height <= 150),
      true,
    );
    await inPage('root.unmount();');
    assert.equal(calls.filter((call) => call.path.startsWith('/ack')).length, 1);
    assert.deepEqual(await inPage('return calls;'), ['impression']);
  });

  test('React sends feedback and forms like the plain entry', async () => {
    const leadForm = {
      title: 'Get an offer',
      fields: [{ name: 'phone', label: 'Phone', type: 'phone', required: true }],
    };
    await inPage(
      `createRoot(document.querySelector('#slot')).render(createElement(components.Ad, { ad: given, sessionId: 's1', feedback: '/api', lead: '/api' }));`,
      ad({ leadForm, feedbackPrompt: { question: 'Useful?', reasons: [] } }),
    );
    await page.getByRole('button', { name: 'Helpful', exact: true }).click();
    assert.equal(JSON.parse((await called('/api')).body).sentiment, 'thumbs_up');
    await page.getByRole('button', { name: 'Get an offer' }).click();
    await page.getByLabel('Phone').fill('123');
    await page.getByRole('button', { name: 'Send' }).click();
    assert.deepEqual(JSON.parse((await called('/api', 1)).body).fields, { phone: '123' });
  });

  test('neither rendering has accessibility faults', async () => {
    const full = ad({
      feedbackPrompt: { question: 'Useful?', reasons: ['irrelevant'] },
      leadForm: {
        title: 'Ask',
        fields: [
          { name: 'a', label: 'A', type: 'text' },
          { name: 'b', label: 'B', type: 'select', options: ['x'] },
        ],
      },
    });
    await render(full, `, feedback: '/api', lead: '/api'`);
    await inPage(
      `const other = document.createElement('div'); document.querySelector('main').append(other); createRoot(other).render(createElement(components.Ad, { ad: { ...given, brandName: 'Other' }, sessionId: 's', feedback: '/api', lead: '/api' }));`,
      full,
    );
    for (const button of await page.getByRole('button', { name: 'Ask' }).all())
      await button.click();
    await page.evaluate(readFileSync(axe, 'utf8'));
    const faults = await inPage(
      `const result = await axe.run(document, { rules: { region: { enabled: false } } }); return result.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' '));`,
    );
    assert.deepEqual(faults, []);
  });
});
