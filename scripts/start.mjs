// `npm start`: install, build, serve. Extra arguments go to the `sidelight` command.
import cluster from 'node:cluster';
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

// Workers run what the first process made, also when the sources changed since.
if (cluster.isPrimary) {
  await ensureInstalled('run');
  await ensureBuilt();
}
if (cluster.isPrimary && process.env.npm_lifecycle_event === 'start') endWithShell();
process.argv.splice(
  2,
  process.argv.length - 2,
  ...(process.argv.length > 2 ? process.argv.slice(2) : ['serve']),
);
await import('../build/server/main.js');

/**
 * npm hands a signal to its shell, and not every shell hands it on: when ours has ended, somebody
 * told it to. Not a second time, which would mean that they cannot wait. While nobody handles a
 * signal it ends us at once; we listen only beside somebody who does.
 */
function endWithShell() {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
  const isTold = () => clearInterval(watch);
  process.on('newListener', (signal, listener) => {
    if ((signal === 'SIGINT' || signal === 'SIGTERM') && listener !== isTold)
      process.once(signal, isTold);
  });
}
