// Bundles the pixel and refuses to grow past its budget: every advertiser's page pays for each byte.
import { build as bundle } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export const PIXEL_BUDGET = 4096;

export async function build({ root, outdir }) {
  const outfile = join(outdir, 'pixel.js');
  await bundle({
    entryPoints: [join(root, 'web/pixel/pixel.ts')],
    outfile,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2018',
    charset: 'utf8',
    logLevel: 'error',
  });
  const size = gzipSync(readFileSync(outfile), { level: 9 }).length;
  if (size > PIXEL_BUDGET)
    throw new Error(`pixel.js is ${size} bytes gzipped; the budget is ${PIXEL_BUDGET}`);
  return size;
}
