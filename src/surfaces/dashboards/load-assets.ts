import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export interface Asset {
  body: Buffer;
  gzip: Buffer;
  etag: string;
  type: string;
}

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The built pages, kept in memory in both dresses: they are small and asked for on every visit.
 * Empty when they were not built.
 */
export function loadAssets(folder: URL): Map<string, Asset> {
  const path = fileURLToPath(folder);
  const assets = new Map<string, Asset>();
  if (!existsSync(path)) return assets;
  for (const name of readdirSync(path)) {
    const type = mediaTypes[extname(name)];
    if (type !== undefined) assets.set(name, dressed(readFileSync(join(path, name)), type));
  }
  return assets;
}

/**
 * The page that starts everything, by the section it is opened in and the page of it (empty: any
 * other): each names the scripts it needs, which the browser would otherwise find out one import
 * after another.
 */
export function loadShells(folder: URL): Map<string, Asset> {
  const path = fileURLToPath(folder);
  const shells = new Map<string, Asset>();
  if (!existsSync(join(path, 'preloads.json'))) return shells;
  const page = readFileSync(join(path, 'index.html'), 'utf8');
  // The build writes it: lists of file names.
  const preloads = JSON.parse(readFileSync(join(path, 'preloads.json'), 'utf8')) as Record<
    string,
    string[]
  >;
  for (const [place, names] of Object.entries(preloads)) {
    const links = names.map((name) => `  <link rel="modulepreload" href="/assets/${name}" />\n  `);
    const body = page.replace('</head>', `${links.join('')}</head>`);
    shells.set(place, dressed(Buffer.from(body), 'text/html; charset=utf-8'));
  }
  return shells;
}

function dressed(body: Buffer, type: string): Asset {
  return {
    body,
    gzip: gzipSync(body, { level: 9 }),
    etag: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    type,
  };
}
