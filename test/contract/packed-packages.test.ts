import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Every way the service can fail, asked through the installed package; prints one line per answer.
 */
const BEHAVIOUR = `
async function behave({ createClient }, base) {
  const reasons = [];
  for (const path of ['ok', 'none', 'denied', 'garbage', 'slow', 'stuck-body', 'down']) {
    const baseUrl = path === 'down' ? 'http://127.0.0.1:9' : base + '/' + path;
    const timeoutMs = path === 'slow' || path === 'stuck-body' ? 60 : 10_000;
    const client = createClient({ apiKey: 'k', baseUrl, timeoutMs, retries: 2 });
    const { ads, reason } = await client.getAds({ messages: [{ role: 'user', content: 'hi' }], sessionId: 's' });
    reasons.push(path + ':' + reason + ':' + ads.length);
  }
  console.log(reasons.join(' '));
}
`;
const EXPECTED =
  'ok:filled:1 none:no_fill:0 denied:unauthorized:0 garbage:bad_response:0 slow:timeout:0 stuck-body:timeout:0 down:unavailable:0';

const SAMPLE = `
import { createClient, createAdEndpoint, prepareMessages, readRequest, type Ad, type AdResult } from '@sidelight/sdk';
import { createTrackingProxy, rewriteTrackingUrls } from '@sidelight/sdk/proxy';
import { SIGNATURE_HEADER, verifyWebhook } from '@sidelight/sdk/webhooks';
import { createConversions, hashEmail } from '@sidelight/sdk/conversions';
import { createServer } from 'node:http';
const client = createClient({ apiKey: 'k', baseUrl: 'https://ads.example.com' });
export const result: Promise<AdResult> = client.getAds({ messages: [{ role: 'user', content: 'hi' }], sessionId: 's', request: new Request('https://x.test') });
export const first: Promise<Ad | undefined> = result.then(({ ads }) => ads[0]);
const proxy = createTrackingProxy({ baseUrl: 'https://ads.example.com', trustedHeader: 'cf-connecting-ip' });
const endpoint = createAdEndpoint(client);
createServer((request, response) => void proxy.middleware(request, response, () => void endpoint.middleware(request, response)));
export const POST = (request: Request): Promise<Response> => endpoint.handle(request);
export const moved = (ad: Ad): Ad => rewriteTrackingUrls(ad, 'https://chat.example/t');
export const checked = async (request: Request): Promise<boolean> => (await verifyWebhook({ body: await request.text(), signature: request.headers.get(SIGNATURE_HEADER), secret: 's' })).ok;
export const sent = async (): Promise<number> => (await createConversions({ apiKey: 'k', baseUrl: 'https://ads.example.com' }).sendConversions([{ event_name: 'Purchase', event_time: 1, event_id: '1', user_data: { em: [await hashEmail('a@b.c')] } }])).events_processed;
export const prepared = [prepareMessages([]), readRequest({ headers: {} })];
// @ts-expect-error the key is required
createClient({ baseUrl: 'https://ads.example.com' });
`;
const PAGE_SAMPLE = `
import { renderAd, type Ad as AdData, type RenderedAd } from '@sidelight/sdk/browser';
import { Ad, AdSlot, useAd, useImpression } from '@sidelight/react';
import type { ReactElement } from 'react';
export const show = (element: Element, ad: AdData): RenderedAd => renderAd(element, ad, { sessionId: 's', feedback: '/api', onClick: (clicked) => console.log(clicked.title) });
export function Chat({ ad }: { ad: AdData }): ReactElement {
  const state = useAd({ endpoint: '/api', messages: [{ role: 'user', content: 'hi' }], sessionId: 's' });
  const ref = useImpression<HTMLDivElement>(state.ad);
  return <div ref={ref}><Ad ad={ad} sessionId="s" lead={async (lead) => lead.fields} /><AdSlot sessionId="s" ads={Promise.resolve({ ads: [ad] })} unstyled /></div>;
}
`;

/** What an old web view has, and no more: an element in the middle of the window. */
const OLD_WEB_VIEW = `
const listen = { addEventListener() {}, removeEventListener() {} };
const win = { ...listen, performance, navigator: {}, innerWidth: 300, innerHeight: 500 };
const doc = { ...listen, defaultView: win, visibilityState: 'visible' };
const sent = [];
globalThis.fetch = undefined;
globalThis.location = { href: 'https://chat.test/' };
globalThis.Image = class { set src(url) { sent.push(url); } };
const { observeAd } = await import('@sidelight/sdk/browser');
const at = (top) => ({ ownerDocument: doc, getBoundingClientRect: () => ({ top, left: 0, width: 200, height: 100 }) });
const seen = observeAd(at(100), { impUrl: 'https://t.test/ack?p=1' });
const below = observeAd(at(480), { impUrl: 'https://t.test/ack?p=2' });
await new Promise((resolve) => setTimeout(resolve, 1100));
seen.stop();
below.stop();
console.log(sent.join(' '));
`;

