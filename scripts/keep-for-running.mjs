// `node scripts/keep-for-running.mjs`: takes away every package the built server does not load, and
// of those it loads what is for other machines or other tools. For images: nothing can be built,
// tested or started from its sources afterwards.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { external } from './bundle-server.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const specifier = /^(?:import|export)\b[^"';]*?(["'])([^"'\n]+)\1/gm;

/** `createRequire(…)('package')`, bundled or not. */
const required = /\bcreateRequire\(.*?\)(?:\.resolve)?\((["'])([^"'\n]+)\1\)/g;

/** Packages the server loads: what was left out of its bundle, and what the threads beside it ask. */
export function packagesLoaded() {
  const bundle = readdirSync(join(root, 'build/server')).map((file) =>
    readFileSync(join(root, 'build/server', file), 'utf8'),
  );
  const packages = new Set();
  const seen = new Set();
  const threads = readdirSync(join(root, 'build/src'), { recursive: true })
    .filter((file) => file.endsWith('-worker.js'))
    .map((file) => join(root, 'build/src', file));
  for (const waiting = threads; waiting.length > 0;) {
    const file = waiting.pop();
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    bundle.push(text);
    for (const [, , name] of text.matchAll(specifier))
      if (name.startsWith('.')) waiting.push(resolve(dirname(file), name));
      else if (!isBuiltin(name)) packages.add(packageOf(name));
  }
  for (const text of bundle)
    for (const [, , name] of text.matchAll(required))
      if (!isBuiltin(name) && !name.startsWith('.')) packages.add(packageOf(name));
  for (const name of external)
    if (bundle.some((text) => text.includes(`"${name}`))) packages.add(name);
  return packages;
}

const packageOf = (name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

/** Folders of these packages and of everything they ask for, as the lock file places them. */
export function foldersOf(names) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const kept = new Set();
  const place = (name, from) => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
      if (packages[path] !== undefined) return path;
      if (at === '' || !at.includes('/node_modules/')) {
        const top = `node_modules/${name}`;
        return packages[top] === undefined ? null : top;
      }
    }
  };
  const keep = (name, from) => {
    const path = place(name, from);
    if (path === null || kept.has(path)) return;
    kept.add(path);
    const { dependencies, optionalDependencies } = packages[path];
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) keep(next, path);
  };
  for (const name of names) keep(name, '');
  return { kept, all: Object.keys(packages).filter((path) => path.startsWith('node_modules/')) };
}

function takeAway() {
  const { kept, all } = foldersOf(packagesLoaded());
  const isKept = (path) => [...kept].some((one) => one === path || one.startsWith(`${path}/`));
  for (const path of all)
    if (!isKept(path)) rmSync(join(root, path), { recursive: true, force: true });
  rmSync(join(root, 'node_modules/.bin'), { recursive: true, force: true });
  const native = join(root, 'node_modules/onnxruntime-node/bin/napi-v3');
  for (const system of existsSync(native) ? readdirSync(native) : [])
    for (const machine of readdirSync(join(native, system)))
      if (system !== process.platform || machine !== process.arch)
        rmSync(join(native, system, machine), { recursive: true });
  for (const file of readdirSync(join(root, 'node_modules'), { recursive: true }))
    if (/\.(map|d\.[cm]?ts)$/.test(file)) rmSync(join(root, 'node_modules', file), { force: true });
  process.stdout.write(`kept ${kept.size} packages of ${all.length}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) takeAway();
