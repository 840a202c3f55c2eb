#!/usr/bin/env node
// The `sidelight` command, from a clone or an installed package.
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

await ensureInstalled('run');
await ensureBuilt();
process.argv.splice(
  2,
  process.argv.length - 2,
  ...(process.argv.length > 2 ? process.argv.slice(2) : ['serve']),
);
await import('../build/server/main.js');
