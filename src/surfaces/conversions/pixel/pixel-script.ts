import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

interface PixelFile {
  body: Buffer;
  etag: string;
  encoding: 'gzip' | null;
}

export interface PixelScript {
  plain: PixelFile;
  gzip: PixelFile;
}

/**
 * The built script, kept in memory: it is small and asked for on every page of every advertiser.
 */
export function loadPixelScript(file: URL): PixelScript {
  const body = readFileSync(file);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return {
    plain: { body, etag: `"${hash}"`, encoding: null },
    gzip: { body: gzipSync(body, { level: 9 }), etag: `"${hash}-gz"`, encoding: 'gzip' },
  };
}
