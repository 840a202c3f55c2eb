import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from './browser.js';

export type Call = { method: string; path: string; body: string; cookie: string | undefined };

const root = fileURLToPath(new URL('../../../', import.meta.url));

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

/** A publisher's page in a browser, which shows ads of a network that notes what it is told. */
export class AdPage {
  browser!: Browser;
  context!: BrowserContext;
  page!: Page;
  /** Where the page is, and where the network is. */
  site = '';
  tracking = '';
  calls: Call[] = [];
  failImpressions = 0;
  private bundle = '';
  private waiting: (() => void)[] = [];
  private readonly network = createServer((request, response) => this.note(request, response));
  private readonly publisher = createServer((request, response) => this.serve(request, response));

  async open(): Promise<void> {
    const built = await build({
      stdin: { contents: PAGE_SCRIPT, resolveDir: root, loader: 'js' },
      bundle: true,
      write: false,
      format: 'iife',
      minify: true,
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'error',
    });
    this.bundle = built.outputFiles[0]?.text ?? '';
    this.browser = await launchBrowser();
    this.tracking = (await listen(this.network)).replace('127.0.0.1', 'localhost');
    this.site = await listen(this.publisher);
  }

  /** A new visitor; what was called before is forgotten. */
  async visit(): Promise<void> {
    await this.context?.close();
    this.context = await this.browser.newContext({ viewport: { width: 700, height: 500 } });
    this.page = await this.context.newPage();
    this.calls = [];
    this.waiting = [];
    this.failImpressions = 0;
    await this.context.addCookies([{ name: 'private', value: '1', url: this.tracking }]);
    await this.page.goto(this.site);
  }

  async close(): Promise<void> {
    await this.browser?.close();
    for (const server of [this.network, this.publisher]) {
      server.close();
      server.closeAllConnections();
    }
  }

  ad(more: object = {}) {
    return {
      adText: 'Light, dry and quick to pitch. '.repeat(8),
      title: '<img src=x onerror=alert(1)> Tents',
      cta: 'See tents',
      brandName: 'Camp & Co',
      url: 'https://camp.test/',
      image: 'https://camp.test/none.png',
      impUrl: `${this.tracking}/ack?p=tok%2Ben`,
      clickUrl: `${this.tracking}/track/click?p=tok`,
      campaignId: 'c1',
      placement: 'below_response',
      placement_id: 'below',
      ...more,
    };
  }

  /** Waits for the n-th call of a path. */
  async called(path: string, nth = 0): Promise<Call> {
    for (;;) {
      const found = this.calls.filter((call) => call.path.startsWith(path))[nth];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** Runs in the page, where the bundle has put both packages. */
  inPage(code: string, given: unknown = null) {
    return this.page.evaluate(`(async (given) => { ${code} })(${JSON.stringify(given)})`);
  }

  render(given: object, options = '') {
    return this.inPage(
      `window.shown = browser.renderAd(document.querySelector('#slot'), given, {
        sessionId: 's1',
        onImpression: () => calls.push('impression'),
        onClick: () => calls.push('click') ${options}
      });`,
      given,
    );
  }

  private take(call: Call): void {
    this.calls.push(call);
    for (const wake of this.waiting.splice(0)) wake();
  }

  private note(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      if (path.startsWith('/ack') && this.failImpressions > 0) {
        this.failImpressions -= 1;
        request.socket.destroy();
        return;
      }
      response.setHeader('Access-Control-Allow-Origin', '*');
      if (path.startsWith('/track/click'))
        response.writeHead(302, { location: `${this.site}/landing` });
      response.end();
      this.take({ method: request.method ?? '', path, body, cookie: request.headers.cookie });
    });
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === '/app.js')
      response.setHeader('Content-Type', 'text/javascript').end(this.bundle);
    else if (request.url === '/styles.css')
      response
        .setHeader('Content-Type', 'text/css')
        .end(readFileSync(`${root}packages/react/src/styles.css`));
    else if (request.method === 'POST') this.answer(request, response);
    else {
      response.setHeader(
        'Content-Security-Policy',
        `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ${this.tracking}; img-src 'self'`,
      );
      response.setHeader('Content-Type', 'text/html');
      response.end(PAGE);
    }
  }

  /** What the publisher's own server does. */
  private answer(request: IncomingMessage, response: ServerResponse): void {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const asksForAds = JSON.parse(body).kind === 'ads';
      response
        .setHeader('Content-Type', 'application/json')
        .end(asksForAds ? JSON.stringify({ ads: [this.ad()], reason: 'filled' }) : '{}');
      this.take({ method: 'POST', path: request.url ?? '', body, cookie: undefined });
    });
  }
}

const PAGE = [
  '<!doctype html><html lang="en"><title>Chat</title>',
  '<link rel="stylesheet" href="/styles.css">',
  '<main><h1>Chat</h1><div id="slot"></div><p id="after">More</p></main>',
  '<script src="/app.js"></script></html>',
].join('');

export const disclosure = {
  label: 'Anzeige',
  advertiser: 'Camp & Co',
  paid_by: 'Camp Holding',
  why: 'Wird gezeigt, weil es passt.',
  presentation: 'separate',
};
