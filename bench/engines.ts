// PGlite in a thread beside a real PostgreSQL that the same process starts and owns.
import { fork } from 'node:child_process';
import { treeOf } from './support/tree-cpu.js';

export const summary =
  'the two engines a start could bring along: start, CPU an event, memory, what kill -9 leaves';

const probe = new URL('./support/engine-probe.js', import.meta.url);

interface Probed {
  startMs: number;
  cpuMicros: number;
  batchMs: number;
  longestMs: number;
  memory: number;
  databasePid: number | null;
}

/** Arguments: events (20000), rounds (3). */
export async function run(args: readonly string[]): Promise<void> {
  const [events = 20_000, rounds = 3] = args.map(Number);
  for (let round = 1; round <= rounds; round += 1)
    for (const engine of ['embedded', 'server'] as const) {
      const { left, ...probed } = await measure(engine, events);
      process.stdout.write(
        `  ${engine}: start ${probed.startMs.toFixed(0)} ms, ${probed.cpuMicros.toFixed(0)} µs CPU an event, 500 events in ${probed.batchMs.toFixed(0)} ms (longest ${probed.longestMs.toFixed(0)}), ${probed.memory} MB, ${left} processes left after kill -9\n`,
      );
    }
}

function measure(engine: string, events: number): Promise<Probed & { left: number }> {
  return new Promise((resolve, reject) => {
    const child = fork(probe, [engine, String(events)]);
    child.once('error', reject);
    child.once('message', (probed: Probed) => {
      child.once('exit', () => {
        const { databasePid } = probed;
        const left = databasePid === null ? 0 : treeOf(databasePid).size;
        // It would stay for ever.
        if (databasePid !== null && left > 0) process.kill(databasePid, 'SIGQUIT');
        resolve({ ...probed, left });
      });
      child.kill('SIGKILL');
    });
    child.once('exit', (code) => {
      if (code !== null && code !== 0) reject(new Error(`the ${engine} engine failed`));
    });
  });
}
