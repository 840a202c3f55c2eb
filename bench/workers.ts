import { cpus } from 'node:os';
import { startPostgresServer } from '../test/support/postgres-server.js';
import { asker, closedLoop } from './support/ad-load.js';
import { startBuiltServer } from './support/built-server.js';
import { memoryOfTree } from './support/tree-cpu.js';

export const summary =
  'ad requests a second with 1, 2 and 4 workers behind one port, on PostgreSQL';

/** Arguments: seconds of each part (12), askers at a time (64), numbers of workers (1,2,4). */
export async function run(args: readonly string[]): Promise<void> {
  const seconds = Number(args[0] ?? 12);
  const askers = Number(args[1] ?? 64);
  const counts = (args[2] ?? '1,2,4').split(',').map(Number);
  process.stdout.write(
    `${cpus().length} cores, shared by the server, PostgreSQL and the askers\n` +
      `${['workers', 'in time', 'turned away', 'late', 'broken', 'MB'].map((name) => name.padStart(12)).join('')}\n`,
  );
  for (const workers of counts) {
    const postgres = await startPostgresServer({ durable: true });
    const server = await startBuiltServer({
      DATABASE_URL: postgres.url,
      WORKERS: String(workers),
      // What is measured is the server, not how long a model takes.
      MATCHING: 'fast',
    });
    try {
      if (workers > 1) await server.says(`${workers} workers serve`);
      const ask = asker(server);
      await closedLoop(ask, askers, 4);
      const { goodput, shed, late, broken } = await closedLoop(ask, askers, seconds);
      const cells = [
        String(workers),
        ...[goodput, shed, late, broken].map((value) => `${Math.round(value)}/s`),
        String(memoryOfTree(server.pid)),
      ];
      process.stdout.write(`${cells.map((cell) => cell.padStart(12)).join('')}\n`);
    } finally {
      await server.stop();
      await postgres.stop();
    }
  }
}
