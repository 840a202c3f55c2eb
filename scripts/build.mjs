// Transpiles every TypeScript file into build/ (same paths) and bundles what browsers load. No type
// check: `npm test` does that.
import { spawnSync } from 'node:child_process';
import { build, stop } from 'esbuild';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildGeo } from './build-geo.mjs';
import { buildWords } from './build-words.mjs';
import { bundleServer } from './bundle-server.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function sources(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'),
    )
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !/[\\/](?:node_modules|dist)[\\/]/.test(file));
}

/**
 * Each browser part and package may bring its own bundling step: `<folder>/build.mjs` exporting
 * `build({ root, outdir })`.
 */
const bundlers = ['web/pixel', 'web/dashboard', 'packages/sdk', 'packages/react'];

/**
 * Vectors of texts that ship with the code are kept in the repository: a fresh clone embeds only
 * what changed since.
 */
function startFromKeptVectors() {
  for (const name of ['topic-vectors.bin', 'tool-vectors.bin']) {
    const kept = join(root, 'catalog/vectors', name);
    const built = join(root, 'build', name);
    if (existsSync(kept) && !existsSync(built)) copyFileSync(kept, built);
  }
}

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
  await bundleServer(root);
  buildGeo();
  await buildWords();
  startFromKeptVectors();
  // Each in a process of its own: the native part of the models cannot be loaded again once its
  // threads have ended.
  for (const script of ['build-tool-vectors.mjs', 'build-topic-vectors.mjs'])
    spawnSync(process.execPath, [join(root, 'scripts', script)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  return files.length;
}

/** The bundler is a process of its own, which would stay as long as we do. */
export const stopBuilding = () => stop();

/**
 * Declarations of the packages, where the compiler is: `npm pack` takes what lies in dist, and npm
 * may be set to run no scripts of its own. An installation that only serves has no compiler and needs
 * none.
 */
export async function buildPackageTypes() {
  if (!existsSync(join(root, 'node_modules/typescript'))) return;
  for (const folder of ['packages/sdk', 'packages/react']) {
    const { buildTypes } = await import(pathToFileURL(join(root, folder, 'build.mjs')).href);
    buildTypes();
  }
}
