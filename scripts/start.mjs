// `npm start`: install, build, serve. Extra arguments go to the `sidelight` command.
import cluster from 'node:cluster';
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

// Workers run what the first process made, also when the sources changed since.
if (cluster.isPrimary) {
  await ensureInstalled('run');
  await ensureBuilt();
}
process.argv.splice(
  2,
  process.argv.length - 2,
  ...(process.argv.length > 2 ? process.argv.slice(2) : ['serve']),
);
await import('../build/server/main.js');
