import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, served } from './fault.js';
import type { FaultNode } from './node.js';
import { dropUnsynced, rememberUnsynced } from './power-cut.js';

const engines = ['embedded', 'server'] as const;

/** The disk is full, loses its power, forgets, or is gone. */
export const diskFaults: readonly Fault[] = [
  ...engines.map((engine): Fault => ({
    name: `power-loss-${engine}`,
    what: `the power goes, three times: killed, and every write that was not synced is taken back, ${engine} engine`,
    scene: { engine, nodes: 1, beforeStart: rememberUnsynced },
    async run(scene) {
      const node = scene.node(0);
      let at = 0;
      let dropped = 0;
      for (let time = 0; time < 3; time += 1) {
        await sleep(900);
        await node.kill();
        at = Date.now();
        dropped += dropUnsynced(node);
        await node.start();
      }
      return { over: { at, node }, problems: [], note: `${dropped} writes taken back` };
    },
  })),
  damage('journal-torn', 'the last frame of the journal is torn', (handle, { size }) =>
    ftruncateSync(handle, size - 7),
  ),
  damage(
    'journal-flipped',
    'one bit is flipped in what the journal has and the database has not',
    (handle, { size, applied }) => {
      const byte = Buffer.alloc(1);
      const place = (applied + size) >> 1;
      readSync(handle, byte, 0, 1, place);
      byte[0] = (byte[0] ?? 0) ^ 4;
      writeSync(handle, byte, 0, 1, place);
    },
  ),
  damage(
    'journal-zeroed',
    '4 KB of zeros behind the journal',
    (handle, { size }) => void writeSync(handle, Buffer.alloc(4096), 0, 4096, size),
    false,
  ),
  {
    name: 'journal-lost',
    what: 'the disk of the journal fails, later it is gone: the node starts with an empty one',
    scene: { engine: 'server', nodes: 1 },
    mayLose: true,
    async run(scene) {
      const node = scene.node(0);
      await node.caughtUp(2_000);
      node.setDisk('lost');
      await sleep(3_000);
      await node.kill();
      rmSync(journalOf(node), { recursive: true, force: true });
      node.setDisk('well');
      const at = Date.now();
      await node.start();
      return { over: { at, node }, problems: [], note: 'what only that disk had is lost' };
    },
  },
  ...engines.map((engine): Fault => ({
    name: `disk-full-${engine}`,
    what: `no room on the disk for 5 s (simulated), ${engine} engine`,
    scene: { engine, nodes: 1 },
    async run(scene) {
      const node = scene.node(0);
      node.setDisk('full');
      await sleep(5_000);
      const at = Date.now();
      node.setDisk('well');
      return { over: { at, node }, problems: [] };
    },
  })),
];

/** Damages what the database has not taken yet, while nobody runs. */
function damage(
  name: string,
  what: string,
  hurt: (handle: number, file: { size: number; applied: number }) => void,
  isDamage = true,
): Fault {
  return {
    name,
    what,
    scene: { engine: 'server', nodes: 1 },
    // What stood in the damaged frame; the node says how many.
    mayLose: isDamage,
    async run(scene) {
      const node = scene.node(0);
      await node.caughtUp(5_000);
      const folder = journalOf(node);
      scene.way?.silence();
      await sleep(300);
      const before = lastOf(folder);
      await served(scene, 30);
      await node.kill();
      const last = lastOf(folder);
      const handle = openSync(join(folder, last.name), 'r+');
      hurt(handle, { size: last.size, applied: last.name === before.name ? before.size : 0 });
      closeSync(handle);
      scene.way?.restore();
      const at = Date.now();
      await node.start();
      await node.caughtUp();
      const { body } = await node.ready();
      const isTold = /"damaged":[1-9]/.test(JSON.stringify(body));
      const isAsExpected = isTold === isDamage && existsSync(join(folder, 'damaged')) === isDamage;
      return {
        over: { at, node },
        problems: isAsExpected ? [] : [`what is told of the damage: ${JSON.stringify(body)}`],
        note: isDamage ? 'set aside and told in /ready' : 'passed over: nothing was there',
      };
    },
  };
}

/** The file of the journal that is written, and how long it is by now. */
export function lastOf(folder: string): { name: string; size: number } {
  const name = readdirSync(folder)
    .filter((one) => one.endsWith('.log'))
    .sort()
    .at(-1);
  if (name === undefined) throw new Error('there is no journal');
  return { name, size: statSync(join(folder, name)).size };
}

function journalOf(node: FaultNode): string {
  const single = join(node.dataDir, 'journal');
  return existsSync(single) ? single : join(node.dataDir, 'nodes', '1', 'journal');
}
