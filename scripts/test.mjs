// `npm test`: install, build, format, type check, lint, then every test on both database engines.
// `npm test -- src/platform/db` runs only the tests below those paths, without type check and lint.
// The last line is always `N passed, N failed`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** `npm run check`: everything that needs no database. */
const checkOnly = process.argv.includes('--check');
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));

/**
 * Test files of the build, but only those whose source still exists: the build keeps files of
 * deleted sources.
 */
function testFiles() {
  const all = readdirSync(join(root, 'build'), { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.js') && !path.includes('node_modules'))
    .filter((path) =>
      ['.ts', '.tsx'].some((ending) => existsSync(join(root, path.replace(/\.js$/, ending)))),
    )
    .sort();
  const wanted = filters.map((filter) =>
    relative(root, join(root, filter))
      .replaceAll('\\', '/')
      .replace(/^build\//, '')
      .replace(/\.(ts|js)x?$/, ''),
  );
  const chosen =
    wanted.length === 0
      ? all
      : all.filter((path) => wanted.some((start) => path.startsWith(start)));
  return chosen.map((path) => join(root, 'build', path));
}

function run(title, args) {
  process.stderr.write(`${title}…\n`);
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    child.on('error', () => done(1));
    child.on('exit', (code) => done(code ?? 1));
  });
}

async function checks() {
  const format = await run('Checking the format', [
    join(root, 'node_modules/prettier/bin/prettier.cjs'),
    '--check',
    '--log-level=warn',
    '.',
  ]);
  const typeCheck = await run('Checking types', [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    '.',
    '--noEmit',
  ]);
  const packageCheck = await run('Checking types of the packages', [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    'packages',
    '--noEmit',
  ]);
  const folders = ['src', 'test', 'web', 'packages', 'bench', 'scripts'].filter((folder) =>
    existsSync(join(root, folder)),
  );
  const lint = await run('Linting', [
    join(root, 'node_modules/oxlint/bin/oxlint'),
    '--type-aware',
    '--quiet',
    ...folders,
  ]);
  return [format, typeCheck, packageCheck, lint].filter((code) => code !== 0).length;
}

let stopServer = async () => undefined;
let runner;

async function runTests(files) {
  const { startPostgresServer } = await import('../build/test/support/postgres-server.js');
  const { buildTemplate } = await import('./build-template.mjs');
  const starting = startPostgresServer();
  stopServer = async () => (await starting).stop();
  const [server] = await Promise.all([starting, buildTemplate()]);
  const totalsFile = join(root, 'build', `test-totals-${process.pid}.json`);
  const reporter = new URL('./test-reporter.mjs', import.meta.url).href;
  // A test that hangs must not hang the run; the flag is younger than Node 20.0.
  const [major, minor] = process.versions.node.split('.').map(Number);
  const timeout = major > 20 || minor >= 11 ? ['--test-timeout=600000'] : [];
  // Without the optimising compiler each of the many short-lived embedded databases starts in half
  // the time.
  const quick =
    spawnSync(process.execPath, ['--liftoff-only', '-e', '0']).status === 0
      ? ['--liftoff-only']
      : [];
  const leave = `--import=${new URL('./test-exit.mjs', import.meta.url).href}`;
  const sameCases = `--import=${new URL('./test-setup.mjs', import.meta.url).href}`;
  const args = [
    ...quick,
    sameCases,
    leave,
    '--enable-source-maps',
    '--test',
    '--test-concurrency=2',
    ...timeout,
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stdout',
    ...files,
  ];
  return new Promise((done) => {
    runner = spawn(process.execPath, args, {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'test',
        SIDELIGHT_TEST_DATABASE_URL: server.url,
        SIDELIGHT_TEST_TOTALS: totalsFile,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
      // A group of its own, so that a signal reaches the test processes too.
      detached: true,
    });
    runner.on('exit', (code) => {
      // A runner that died without totals, or a failure it did not count, is still a failure.
      const totals = existsSync(totalsFile)
        ? JSON.parse(readFileSync(totalsFile, 'utf8'))
        : { passed: 0, failed: 1 };
      if (code !== 0 && totals.failed === 0) totals.failed = 1;
      rmSync(totalsFile, { force: true });
      done(totals);
    });
  });
}

async function main() {
  const started = Date.now();
  const { ensureBuilt, ensureInstalled } = await import('./bootstrap.mjs');
  await ensureInstalled('full');
  await ensureBuilt();
  if (checkOnly) filters.push('test/structure');
  const files = testFiles();
  if (files.length === 0) {
    process.stderr.write(`no tests below ${filters.join(', ')}\n`);
    return { passed: 0, failed: 1 };
  }
  const failedChecks = filters.length === 0 || checkOnly ? await checks() : 0;
  process.stderr.write(`Running ${files.length} test files on both database engines…\n`);
  const totals = await runTests(files);
  process.stderr.write(`${Math.round((Date.now() - started) / 1000)} s\n`);
  return { passed: totals.passed, failed: totals.failed + failedChecks };
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (runner?.pid !== undefined) {
      try {
        process.kill(-runner.pid, 'SIGKILL');
      } catch {
        // Already over.
      }
    }
    void stopServer().finally(() => process.exit(130));
  });
}

let totals = { passed: 0, failed: 1 };
try {
  totals = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
} finally {
  await stopServer();
}
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;
