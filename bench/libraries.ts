// What the field's libraries would bring in place of ours: the job queue by CPU and statements a
// job on both engines, router and charts of the dashboard by the bytes a page loads.
import { PGlite } from '@electric-sql/pglite';
import { build } from 'esbuild';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openStore } from '../src/cli/open-store.js';
import { packageRoot } from '../src/cli/package-root.js';
import { readConfig } from '../src/config.js';
import type { Database } from '../src/platform/db/db.js';
import { createJobQueue } from '../src/platform/jobs/job-queue.js';
import { silentLog } from '../src/platform/log.js';
import { treeCpuMicros } from './support/tree-cpu.js';
import { withEngine } from './support/with-engine.js';

export const summary =
  'libraries in place of ours: a job by CPU and statements, router and charts by bytes';

const packages = 'pg-boss wouter-preact preact-iso uplot chart.js preact';
/** As many as our queue claims at once. */
const atOnce = 4;

/** Arguments: a folder with the libraries installed, jobs (2000), rounds (3). */
export async function run(args: readonly string[]): Promise<void> {
  const [folder, ...numbers] = args;
  if (folder === undefined) {
    process.stdout.write(`name a folder where \`npm install ${packages}\` was done\n`);
    return;
  }
  const [jobs = 2000, rounds = 3] = numbers.map(Number);
  await compareBytes(folder);
  for (const engine of ['embedded', 'server'] as const)
    for (let round = 1; round <= rounds; round += 1) {
      const ours = await measureOurs(engine, jobs);
      const theirs = await measureBoss(folder, engine, jobs);
      process.stdout.write(
        `jobs, ${engine} engine: ours ${shown(ours)}; pg-boss ${shown(theirs)}\n`,
      );
    }
}

interface Cost {
  cpuMicros: number;
  /** Statements a job, asked for and run. */
  statements: number;
}

function shown({ cpuMicros, statements }: Cost): string {
  return `${cpuMicros.toFixed(0)} µs CPU, ${statements.toFixed(2)} statements a job`;
}

function cpuOf(pid: number): number {
  const { user, system } = process.cpuUsage();
  return user + system + (pid === 0 ? 0 : treeCpuMicros(pid));
}

async function measureOurs(engine: 'embedded' | 'server', jobs: number): Promise<Cost> {
  let cost: Cost = { cpuMicros: 0, statements: 0 };
  await withEngine(engine, async (settings) => {
    const store = await openStore(
      readConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), 'sidelight-bench-')), ...settings }),
    );
    let statements = 0;
    const db: Database = {
      ...store.db,
      query: (text, values) => {
        statements += 1;
        return store.db.query(text, values);
      },
    };
    const queue = createJobQueue<{ work: { n: number } }, never>({
      db,
      clock: Date.now,
      log: silentLog,
      nodeId: '01900000-0000-7000-8000-000000000001',
    });
    let done = 0;
    queue.handle('work', async () => void (done += 1));
    const round = async (name: string): Promise<void> => {
      for (let n = 0; n < jobs; n += 1) await queue.enqueue(db, 'work', `${name}-${n}`, { n });
      await queue.runDue();
    };
    // The first one plans and compiles.
    await round('first');
    const pid = Number(settings['BENCH_DATABASE_PID'] ?? 0);
    const before = cpuOf(pid);
    statements = 0;
    await round('second');
    cost = { cpuMicros: (cpuOf(pid) - before) / jobs, statements: statements / jobs };
    if (done !== 2 * jobs) throw new Error(`${done} of ${2 * jobs} jobs were run`);
    await queue.close();
    await store.close();
  });
  return cost;
}

/** What of pg-boss is used here; it is no package of ours, so its types are not there. */
interface Boss {
  start(): Promise<unknown>;
  stop(options: { graceful: boolean }): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): void;
  createQueue(name: string): Promise<unknown>;
  send(name: string, data: object): Promise<unknown>;
  fetch(name: string, options: { batchSize: number }): Promise<readonly { id: string }[]>;
  complete(name: string, ids: readonly string[]): Promise<unknown>;
}
interface Sql {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}
interface BossModule {
  PgBoss: new (options: object) => Boss;
  fromPglite(database: PGlite): Sql;
}

