// Makes a fresh clone runnable with Node's own modules only: installs and builds when something
// changed, and says what it does.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const say = (text) => process.stderr.write(`${text}\n`);

function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    if (existsSync(join(root, path))) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 32);
}

function readStamp(name) {
  const path = join(root, 'node_modules', `.sidelight-${name}`);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function writeStamp(name, value) {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'node_modules', `.sidelight-${name}`), value);
}

/**
 * By itself npm tries for minutes, without a word, to reach a network that is not there; and asks
 * one that is for what it has already.
 */
const impatience = [
  '--prefer-offline',
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=3000',
];

/** What npm and Node call a network that is not there. */
const networkErrors = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENOTCACHED',
  'ERR_SOCKET_TIMEOUT',
];
const unreachable = new RegExp(String.raw`\b(?:${networkErrors.join('|')})\b`);

/**
 * Whether the registry can be reached, so that without a network nobody waits until npm has asked
 * for every package. A proxy is npm's own affair, and so is a certificate we cannot judge.
 */
async function registryAnswers() {
  const { npm_config_user_agent: npm, npm_config_registry: registry } = process.env;
  const isProxied = Object.keys(process.env).some(
    (name) => /^(npm_config_)?https?[-_]?proxy$/i.test(name) || /^npm_config_proxy$/i.test(name),
  );
  if (npm === undefined || isProxied) return true;
  try {
    const signal = AbortSignal.timeout(20_000);
    await fetch(registry ?? 'https://registry.npmjs.org/', { method: 'HEAD', signal });
    return true;
  } catch (error) {
    return error.name !== 'TimeoutError' && !unreachable.test(error.cause?.code ?? '');
  }
}

/**
 * How npm is started: the one that runs us, else the one on the path, which on Windows is a batch
 * file that only a shell can start. Node itself needs none, and its folder may have a space. Other
 * package managers say here who they are, and do not know how to `ci`.
 */
export function npmCommand(args) {
  const npm = process.env.npm_execpath;
  return npm !== undefined && basename(npm) === 'npm-cli.js'
    ? { command: process.execPath, args: [npm, ...args], shell: false }
    : { command: 'npm', args, shell: process.platform === 'win32' };
}

/** What npm says is shown as it comes, and its complaints are kept. */
function runNpm(given) {
  const { command, args, shell } = npmCommand(given);
  return new Promise((done) => {
    let complaint = '';
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'pipe'], shell });
    child.stderr.on('data', (part) => {
      complaint += part;
      process.stderr.write(part);
    });
    child.on('error', (error) => done({ code: 1, complaint: error.message }));
    child.on('close', (code) => done({ code: code ?? 1, complaint }));
  });
}

/** 'run' leaves out what only tests need; 'full' has everything. */
export async function ensureInstalled(kind) {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) {
    say(`Sidelight needs Node 20 or newer; this is ${process.version}.`);
    process.exit(1);
  }
  // The lock file repeats what package.json asks for, so that a new script in there installs
  // nothing.
  const wanted = fingerprint(['package-lock.json']);
  const stamp = readStamp('install');
  if (stamp === `full ${wanted}` || (kind === 'run' && stamp === `run ${wanted}`)) return;
  say(
    `Installing packages (${kind === 'full' ? 'with test tools, ' : ''}first time or after a change)…`,
  );
  const started = Date.now();
  const args = [
    'ci',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    // What npm has kept may be all there is to install.
    ...((await registryAnswers()) ? impatience : ['--offline']),
    ...(kind === 'run' ? ['--omit=dev'] : []),
  ];
  const beat = setInterval(
    () => say(`  still installing, ${Math.round((Date.now() - started) / 1000)} s`),
    15_000,
  );
  const { code, complaint } = await runNpm(args);
  clearInterval(beat);
  if (code !== 0) {
    say(
      unreachable.test(complaint)
        ? 'Installing needs the network: the packages named in package-lock.json are missing and no registry answers. Connect (or set npm’s proxy or registry) and run the command again; later starts need no network.'
        : 'Installing failed; the lines above say why. Mend that and run the command again.',
    );
    process.exit(1);
  }
  writeStamp('install', `${kind} ${wanted}`);
  say(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** Newest change among the sources; cheap enough for every start. */
function sourceState() {
  const hash = createHash('sha256');
  const visit = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      if (entry.name === 'node_modules' || entry.name === 'dist') continue;
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) visit(path);
      else {
        const { size, mtimeMs } = statSync(join(root, path));
        hash.update(`${path}:${size}:${mtimeMs};`);
      }
    }
  };
  for (const folder of [
    'src',
    'web',
    'packages',
    'migrations',
    'catalog',
    'scripts',
    'test',
    'bench',
    'docs',
  ])
    if (existsSync(join(root, folder))) visit(folder);
  return hash.update(fingerprint(['package-lock.json'])).digest('hex');
}

export async function ensureBuilt() {
  const state = sourceState();
  if (readStamp('build') === state && existsSync(join(root, 'build/server/main.js'))) return;
  say('Building (first time or after a change)…');
  const started = Date.now();
  const { buildAll, buildPackageTypes, stopBuilding } = await import('./build.mjs');
  await buildAll();
  await buildPackageTypes().catch(() =>
    say('The packages have no declarations: what the compiler says above is to be mended first.'),
  );
  // An empty migrated store to copy at the first start: seconds now, or the same seconds then.
  const { buildTemplate } = await import('./build-template.mjs');
  await buildTemplate();
  await stopBuilding();
  writeStamp('build', state);
  say(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}
