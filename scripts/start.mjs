// `npm start`: install, build, serve. Extra arguments go to the `sidelight` command.
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled('run');
await ensureBuilt();
process.argv.splice(
  2,
  process.argv.length - 2,
  ...(process.argv.length > 2 ? process.argv.slice(2) : ['serve']),
);
await import('../build/server/main.js');
