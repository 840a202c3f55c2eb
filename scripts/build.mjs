// Transpiles every TypeScript file into build/ (same paths) and bundles what browsers load. No type check: `npm run check` does that.
import { build } from 'esbuild';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildGeo } from './build-geo.mjs';
import { buildTopics } from './build-topic-vectors.mjs';

const root = new URL('..', import.meta.url).pathname;

function sources(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !file.includes('/node_modules/') && !file.includes('/dist/'));
}

/** Each browser part and package may bring its own bundling step: `<folder>/build.mjs` exporting `build({ root, outdir })`. */
const bundlers = ['web/pixel', 'web/dashboard', 'packages/sdk', 'packages/react'];

export async function buildAll() {
  const files = ['src', 'test', 'bench', 'packages'].flatMap(sources);
  await build({
    entryPoints: files,
    outdir: join(root, 'build'),
    outbase: root,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    sourcemap: true,
    logLevel: 'error',
  });
  for (const folder of bundlers) {
    const script = join(root, folder, 'build.mjs');
    if (!existsSync(script)) continue;
    const bundler = await import(pathToFileURL(script).href);
    await bundler.build({ root, outdir: join(root, 'build', folder) });
  }
  buildGeo();
  await buildTopics();
  return files.length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const started = Date.now();
  const count = await buildAll();
  process.stdout.write(`built ${count} files in ${Date.now() - started} ms\n`);
}
