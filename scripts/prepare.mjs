// `node scripts/prepare.mjs [run|full]`: installs and builds what a later start needs, and starts
// nothing: for images and machines that are set up before they serve.
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled(process.argv[2] === 'full' ? 'full' : 'run');
await ensureBuilt();
