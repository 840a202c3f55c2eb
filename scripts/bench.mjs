// `npm run bench -- <name> [arguments]`: runs bench/<name>.ts; without a name lists them.
import { existsSync, readdirSync } from 'node:fs';
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled('full');
await ensureBuilt();
const folder = new URL('../build/bench/', import.meta.url);
const [name, ...args] = process.argv.slice(2);
if (name === undefined || !existsSync(new URL(`${name}.js`, folder))) {
  process.stdout.write('usage: npm run bench -- <name> [arguments]\n\n');
  for (const file of readdirSync(folder)
    .filter((entry) => entry.endsWith('.js'))
    .sort()) {
    const bench = await import(new URL(file, folder).href);
    if (typeof bench.run === 'function')
      process.stdout.write(`  ${file.slice(0, -3).padEnd(20)} ${bench.summary ?? ''}\n`);
  }
  process.exit(name === undefined ? 0 : 1);
}
const bench = await import(new URL(`${name}.js`, folder).href);
await bench.run(args);
