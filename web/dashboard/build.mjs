// Bundles the dashboards: one entry, a chunk for each role, one stylesheet, names that carry a hash of what is inside.
import { build as bundle } from 'esbuild';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What the first page may load, gzipped. */
export const FIRST_PAGE_BUDGET = 60 * 1024;

export async function build({ root, outdir }) {
  const source = join(root, 'web/dashboard');
  mkdirSync(outdir, { recursive: true });
  const result = await bundle({
    entryPoints: {
      app: join(source, 'main.tsx'),
      styles: join(source, 'styles/styles.css'),
      docs: join(source, 'docs/docs.ts'),
      'docs-styles': join(source, 'docs/docs.css'),
    },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    metafile: true,
    logLevel: 'error',
  });
  const outputs = Object.entries(result.metafile.outputs);
  const nameOf = (entry) =>
    basename(outputs.find(([, output]) => output.entryPoint?.endsWith(`/${entry}`))?.[0] ?? '');
  const script = nameOf('main.tsx');
  const style = nameOf('styles.css');
  const fresh = new Set([...outputs.map(([file]) => basename(file)), 'index.html', 'icon.svg']);
  for (const name of readdirSync(outdir))
    if (!fresh.has(name)) rmSync(join(outdir, name), { recursive: true, force: true });
  writeFileSync(
    join(outdir, 'index.html'),
    readFileSync(join(source, 'index.html'), 'utf8')
      .replace('%script%', script)
      .replace('%style%', style),
  );
  copyFileSync(join(source, 'icon.svg'), join(outdir, 'icon.svg'));
  const first = firstPage(
    result.metafile.outputs,
    outputs.find(([, output]) => output.entryPoint?.endsWith('main.tsx'))?.[0],
  );
  const size = first.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(outdir, name)), { level: 9 }).length,
    0,
  );
  if (size > FIRST_PAGE_BUDGET)
    throw new Error(
      `the first page loads ${size} bytes of script gzipped; the budget is ${FIRST_PAGE_BUDGET}`,
    );
  return size;
}

/** The entry and everything it imports at once. */
function firstPage(outputs, entry) {
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const one of outputs[file]?.imports ?? [])
      if (one.kind === 'import-statement') visit(one.path);
  };
  visit(entry);
  return [...seen].map((file) => basename(file));
}
