// Bundles the dashboards: one entry, a chunk for each role, one stylesheet, names that carry a hash of what is inside.
import { build as bundle } from 'esbuild';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What a page may load, gzipped. */
export const PAGE_BUDGET = 60 * 1024;

/** What so many pages need is loaded with what all do. */
const OFTEN = 5;

export async function build({ root, outdir }) {
  const source = join(root, 'web/dashboard');
  mkdirSync(outdir, { recursive: true });
  const options = optionsOf(source, outdir);
  const { metafile } = await bundle({ ...options, write: false });
  const result = await bundle({ ...options, plugins: [keepTogether(root, metafile.inputs)] });
  const outputs = Object.entries(result.metafile.outputs);
  const nameOf = (entry) =>
    basename(outputs.find(([, output]) => output.entryPoint?.endsWith(`/${entry}`))?.[0] ?? '');
  const script = nameOf('main.tsx');
  const style = nameOf('styles.css');
  const written = ['index.html', 'preloads.json', 'icon.svg'];
  const fresh = new Set([...outputs.map(([file]) => basename(file)), ...written]);
  for (const name of readdirSync(outdir))
    if (!fresh.has(name)) rmSync(join(outdir, name), { recursive: true, force: true });
  writeFileSync(
    join(outdir, 'index.html'),
    readFileSync(join(source, 'index.html'), 'utf8')
      .replace('%script%', script)
      .replace('%style%', style),
  );
  writeFileSync(
    join(outdir, 'preloads.json'),
    JSON.stringify(preloadsOf(root, result.metafile.outputs, script)),
  );
  copyFileSync(join(source, 'icon.svg'), join(outdir, 'icon.svg'));
  const largest = largestPage(
    result.metafile.outputs,
    outputs.find(([, output]) => output.entryPoint?.endsWith('main.tsx'))?.[0],
    (file) => gzipSync(readFileSync(join(outdir, basename(file))), { level: 9 }).length,
  );
  if (largest.size > PAGE_BUDGET)
    throw new Error(
      `${largest.page} loads ${largest.size} bytes of script gzipped; the budget is ${PAGE_BUDGET}`,
    );
  return largest.size;
}

function optionsOf(source, outdir) {
  return {
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
  };
}

/**
 * The bundler makes a part of every set of pages that share something, most of a few hundred bytes,
 * and a browser asks for six at a time. What the entry needs is loaded before any page, so every
 * part that comes later is told to need it too: then all of it is one set and one part.
 */
function keepTogether(root, inputs) {
  const entry = Object.keys(inputs).find((file) => file.endsWith('/dashboard/main.tsx')) ?? '';
  const later = new Set(
    Object.values(inputs)
      .flatMap(({ imports }) => imports)
      .filter(({ path, kind }) => kind === 'dynamic-import' && path.endsWith('.tsx'))
      .map(({ path }) => path),
  );
  const reached = new Map();
  for (const start of [entry, ...later])
    for (const file of reachedFrom(inputs, start))
      reached.set(file, (reached.get(file) ?? 0) + (start === entry ? Infinity : 1));
  const together = [...reached]
    .filter(([file, count]) => count >= OFTEN && file !== entry && !later.has(file))
    .map(([file]) => `import ${JSON.stringify(join(root, file))};`);
  return {
    name: 'keep-together',
    setup(building) {
      building.onResolve({ filter: /^kept-together$/ }, ({ path }) => ({ path, namespace: path }));
      building.onLoad({ filter: /.*/, namespace: 'kept-together' }, () => ({
        contents: together.join('\n'),
        resolveDir: root,
      }));
      building.onLoad({ filter: /\.tsx$/ }, ({ path }) =>
        later.has(relative(root, path))
          ? { contents: `${readFileSync(path, 'utf8')}\nimport 'kept-together';`, loader: 'tsx' }
          : undefined,
      );
    },
  };
}

function reachedFrom(inputs, start, found = new Set()) {
  if (found.has(start)) return found;
  found.add(start);
  for (const { path, kind } of inputs[start]?.imports ?? [])
    if (kind === 'import-statement') reachedFrom(inputs, path, found);
  return found;
}

/**
 * The page that loads most: the entry, the part of its role and the page itself, each with
 * everything it imports at once. Texts of other languages are data.
 */
function largestPage(outputs, entry, sizeOf) {
  let largest = { page: '', size: 0 };
  const open = (file, loaded) => {
    const all = new Set(loaded);
    const visit = (one) => {
      if (all.has(one)) return;
      all.add(one);
      for (const { path, kind } of outputs[one]?.imports ?? [])
        if (kind === 'import-statement') visit(path);
    };
    visit(file);
    const size = [...all].reduce((sum, one) => sum + sizeOf(one), 0);
    if (size > largest.size) largest = { page: outputs[file].entryPoint, size };
    const added = [...all].filter((one) => !loaded.has(one));
    for (const { path, kind } of added.flatMap((one) => outputs[one]?.imports ?? []))
      if (kind === 'dynamic-import' && !all.has(path) && !isText(outputs[path])) open(path, all);
  };
  open(entry, new Set());
  return largest;
}

/**
 * What a browser is told to fetch at once instead of finding it out script by script: by section,
 * all its entry and its own part import, and by page of it, the page's too. A section `x` is
 * `x/x.tsx`, below `/app/x`; it names the pages that come later by where they are.
 */
function preloadsOf(root, outputs, script) {
  const files = Object.entries(outputs);
  const entry = files.find(([file]) => basename(file) === script)?.[0] ?? '';
  const everything = (file, found) => {
    if (found.has(file)) return found;
    found.add(file);
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement') everything(path, found);
    return found;
  };
  const named = (found) =>
    [...found].map((file) => basename(file)).filter((name) => name !== script);
  const preloads = { '': named(everything(entry, new Set())) };
  for (const [file, { entryPoint = '' }] of files) {
    const section = /\/(\w+)\/\1\.tsx$/.exec(entryPoint)?.[1];
    if (section === undefined) continue;
    const whole = () => everything(file, everything(entry, new Set()));
    preloads[section] = named(whole());
    for (const { module, at } of laterPages(join(root, entryPoint))) {
      const page = files.find(([, output]) => output.entryPoint === relative(root, module))?.[0];
      if (page !== undefined) preloads[`${section}/${at}`] = named(everything(page, whole()));
    }
  }
  return preloads;
}

/** The pages a section loads when they are shown, with where below it each is. */
function laterPages(section) {
  const source = readFileSync(section, 'utf8');
  return [...source.matchAll(/import\('([^']+)\.js'\)\)\.\w+,\s*'([\w-]+)'/g)].map(
    ([, module, at]) => ({ module: join(dirname(section), `${module}.tsx`), at }),
  );
}

const isText = (output) => output?.entryPoint?.endsWith('.json') ?? false;
