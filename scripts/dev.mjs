// `npm run dev`: builds, serves, and does both again when a source file changes. Extra arguments go
// to the `sidelight` command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const quietMs = 150;

await ensureInstalled('full');
let server;
let again = Promise.resolve();

async function restart() {
  if (server !== undefined && server.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  try {
    await ensureBuilt();
  } catch (error) {
    process.stderr.write(`Not built: ${error instanceof Error ? error.message : error}\n`);
    return;
  }
  server = spawn(process.execPath, [join(root, 'build/server/main.js'), ...serverArguments()], {
    cwd: root,
    stdio: 'inherit',
  });
}

function serverArguments() {
  return process.argv.length > 2 ? process.argv.slice(2) : ['serve'];
}

let timer;
for (const folder of ['src', 'web', 'packages', 'catalog', 'migrations']) {
  watch(join(root, folder), { recursive: true }, (_, name) => {
    // The build of a package writes into its dist folder.
    if (name === null || name.includes('dist') || name.includes('node_modules')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      again = again.then(restart);
    }, quietMs);
  });
}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    server?.kill(signal);
    process.exit(0);
  });
again = again.then(restart);
