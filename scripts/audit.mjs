// `npm run audit`: the lock file against the committed list of advisories, without asking anyone.
// `npm run audit -- --update` asks the registry which advisories there are for what is locked and
// writes scripts/advisories.json; a machine without the network still checks what was known then.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from './bootstrap.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const listFile =
  process.argv.slice(2).find((argument) => argument.endsWith('.json')) ??
  join(root, 'scripts/advisories.json');

/** Every package of the lock file with its version, once. */
function lockedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const locked = new Map();
  for (const [path, entry] of Object.entries(packages)) {
    const at = path.lastIndexOf('node_modules/');
    if (at === -1 || entry.link === true) continue;
    const name = entry.name ?? path.slice(at + 'node_modules/'.length);
    locked.set(name, new Set([...(locked.get(name) ?? []), entry.version]));
  }
  return locked;
}

function numbers(version) {
  return version.split(/[+-]/)[0].split('.').map(Number);
}

/** Below, equal or above; a prerelease is below its release. */
function compare(a, b) {
  const [left, right] = [numbers(a), numbers(b)];
  for (let at = 0; at < 3; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return Number(b.includes('-')) - Number(a.includes('-'));
}

const tests = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '=': (order) => order === 0,
};

/** Ranges as advisories write them: `>=1.0.0 <1.2.3 || =2.0.0`. */
export function isInRange(version, range) {
  return range.split('||').some((part) =>
    part
      .trim()
      .replace(/([<>=]) {1,9}/g, '$1')
      .split(' ')
      .every((piece) => {
        const [, sign = '=', bound = ''] = /^(<=|>=|<|>|=)?(.+)$/.exec(piece) ?? [];
        return bound === '*' || tests[sign](compare(version, bound));
      }),
  );
}

async function update() {
  const asked = Object.fromEntries([...lockedPackages()].map(([name, all]) => [name, [...all]]));
  // The registry npm itself asks here.
  const { command, args, shell } = npmCommand(['config', 'get', 'registry']);
  const registry = spawnSync(command, args, { encoding: 'utf8', shell }).stdout;
  const answer = await fetch(new URL('-/npm/v1/security/advisories/bulk', registry.trim()), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
    signal: AbortSignal.timeout(60_000),
  });
  if (!answer.ok) throw new Error(`the registry answers ${answer.status}`);
  const known = JSON.parse(readFileSync(listFile, 'utf8')).advisories;
  const found = Object.entries(await answer.json()).flatMap(([name, list]) =>
    list.map((each) => ({
      package: name,
      id: String(each.url).split('/').at(-1),
      range: each.vulnerable_versions,
      severity: each.severity,
      title: each.title,
    })),
  );
  // What was known stays: a version may be locked again.
  const all = new Map([...known, ...found].map((each) => [`${each.package} ${each.id}`, each]));
  const advisories = [...all.values()].sort((a, b) =>
    `${a.package} ${a.id}` < `${b.package} ${b.id}` ? -1 : 1,
  );
  const updated = new Date().toISOString().slice(0, 10);
  writeFileSync(listFile, `${JSON.stringify({ updated, advisories }, null, 2)}\n`);
  process.stdout.write(`${advisories.length} advisories, ${found.length} of them from today\n`);
}

function check() {
  const { updated, advisories } = JSON.parse(readFileSync(listFile, 'utf8'));
  const locked = lockedPackages();
  const findings = advisories.flatMap((each) =>
    [...(locked.get(each.package) ?? [])]
      .filter((version) => isInRange(version, each.range))
      .map((version) => `${each.package} ${version}: ${each.severity}, ${each.title} (${each.id})`),
  );
  for (const finding of findings) process.stdout.write(`${finding}\n`);
  process.stdout.write(
    `${locked.size} packages against ${advisories.length} advisories of ${updated}: ${findings.length} found\n`,
  );
  process.exitCode = findings.length === 0 ? 0 : 1;
}

if (process.argv.includes('--update'))
  await update().catch((error) => {
    process.stderr.write(`The list stays as it is: ${error.cause?.message ?? error.message}\n`);
    process.exitCode = 2;
  });
if (process.exitCode === undefined) check();
