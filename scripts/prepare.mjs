// `node scripts/prepare.mjs [run|full|packages]`: installs and builds what a later start needs, and
// starts nothing: for images and machines that are set up before they serve. `packages` is `npm run
// build`: everything anew, with the declarations that `npm pack` takes along.
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

const [, , kind = 'run'] = process.argv;
await ensureInstalled(kind === 'run' ? 'run' : 'full');
if (kind === 'packages') await buildForPacking();
else await ensureBuilt();

async function buildForPacking() {
  const started = Date.now();
  const { buildAll, buildPackageTypes } = await import('./build.mjs');
  const count = await buildAll();
  await buildPackageTypes();
  process.stdout.write(`built ${count} files in ${Date.now() - started} ms\n`);
}
