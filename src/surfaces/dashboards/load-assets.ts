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
    if (type === undefined) continue;
    const body = readFileSync(join(path, name));
    assets.set(name, {
      body,
      gzip: gzipSync(body, { level: 9 }),
      etag: createHash('sha256').update(body).digest('base64url').slice(0, 22),
      type,
    });
  }
  return assets;
}
