import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createOutbound, type Outbound } from '../../src/platform/outbound/guarded-fetch.js';

export const landingPages = [
  'trail-shoes',
  'managed-database',
  'travel-insurance',
  'cooking-school',
  'fahrrad-werkstatt',
] as const;

/** This file runs from build/test/support. */
export function landingPage(name: string): string {
  return readFileSync(
    fileURLToPath(new URL(`../../../test/fixtures/landing-pages/${name}.html`, import.meta.url)),
    'utf8',
  );
}

export interface PageServer {
  url: string;
  /** Reaches this server and nothing else on the machine. */
  outbound: Outbound;
  /** Paths asked for so far. */
  asked: string[];
  /** Until then /waking answers 503, afterwards a landing page. */
  wake(): void;
  close(): void;
}

/** The landing pages of the fixtures under their names, and some that misbehave. */
export async function startPageServer(): Promise<PageServer> {
  const asked: string[] = [];
  let isAwake = false;
  const odd: Record<string, (response: ServerResponse) => void> = {
    '/picture': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('png'),
    '/json': (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    '/empty': (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body></body></html>'),
    '/broken': (response) =>
      response.writeHead(500, { 'content-type': 'text/html' }).end('<title>Oops</title>'),
    '/huge': (response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<title>Big</title>${'x'.repeat(4 * 1024 * 1024)}`),
    '/inward': (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    '/never': () => undefined,
    '/waking': (response) =>
      response
        .writeHead(isAwake ? 200 : 503, { 'content-type': 'text/html' })
        .end(isAwake ? landingPage('travel-insurance') : ''),
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const name = landingPages.find((page) => path === `/${page}`);
    if (name !== undefined)
      return void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(landingPage(name));
    const answer = odd[path];
    if (answer === undefined)
      return void response
        .writeHead(404, { 'content-type': 'text/html' })
        .end('<title>Not here</title>');
    return answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address with a port.
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const real = createOutbound({ allow: [host] });
  return {
    url: `http://${host}`,
    // Nothing waits long for a page that never comes.
    outbound: (url, request) =>
      real(url, { ...request, timeoutMs: url.endsWith('/never') ? 50 : 5000 }),
    asked,
    wake() {
      isAwake = true;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