async function measureBoss(
  folder: string,
  engine: 'embedded' | 'server',
  jobs: number,
): Promise<Cost> {
  const at = createRequire(join(folder, 'index.js')).resolve('pg-boss');
  // Its own declarations say more; this is what the bench calls.
  const module = (await import(pathToFileURL(at).href)) as BossModule;
  let cost: Cost = { cpuMicros: 0, statements: 0 };
  await withEngine(engine, async (settings) => {
    let statements = 0;
    const open = openSql(module, folder, settings['DATABASE_URL']);
    const boss = new module.PgBoss({
      db: {
        executeSql(text: string, values?: unknown[]) {
          statements += 1;
          return open.sql.executeSql(text, values);
        },
      },
      ...(engine === 'embedded' ? { backend: 'pglite' } : {}),
      supervise: false,
      schedule: false,
    });
    boss.on('error', (error) => process.stderr.write(`${error.message}\n`));
    await boss.start();
    await boss.createQueue('work');
    const round = async (): Promise<void> => {
      for (let n = 0; n < jobs; n += 1) await boss.send('work', { n });
      for (;;) {
        const claimed = await boss.fetch('work', { batchSize: atOnce });
        if (claimed.length === 0) return;
        // Each by itself, as ours: one that fails must not take its neighbours along.
        await Promise.all(claimed.map(({ id }) => boss.complete('work', [id])));
      }
    };
    await round();
    const pid = Number(settings['BENCH_DATABASE_PID'] ?? 0);
    const before = cpuOf(pid);
    statements = 0;
    await round();
    cost = { cpuMicros: (cpuOf(pid) - before) / jobs, statements: statements / jobs };
    await boss.stop({ graceful: false });
    await open.close();
  });
  return cost;
}

/** As its authors mean it to be used: a pool of connections, or PGlite in this thread. */
function openSql(
  { fromPglite }: BossModule,
  folder: string,
  url: string | undefined,
): { sql: Sql; close(): Promise<void> } {
  if (url === undefined) {
    const database = new PGlite(mkdtempSync(join(tmpdir(), 'sidelight-bench-')));
    return { sql: fromPglite(database), close: () => database.close() };
  }
  // The driver both of us use.
  const { Pool } = createRequire(join(folder, 'index.js'))('pg') as typeof import('pg');
  const pool = new Pool({ connectionString: url, max: atOnce });
  // The server is stopped while connections of the pool are on their way out.
  pool.on('error', () => undefined);
  return {
    sql: { executeSql: async (text, values) => ({ rows: await rowsOf(pool, text, values) }) },
    close: () => pool.end(),
  };
}

async function rowsOf(
  pool: { query(text: string, values?: unknown[]): Promise<unknown> },
  text: string,
  values?: unknown[],
): Promise<unknown[]> {
  const answer = await pool.query(text, values);
  // Several statements in one text answer with a list.
  const results = (Array.isArray(answer) ? answer : [answer]) as { rows: unknown[] }[];
  return results.flatMap(({ rows }) => rows);
}

async function compareBytes(folder: string): Promise<void> {
  const pieces: readonly (readonly [string, string, string])[] = [
    ['router', 'ours', `export * from ${inRoot('web/dashboard/core/router.tsx')}`],
    ['router', 'wouter-preact', `export { Link, Route, Switch, useLocation } from 'wouter-preact'`],
    ['router', 'preact-iso', `export { LocationProvider, Router, useLocation } from 'preact-iso'`],
    ['charts', 'ours', `export * from ${inRoot('web/dashboard/ui/charts/charts.tsx')}`],
    ['charts', 'uplot', `import './node_modules/uplot/dist/uPlot.min.css'; export * from 'uplot'`],
    ['charts', 'chart.js', chartsOfLibrary],
  ];
  for (const [piece, name, contents] of pieces)
    process.stdout.write(`${piece}, ${name}: ${await gzBytes(folder, contents)} bytes gz\n`);
}

/** Lines and bars with what ours have: axes, a legend, what is under the pointer. */
const chartsOfLibrary = `import * as c from 'chart.js';
c.Chart.register(c.LineController, c.BarController, c.LineElement, c.PointElement, c.BarElement,
  c.CategoryScale, c.LinearScale, c.TimeScale, c.Tooltip, c.Legend, c.Filler);
export const Chart = c.Chart;`;

function inRoot(path: string): string {
  return JSON.stringify(join(packageRoot(), path));
}

/** Minified, without the framework and without what other pages load anyway. */
async function gzBytes(folder: string, contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    outdir: 'out',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Rendering on a server is no part of a page.
    external: ['preact', 'preact/*', '../../core/*', 'preact-render-to-string'],
  });
  return outputFiles.reduce((sum, { contents: bytes }) => sum + gzipSync(bytes).length, 0);
}
