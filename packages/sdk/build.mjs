// Bundles every entry as ESM and CommonJS into dist/ and holds the browser entry to its byte budget. Run directly, it also emits
// declarations, which need the TypeScript compiler; a server started from a fresh clone does not.
import { build as bundle } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const entries = ['index', 'browser', 'proxy', 'webhooks', 'conversions', 'reporting'];
export const BROWSER_BUDGET = 8192;

export async function build() {
  const shared = {
    entryPoints: entries.map((name) => join(here, 'src', `${name}.ts`)),
    outdir: join(here, 'dist'),
    bundle: true,
    target: 'es2020',
    platform: 'neutral',
    logLevel: 'error',
  };
  await Promise.all([
    bundle({ ...shared, format: 'esm', outExtension: { '.js': '.js' } }),
    bundle({ ...shared, format: 'cjs', outExtension: { '.js': '.cjs' } }),
  ]);
  const size = await browserSize();
  if (size > BROWSER_BUDGET)
    throw new Error(`the browser entry is ${size} bytes gzipped; the budget is ${BROWSER_BUDGET}`);
  return size;
}

/** As a page's bundler would ship it: minified, then gzipped. */
export async function browserSize() {
  const { outputFiles } = await bundle({
    entryPoints: [join(here, 'src/browser.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2020',
    write: false,
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}

/** Declarations for both module systems: CommonJS callers need .d.cts files that point at each other. */
export function buildTypes() {
  emitTypes(here);
}

export function emitTypes(folder) {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  execFileSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.types.json')], {
    stdio: 'inherit',
  });
  const dist = join(folder, 'dist');
  for (const name of readdirSync(dist, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    // Compilers before 5.7 know bytes by this name only.
    const text = readFileSync(join(dist, name), 'utf8').replaceAll(
      'Uint8Array<ArrayBuffer>',
      'Uint8Array',
    );
    writeFileSync(join(dist, name), text);
    writeFileSync(
      join(dist, name.replace(/\.d\.ts$/, '.d.cts')),
      text
        .replace(/(from '\.[^']*|import\("\.[^"]*)\.js(?=['"])/g, '$1.cjs')
        .replace(/(from "\.[^"]*)\.js(?=")/g, '$1.cjs'),
    );
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const size = await build();
  buildTypes();
  process.stdout.write(`browser entry: ${size} bytes gzipped\n`);
}
