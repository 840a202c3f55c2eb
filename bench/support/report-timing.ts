import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { Database } from '../../src/platform/db/db.js';

export interface Timing {
  best: number;
  median: number;
  cpu: number;
}

/**
 * Machines are noisy: the CPU time of a round, ours and the database's, is what to trust. Work that
 * times itself returns its milliseconds.
 */
export type Time = (work: () => Promise<unknown>, rounds?: number) => Promise<Timing>;

export async function timeWith(db: Database): Promise<Time> {
  const postmaster = await findPostmaster(db);
  return async (work, rounds = 11) => {
    const times: number[] = [];
    await work();
    const spent = cpuMs(postmaster);
    for (let round = 0; round < rounds; round += 1) {
      const started = performance.now();
      const own = await work();
      times.push(typeof own === 'number' ? own : performance.now() - started);
    }
    times.sort((a, b) => a - b);
    return {
      best: times[0] ?? 0,
      median: times[Math.floor(rounds / 2)] ?? 0,
      cpu: (cpuMs(postmaster) - spent) / rounds,
    };
  };
}

/**
 * The process that started the database's backends; 0 for the embedded engine, which runs in this
 * process.
 */
async function findPostmaster(db: Database): Promise<number> {
  if (db.engine === 'embedded') return 0;
  const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
  return row === undefined ? 0 : (statOf(row.pid)?.parent ?? 0);
}

function cpuMs(postmaster: number): number {
  const own = process.cpuUsage();
  let total = (own.user + own.system) / 1000;
  if (postmaster === 0) return total;
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? statOf(Number(entry)) : null;
    if (stat?.parent === postmaster) total += stat.cpuMs;
  }
  return total;
}

function statOf(pid: number): { parent: number; cpuMs: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return { parent: Number(fields[1]), cpuMs: Number(nanoseconds) / 1e6 };
  } catch {
    return null;
  }
}

export function show(name: string, { best, median, cpu }: Timing, target: number, more = ''): void {
  process.stdout.write(
    `  ${name.padEnd(52)} CPU ${cpu.toFixed(0).padStart(5)} ms, best ${best.toFixed(1).padStart(7)} ms, median ${median.toFixed(1).padStart(7)} ms${Number.isNaN(target) ? '' : ` (target ${target})`}${more}\n`,
  );
}

/** How far the process grew beyond what it had at this moment. */
export function watchMemory(): { stop: () => number } {
  const idle = process.memoryUsage.rss();
  let above = 0;
  const watch = setInterval(
    () => void (above = Math.max(above, process.memoryUsage.rss() - idle)),
    20,
  );
  return {
    stop: () => {
      clearInterval(watch);
      return above;
    },
  };
}

/**
 * In a process of its own, as a client would be, timed from the request to the last byte: starting
 * a process takes as long again.
 */
export function download(
  url: string,
  headers: Record<string, string>,
): Promise<{ bytes: number; ms: number }> {
  const code = `const http = require('http'); let size = 0; const started = performance.now(); http.get(process.argv[1], { headers: JSON.parse(process.argv[2]) }, (answer) => answer.on('data', (chunk) => (size += chunk.length)).on('end', () => console.log(size, performance.now() - started)));`;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['-e', code, url, JSON.stringify(headers)], (error, stdout) => {
      const [bytes = 0, ms = 0] = stdout.split(' ').map(Number);
      return error === null ? resolve({ bytes, ms }) : reject(error);
    });
  });
}
