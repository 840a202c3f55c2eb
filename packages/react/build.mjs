// Bundles the components as ESM and CommonJS into dist/. React and the SDK stay outside, so a page has one copy of each.
import { build as bundle } from 'esbuild';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { emitTypes } from '../sdk/build.mjs';

const here = dirname(fileURLToPath(import.meta.url));

export async function build() {
  const shared = {
    entryPoints: [join(here, 'src/index.ts')],
    outdir: join(here, 'dist'),
    bundle: true,
    target: 'es2020',
    platform: 'neutral',
    jsx: 'automatic',
    packages: 'external',
    // Server components may import this file; everything in it runs on the client.
    banner: { js: "'use client';" },
    logLevel: 'error',
  };
  await Promise.all([
    bundle({ ...shared, format: 'esm' }),
    bundle({ ...shared, format: 'cjs', outExtension: { '.js': '.cjs' } }),
  ]);
  copyFileSync(join(here, 'src/styles.css'), join(here, 'dist/styles.css'));
}

/** Its declarations speak of the SDK's, which therefore come first. */
export function buildTypes() {
  if (!existsSync(join(here, '../sdk/dist/index.d.ts'))) emitTypes(join(here, '../sdk'));
  emitTypes(here);
  // Compilers since 6.0 ask for a declaration of what is imported for its effect alone; this kind
  // may be imported from modules of both systems.
  writeFileSync(join(here, 'dist/styles.d.cts'), 'export {};\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await build();
  buildTypes();
}
