// `npm test`: install, build, format, type check, lint, then every test on both database engines.
// `npm test -- src/platform/db` runs only the tests below those paths, without type check and lint.
// The last line is always `N passed, N failed`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
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
  const tool = (path) => join(root, 'node_modules', path);
  const folders = ['src', 'test', 'web', 'packages', 'bench', 'scripts'].filter((folder) =>
    existsSync(join(root, folder)),
  );
  const types = (project) => [tool('typescript/bin/tsc'), '-p', project, '--noEmit'];
  const prettier = tool('prettier/bin/prettier.cjs');
  // Each keeps a core busy, so two at a time.
  const codes = await Promise.all([
    run('Checking the format', [prettier, '--check', '--log-level=warn', '.']),
    run('Checking types', types('.')).then(async (code) => [
      code,
      await run('Checking types of the packages', types('packages')),
      await run('Linting', [tool('oxlint/bin/oxlint'), '--type-aware', '--quiet', ...folders]),
    ]),
  ]);
  return codes.flat().filter((code) => code !== 0).length;
}

let stopServer = async () => undefined;
let runner;

/** Node's own runner over these files in this order, `atOnce` at a time. */
function runFiles(files, { databaseUrl, atOnce }) {
  const totalsFile = join(root, 'build', `test-totals-${process.pid}.json`);
  const timesFile = join(root, 'build', `test-times-${process.pid}.jsonl`);
  const script = (name) => new URL(name, import.meta.url).href;
  // Without the optimising compiler each of the many short-lived embedded databases starts in half
  // the time.
  const quick =
    spawnSync(process.execPath, ['--liftoff-only', '-e', '0']).status === 0
      ? ['--liftoff-only']
      : [];
  const listFile = join(root, 'build', `test-files-${process.pid}.json`);
  // A test that hangs must not hang the run.
  writeFileSync(listFile, JSON.stringify({ files, atOnce, timeoutMs: 1_500_000 }));
  const args = [
    ...quick,
    `--import=${script('./test-setup.mjs')}`,
    `--import=${script('./test-exit.mjs')}`,
    '--enable-source-maps',
    join(root, 'scripts/test-runner.mjs'),
    listFile,
  ];
  return new Promise((done) => {
    runner = spawn(process.execPath, args, {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'test',
        SIDELIGHT_TEST_DATABASE_URL: databaseUrl,
        SIDELIGHT_TEST_TOTALS: totalsFile,
        SIDELIGHT_TEST_TIMES: timesFile,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
      // A group of its own, so that a signal reaches the test processes too.
      // On Windows that is a window of its own, and there are no groups.
      detached: process.platform !== 'win32',
    });
    runner.on('exit', (code) => {
      // A runner that died without totals, or a failure it did not count, is still a failure.
      const unseen = { passed: 0, failures: [{ place: '', text: 'the test runner broke off\n' }] };
      const totals = existsSync(totalsFile) ? JSON.parse(readFileSync(totalsFile, 'utf8')) : unseen;
      if (code !== 0 && totals.failures.length === 0) totals.failures = unseen.failures;
      for (const file of [totalsFile, listFile]) rmSync(file, { force: true });
      done({ ...totals, times: readTimes(timesFile) });
    });
  });
}

function readTimes(timesFile) {
  if (!existsSync(timesFile)) return [];
  const lines = readFileSync(timesFile, 'utf8').trim().split('\n');
  rmSync(timesFile, { force: true });
  // A test's own child processes write here too.
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ file }) => file.endsWith('.test.js'))
    .sort((a, b) => b.seconds - a.seconds);
}

/**
 * All files, one more at a time than there are cores: tests wait as much as they compute. A file
 * with a failure is run once more with the machine to itself: on a crowded machine a server may
 * start too late, and a red run shall mean a broken product. A test that passes only then is named
 * as unsteady; one that fails twice has failed.
 */
async function runTests(files) {
  const { startPostgresServer } = await import('../build/test/support/postgres-server.js');
  const { buildTemplate } = await import('./build-template.mjs');
  const starting = startPostgresServer();
  stopServer = async () => (await starting).stop();
  const [server] = await Promise.all([starting, buildTemplate()]);
  const first = await runFiles(mixed(files), {
    databaseUrl: server.url,
    atOnce: Math.min(4, availableParallelism() + 1),
  });
  process.stdout.write(
    `slowest files: ${first.times
      .slice(0, 12)
      .map(({ file, seconds }) => `${relative(join(root, 'build'), file)} ${seconds.toFixed(0)} s`)
      .join(', ')}\n`,
  );
  if (process.env.SIDELIGHT_KEEP_TEST_TIMES)
    writeFileSync(process.env.SIDELIGHT_KEEP_TEST_TIMES, JSON.stringify(first.times));
  const broken = files.filter((file) => first.failures.some(({ place }) => isPlaceIn(place, file)));
  const again =
    broken.length > 0 && broken.length <= mostTriedAgain
      ? await runFiles(broken, { databaseUrl: server.url, atOnce: 1 })
      : undefined;
  const failures =
    again === undefined
      ? first.failures
      : [...first.failures.filter(({ place }) => !isPlaceIn(place, ...broken)), ...again.failures];
  const unsteady = first.failures.filter((one) => !failures.some((f) => f.place === one.place));
  for (const { text } of unsteady) process.stdout.write(`\nUNSTEADY, passed alone: ${text}`);
  for (const { text } of failures) process.stdout.write(`\n${text}`);
  return { passed: first.passed + unsteady.length, failed: failures.length };
}

/**
 * Tests of the whole product wait for browsers and other processes, those of its parts compute: one
 * kind beside the other keeps the machine busy. The long ones begin early, so that none ends alone.
 */
function mixed(files) {
  const isWhole = (file) => relative(join(root, 'build'), file).startsWith('test');
  const spread = (list, over) => list.map((file, at) => [file, (at / list.length) * over]);
  return [
    ...spread(files.filter(isWhole), 0.9),
    ...spread(
      files.filter((file) => !isWhole(file)),
      1,
    ),
  ]
    .sort(([, a], [, b]) => a - b)
    .map(([file]) => file);
}

/** More than this many failing files are no accident of a crowded machine. */
const mostTriedAgain = 12;

/** A place is a source or a built file, with a line. */
function isPlaceIn(place, ...files) {
  const bare = (path) =>
    path
      .replaceAll('\\', '/')
      .replace(/:\d+$/, '')
      .replace(/\.(ts|tsx|js)$/, '')
      .replace(/^build\//, '');
  return files.some((file) => bare(relative(root, file)) === bare(place));
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
        // Windows has no groups of processes.
        if (process.platform === 'win32') runner.kill('SIGKILL');
        else process.kill(-runner.pid, 'SIGKILL');
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
