import { closeSync, existsSync, openSync, readdirSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkExport } from '../../src/platform/db/check-export.js';
import { lastOf } from './disk-kinds.js';
import { type Fault, type Outcome, served, until } from './fault.js';
import type { Scene } from './scene.js';

const twoWorkers = {
  engine: 'server',
  nodes: 1,
  isFresh: true,
  settings: { WORKERS: '2' },
} as const;

/** Something happens in the middle of a backup, or to the journals of several workers at once. */
export const backupFaults: readonly Fault[] = [
  {
    name: 'backup-database-frozen',
    what: 'PostgreSQL stands still for 20 s in the middle of a backup by one of two workers',
    scene: twoWorkers,
    async run(scene) {
      const backup = await beginBackup(scene);
      scene.postgres?.freeze();
      await sleep(20_000);
      const at = Date.now();
      scene.postgres?.thaw();
      const first = await backup.ended;
      const problems = [...backup.left(), ...(await again(scene))];
      return { over: { at, node: scene.node(0) }, problems, note: `the backup: ${first}` };
    },
  },
  {
    name: 'backup-server-stopped',
    what: 'SIGTERM to the server in the middle of a backup by one of two workers',
    scene: twoWorkers,
    async run(scene) {
      const node = scene.node(0);
      const backup = await beginBackup(scene);
      const ms = await node.stop();
      const first = await backup.ended;
      const at = Date.now();
      await node.start();
      const problems = [...backup.left(), ...(await again(scene))];
      if (ms > 12_000) problems.push(`it took ${Math.round(ms)} ms to leave`);
      const note = `stopped in ${(ms / 1000).toFixed(1)} s; the backup: ${first}`;
      return { over: { at, node }, problems, note };
    },
  },
  {
    name: 'workers-journals-flipped',
    what: 'one bit is flipped in the journal of each of two workers, of what the database has not',
    scene: twoWorkers,
    mayLose: true,
    run: flipBoth,
  },
];

/** One that has begun to write. */
async function beginBackup({ home, nodes }: Scene) {
  const file = join(home, 'backup.jsonl.gz');
  const ended = (nodes[0]?.command('backup', file) ?? Promise.resolve('')).then(
    () => 'done',
    (error: { stderr?: string }) => `failed: ${(error.stderr ?? String(error)).trim()}`,
  );
  const isHalf = (): boolean => readdirSync(home).some((name) => name.endsWith('.part'));
  await until(() => isHalf() || existsSync(file), 60_000);
  return {
    ended,
    /** What must not be there after it. */
    left: (): string[] => (isHalf() ? ['half a backup is left'] : []),
  };
}

async function again({ home, nodes }: Scene): Promise<string[]> {
  const file = join(home, 'again.jsonl.gz');
  try {
    await nodes[0]?.command('backup', file);
    await checkExport(file);
    return [];
  } catch (error) {
    return [`the next backup: ${String(error).slice(0, 300)}`];
  }
}

async function flipBoth(scene: Scene): Promise<Outcome> {
  const node = scene.node(0);
  await node.allServe();
  await node.caughtUp(5_000);
  const folders = ['1', '2'].map((corner) => join(node.dataDir, 'nodes', corner, 'journal'));
  scene.way?.silence();
  await sleep(300);
  const before = folders.map(lastOf);
  await served(scene, 60);
  await node.kill();
  await until(() => node.workerPids().length === 0, 5_000);
  folders.forEach((folder, index) => {
    const last = lastOf(folder);
    const applied = last.name === before[index]?.name ? before[index].size : 0;
    flip(join(folder, last.name), (applied + last.size) >> 1);
  });
  scene.way?.restore();
  const at = Date.now();
  await node.start();
  await node.allServe();
  await node.caughtUp();
  const { body } = await node.ready();
  const isTold = /"damaged":[1-9]/.test(JSON.stringify(body));
  const kept = folders.filter((folder) => existsSync(join(folder, 'damaged')));
  return {
    over: { at, node },
    problems: [
      ...(kept.length === 2 ? [] : [`set aside in ${kept.length} of 2 journals`]),
      ...(isTold ? [] : [`not told: ${JSON.stringify(body)}`]),
    ],
    note: 'both are set aside and told in /ready',
  };
}

function flip(path: string, place: number): void {
  const handle = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(handle, byte, 0, 1, place);
  byte[0] = (byte[0] ?? 0) ^ 4;
  writeSync(handle, byte, 0, 1, place);
  closeSync(handle);
}