const BUNDLED_PAGE = `
import { renderAd } from '@sidelight/sdk/browser';
import { Ad } from '@sidelight/react';
globalThis.component = typeof Ad;
globalThis.none = renderAd(globalThis.slot, [][0], { sessionId: 's' }).viewableMs();
globalThis.shown = renderAd(globalThis.slot, globalThis.ad, { sessionId: 's', feedback: '/api' });
`;

/**
 * What a DOM in memory gives its tests: elements without a size, shadow roots without constructed
 * sheets, and neither `IntersectionObserver` nor `sendBeacon` nor `fetch`.
 */
class PlainElement {
  children: PlainElement[] = [];
  attributes = new Map<string, string>();
  classList = { add: () => undefined };
  textContent = '';
  shadowRoot: PlainElement | null = null;
  tagName: string;
  ownerDocument: object;
  constructor(tagName: string, ownerDocument: object) {
    this.tagName = tagName.toUpperCase();
    this.ownerDocument = ownerDocument;
  }
  parent: PlainElement | null = null;
  append(...more: PlainElement[]): void {
    for (const each of more) each.parent = this;
    this.children.push(...more);
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  hasAttribute(name: string): boolean {
    return this.attributes.has(name);
  }
  attachShadow(): PlainElement {
    return (this.shadowRoot = new PlainElement('shadow', this.ownerDocument));
  }
  getBoundingClientRect(): object {
    return { top: 0, left: 0, width: 0, height: 0 };
  }
  addEventListener(): void {}
  removeEventListener(): void {}
  remove(): void {
    if (this.parent !== null) this.parent.children = this.parent.children.filter((c) => c !== this);
  }
  /** Everything said in it. */
  get words(): string {
    return [this.textContent, ...this.children.map((child) => child.words)].join(' ');
  }
}

const SAMPLE_AD = {
  adText: 'a',
  title: 't',
  cta: 'c',
  brandName: 'b',
  url: 'https://b.test',
  impUrl: 'https://t.test/ack?p=1',
  clickUrl: 'https://t.test/track/click?p=1',
};

describe('the packages as somebody else installs them', { timeout: 1_200_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-packed-'));
  const service = createServer((request, response) => {
    const path = request.url?.split('/')[1];
    if (path === 'none') response.writeHead(204).end();
    else if (path === 'denied') response.writeHead(401).end('{"detail":"invalid_api_key"}');
    else if (path === 'garbage') response.end('<html>');
    else if (path === 'stuck-body') response.write('[{');
    else if (path === 'ok') response.end(JSON.stringify([SAMPLE_AD]));
  });
  let base = '';
  const npm = (...args: string[]) =>
    run(
      'npm',
      [...args, '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      { cwd: folder },
    );

  before(async () => {
    writeFileSync(join(folder, 'package.json'), '{"name":"empty","private":true}');
    // As published: nothing is built but by the package's own scripts.
    const packed: { filename: string; files: { path: string }[] }[] = [];
    for (const name of ['sdk', 'react']) {
      const { stdout } = await run(
        'npm',
        [
          'pack',
          `${root}packages/${name}`,
          '--json',
          '--offline',
          '--ignore-scripts=false',
          '--loglevel=error',
        ],
        { cwd: folder },
      );
      // npm's own format, after what the scripts said
      packed.push(...(JSON.parse(stdout.slice(stdout.search(/^\[/m))) as typeof packed));
    }
    for (const one of packed) {
      assert.ok(
        one.files.every(
          (file) =>
            /^(dist\/|package\.json$|README\.md$|LICENSE)/.test(file.path) &&
            !/\.test\./.test(file.path),
        ),
        JSON.stringify(one.files),
      );
      for (const name of ['dist/index.d.ts', 'dist/index.d.cts', 'README.md', 'LICENSE'])
        assert.ok(
          one.files.some(({ path }) => path === name),
          name,
        );
    }
    await npm('install', '--legacy-peer-deps', ...packed.map((one) => `./${one.filename}`));
    // What the project would have besides our packages.
    for (const name of ['react', '@types/react', '@types/node', 'undici-types', 'csstype']) {
      mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
    }
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`; // a TCP server has a port
  });
  after(() => {
    service.close();
    service.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  test('the SDK brings no dependency', () => {
    const manifest = JSON.parse(
      readFileSync(join(folder, 'node_modules/@sidelight/sdk/package.json'), 'utf8'),
    ) as Record<string, unknown>; // npm's own format
    assert.equal(manifest['dependencies'], undefined);
  });

  test('every entry has a file for each kind of caller, and one version is named everywhere', () => {
    const read = (path: string): { version: string } & Record<string, unknown> =>
      JSON.parse(readFileSync(path, 'utf8')) as never; // npm's own format
    const { version } = read(`${root}package.json`);
    for (const name of ['sdk', 'react']) {
      const packed = join(folder, 'node_modules/@sidelight', name);
      const manifest = read(join(packed, 'package.json'));
      assert.equal(manifest.version, version, name);
      const named = JSON.stringify([
        manifest['exports'],
        manifest['main'],
        manifest['types'],
        manifest['typesVersions'],
      ]);
      for (const [, path = ''] of named.matchAll(/"(\.\/(?:dist\/)[^"]+)"/g))
        assert.ok(existsSync(join(packed, path)), `${name}: ${path}`);
    }
    // Compilers that do not read `exports` find the entries here.
    const sdk = read(join(folder, 'node_modules/@sidelight/sdk/package.json'));
    const typed = Object.keys((sdk['typesVersions'] as { '*': object })['*']); // our own manifest
    assert.deepEqual(
      ['.', ...typed.map((entry) => `./${entry}`), './package.json'],
      Object.keys(sdk['exports'] as object), // as above
    );
    const dependencies = read(join(folder, 'node_modules/@sidelight/react/package.json'));
    assert.deepEqual(dependencies['dependencies'], { '@sidelight/sdk': version });
  });

  test('declarations use nothing that compilers of earlier years do not know', () => {
    const dist = join(folder, 'node_modules/@sidelight/sdk/dist');
    for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
      if (/\.d\.c?ts$/.test(name))
        assert.doesNotMatch(readFileSync(join(dist, name), 'utf8'), /Uint8Array</, name);
  });

  test('what the package pages show compiles as it is written, strict', async () => {
    const shown = (name: string): string[] =>
      [
        ...readFileSync(
          join(folder, 'node_modules/@sidelight', name, 'README.md'),
          'utf8',
        ).matchAll(/```jsx?\n(.*?)```/gs),
      ].map(([, code = '']) => code);
    const given = `declare const messages: { role: 'user'; content: string }[];
      declare const sessionId: string;
      declare const request: Request;
      declare const element: HTMLElement;
      declare const ad: import('@sidelight/sdk').Ad;
      export {};`;
    const pages = [...shown('sdk'), ...shown('react')];
    assert.equal(pages.length, 3);
    const files = pages.map((code, at) => {
      writeFileSync(join(folder, `shown-${at}.tsx`), `${code}\n${given}`);
      return `shown-${at}.tsx`;
    });
    const compilerOptions = {
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'bundler',
      lib: ['ES2022', 'DOM', 'DOM.Iterable'],
      types: ['node'],
      jsx: 'react-jsx',
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    };
    const project = join(folder, 'tsconfig.shown.json');
    writeFileSync(project, JSON.stringify({ compilerOptions, files }));
    const checked = await run(process.execPath, [
      `${root}node_modules/typescript/bin/tsc`,
      '-p',
      project,
    ]).catch((error: { stdout: string }) => error);
    assert.equal(checked.stdout.trim(), '');
  });

  test('no entry of the SDK imports anything, so every runtime with fetch and WebCrypto can load it', () => {
    for (const name of ['index', 'browser', 'proxy', 'webhooks', 'conversions', 'reporting']) {
      const text = readFileSync(
        join(folder, `node_modules/@sidelight/sdk/dist/${name}.js`),
        'utf8',
      );
      assert.ok(
        !/^\s*import[\s{*]|\brequire\(|\bfrom ['"]|\bBuffer\b|node:/m.test(
          text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, ''),
        ),
        name,
      );
    }
  });

  test('imported as an ES module, it never throws and never waits past the time-out', async () => {
    const entries = ['browser', 'proxy', 'webhooks', 'conversions', 'reporting']
      .map((name) => `await import('@sidelight/sdk/${name}');`)
      .join('');
    writeFileSync(
      join(folder, 'use.mjs'),
      `import * as sdk from '@sidelight/sdk'; ${entries} const { Ad } = await import('@sidelight/react'); if (typeof Ad !== 'function') throw new Error('no Ad'); ${BEHAVIOUR} await behave(sdk, process.argv[2]); process.exit(0);`,
    );
    assert.equal(
      (await run(process.execPath, ['use.mjs', base], { cwd: folder })).stdout.trim(),
      EXPECTED,
    );
  });

  test('required as CommonJS, it does the same', async () => {
    const entries = ['browser', 'proxy', 'webhooks', 'conversions', 'reporting']
      .map((name) => `require('@sidelight/sdk/${name}');`)
      .join('');
    writeFileSync(
      join(folder, 'use.cjs'),
      `const sdk = require('@sidelight/sdk'); ${entries} if (typeof require('@sidelight/react').Ad !== 'function') throw new Error('no Ad'); ${BEHAVIOUR} behave(sdk, process.argv[2]).then(() => process.exit(0));`,
    );
    assert.equal(
      (await run(process.execPath, ['use.cjs', base], { cwd: folder })).stdout.trim(),
      EXPECTED,
    );
  });

  test('a page without IntersectionObserver, sendBeacon and fetch still shows and counts the ad', async () => {
    writeFileSync(join(folder, 'old.mjs'), OLD_WEB_VIEW);
    assert.equal(
      (await run(process.execPath, ['old.mjs'], { cwd: folder })).stdout.trim(),
      'https://t.test/ack?p=1',
    );
  });

  test('bundled for a page, the ad is shown in a DOM without sizes, observers and beacons', async () => {
    writeFileSync(join(folder, 'bundled.js'), BUNDLED_PAGE);
    const { outputFiles, warnings } = await build({
      entryPoints: [join(folder, 'bundled.js')],
      absWorkingDir: folder,
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'iife',
      logLevel: 'silent',
    });
    assert.deepEqual(warnings, []);
    const listen = { addEventListener: () => undefined, removeEventListener: () => undefined };
    const win = { ...listen, performance, navigator: {}, innerWidth: 0, innerHeight: 0 };
    const doc = {
      ...listen,
      defaultView: win,
      visibilityState: 'visible',
      createElement: (tag: string): PlainElement => new PlainElement(tag, doc),
    };
    const slot = new PlainElement('div', doc);
    const context = { slot, ad: SAMPLE_AD, setTimeout, clearTimeout, URL };
    createContext(context);
    runInContext(outputFiles[0]?.text ?? '', context);
    assert.match(slot.children[0]?.shadowRoot?.words ?? '', /\bb\b.*\bt\b.*\ba\b.*\bc\b/);
    const { component, shown, none } = context as unknown as {
      none: number; // as below
      component: string; // set by the script
      shown: { viewableMs(): number; destroy(): void }; // as above
    };
    assert.equal(none, 0, 'where there is no ad, nothing is shown and nothing thrown');
    assert.equal(component, 'function');
    assert.equal(shown.viewableMs(), 0);
    shown.destroy();
  });

  for (const [name, options, files] of [
    [
      'ES modules on a server without browser types',
      { module: 'NodeNext', lib: ['ES2022'], types: ['node'] },
      ['server.mts'],
    ],
    [
      'CommonJS on a server',
      { module: 'NodeNext', lib: ['ES2022'], types: ['node'] },
      ['server.cts'],
    ],
    [
      'a bundled page with React',
      {
        module: 'ESNext',
        moduleResolution: 'bundler',
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        types: [],
        jsx: 'react-jsx',
        exactOptionalPropertyTypes: true,
      },
      ['page.tsx'],
    ],
  ] as const) {
    test(`types hold, strict and with library checks: ${name}`, async () => {
      writeFileSync(join(folder, 'server.mts'), SAMPLE);
      writeFileSync(join(folder, 'server.cts'), SAMPLE);
      writeFileSync(join(folder, 'page.tsx'), PAGE_SAMPLE);
      const compilerOptions = {
        target: 'ES2022',
        strict: true,
        skipLibCheck: false,
        noEmit: true,
        ...options,
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      const checked = await run(process.execPath, [
        `${root}node_modules/typescript/bin/tsc`,
        '-p',
        folder,
      ]).catch((error: { stdout: string }) => error);
      assert.equal(checked.stdout.trim(), '');
    });
  }
});
