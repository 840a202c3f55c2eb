import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastOf } from './disk-kinds.js';
import { type Fault, type Outcome, served, until } from './fault.js';
import { isThere } from './processes.js';
import type { Scene } from './scene.js';

/** The embedded store belongs to one process, so that only a server has workers. */
const workers = (count: number) =>
  ({ engine: 'server', nodes: 1, isFresh: true, settings: { WORKERS: String(count) } }) as const;

/** Several processes behind one port: one of them dies, stands still or is not started again. */
export const workerFaults: readonly Fault[] = [
  {
    name: 'workers-one-killed',
    what: 'kill -9 of one of three workers under load, six times, each in its turn',
    scene: workers(3),
    async run(scene) {
      const node = scene.node(0);
      await node.allServe();
      let at = 0;
      const back: number[] = [];
      for (let time = 0; time < 6; time += 1) {
        await served(scene, 20);
        const [oldest = 0] = node.workerPids();
        at = Date.now();
        process.kill(oldest, 'SIGKILL');
        await until(() => !isThere(oldest), 5_000);
        if (!(await node.allServe())) return { problems: ['a worker did not come back'] };
        back.push(Date.now() - at);
      }
      const longest = (Math.max(...back) / 1000).toFixed(1);
      return {
        over: { at, node },
        problems: [],
        note: `all three again after ${longest} s at most`,
      };
    },
  },
  {
    name: 'workers-all-killed',
    what: 'kill -9 of both workers at once under load, three times; the first process stays',
    scene: workers(2),
    async run(scene) {
      const node = scene.node(0);
      let at = 0;
      for (let time = 0; time < 3; time += 1) {
        await node.allServe();
        await served(scene, 20);
        at = Date.now();
        const killed = node.workerPids();
        for (const pid of killed) process.kill(pid, 'SIGKILL');
        await until(() => !killed.some(isThere), 5_000);
      }
      const isBack = await node.allServe();
      return { over: { at, node }, problems: isBack ? [] : ['the workers did not come back'] };
    },
  },
  {
    name: 'workers-first-killed',
    what: 'kill -9 of the first process under load, three times; its workers end with it',
    scene: workers(2),
    async run(scene) {
      const node = scene.node(0);
      const problems: string[] = [];
      let at = 0;
      for (let time = 0; time < 3; time += 1) {
        await node.allServe();
        await served(scene, 20);
        const orphans = node.workerPids();
        await node.kill();
        at = Date.now();
        // At once, as whoever watches over it would.
        await node.start();
        if (!(await until(() => !orphans.some(isThere), 5_000))) problems.push('orphans live on');
      }
      return { over: { at, node }, problems, note: 'time from the kill, start included' };
    },
  },
  {
    name: 'workers-fewer',
    what: 'four workers and the first process are killed with full journals; two are started',
    scene: workers(4),
    run: startFewer,
  },
  {
    name: 'workers-frozen',
    what: 'one of two workers stands still for 20 s (SIGSTOP), then goes on',
    scene: workers(2),
    async run(scene) {
      const node = scene.node(0);
      await node.allServe();
      const [frozen = 0] = node.workerPids();
      process.kill(frozen, 'SIGSTOP');
      await sleep(6_000);
      const { failed } = scene.traffic;
      const { body } = await node.ready();
      await sleep(14_000);
      const later = scene.traffic.failed - failed;
      const at = Date.now();
      process.kill(frozen, 'SIGCONT');
      const isTold = JSON.stringify(body).includes('"ready":1,"of":2');
      return {
        over: { at, node },
        problems: [
          ...(later === 0 ? [] : [`${later} failed when it had stood still for 6 s`]),
          ...(isTold ? [] : [`/ready does not tell: ${JSON.stringify(body)}`]),
          ...((await node.allServe(10_000)) ? [] : ['it is given nothing afterwards']),
        ],
      };
    },
  },
  {
    name: 'workers-wedged',
    what: 'one of two workers stands still for ever; it is replaced after a minute',
    scene: { ...workers(2), pauseMs: 50 },
    async run(scene) {
      const node = scene.node(0);
      await node.allServe();
      const [frozen = 0] = node.workerPids();
      const at = Date.now();
      process.kill(frozen, 'SIGSTOP');
      await sleep(10_000);
      const isBack = await node.allServe(120_000);
      const took = ((Date.now() - at) / 1000).toFixed(0);
      const problems = isBack && !isThere(frozen) ? [] : ['it was not replaced'];
      return { problems, note: `both serve again after ${took} s` };
    },
  },
  {
    name: 'workers-dying',
    what: 'every new second worker is killed when it appears, for 12 s: it dies in a loop',
    scene: workers(2),
    async run(scene) {
      const node = scene.node(0);
      await node.allServe();
      const [stays] = node.workerPids();
      const { failed } = scene.traffic;
      let deaths = 0;
      for (const end = Date.now() + 12_000; Date.now() < end; await sleep(50))
        for (const pid of node.workerPids())
          if (pid !== stays && isThere(pid)) {
            process.kill(pid, 'SIGKILL');
            await until(() => !isThere(pid), 5_000);
            deaths += 1;
          }
      const at = Date.now();
      const problems = (await node.allServe()) ? [] : ['it did not come back'];
      if (deaths > 8) problems.push(`it was started ${deaths} times`);
      const during = scene.traffic.failed - failed;
      return {
        over: { at, node },
        problems,
        note: `it died ${deaths} times, ever later; ${during} requests failed in all`,
      };
    },
  },
  {
    name: 'workers-told-to-leave',
    what: 'SIGTERM to the first process alone, under load',
    scene: workers(2),
    async run(scene) {
      const node = scene.node(0);
      await node.allServe();
      await served(scene, 20);
      const pids = node.workerPids();
      const ms = await node.stop();
      const problems = pids.some(isThere) ? ['workers live on'] : [];
      if (ms > 10_500) problems.push(`the stop took ${Math.round(ms)} ms`);
      const at = Date.now();
      await node.start();
      return { over: { at, node }, problems, note: `stopped in ${(ms / 1000).toFixed(1)} s` };
    },
  },
  {
    name: 'workers-disk-full',
    what: 'no room on the disk of two workers for 5 s (simulated)',
    scene: workers(2),
    async run(scene) {
      const node = scene.node(0);
      await node.allServe();
      node.setDisk('full');
      await sleep(5_000);
      const at = Date.now();
      node.setDisk('well');
      return { over: { at, node }, problems: [] };
    },
  },
  {
    name: 'workers-journal-deleted',
    what: 'the journal folder of one of two workers is deleted while it runs',
    scene: workers(2),
    mayLose: true,
    async run(scene) {
      const node = scene.node(0);
      await node.allServe();
      rmSync(join(node.dataDir, 'nodes', '2', 'journal'), { recursive: true });
      const at = Date.now();
      await served(scene, 100);
      // Found out within a second; from then on a new file is written.
      await sleep(2_000);
      const { failed } = scene.traffic;
      await served(scene, 100);
      const later = scene.traffic.failed - failed;
      const problems = later === 0 ? [] : [`${later} failed after it was found out`];
      return { over: { at, node }, problems, note: 'a new one is begun' };
    },
  },
];

/** What only the journals have is stored although nobody has the place of two of them any more. */
async function startFewer(scene: Scene): Promise<Outcome> {
  const node = scene.node(0);
  await node.allServe();
  await node.caughtUp(10_000);
  scene.way?.silence();
  await sleep(300);
  await served(scene, 120);
  const pids = node.workerPids();
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await node.kill();
  scene.way?.restore();
  node.settings['WORKERS'] = '2';
  const at = Date.now();
  await node.start();
  // Somebody who asks now is answered at once; what was left comes in beside that.
  const isServed = await until(
    () => scene.traffic.firstAnswerAfter(node.address, at) !== null,
    30_000,
  );
  const back = (scene.traffic.firstAnswerAfter(node.address, at) ?? at) - at;
  const isDone = await until(async () => (await unstored(scene)).length === 0, 90_000);
  const took = ((Date.now() - at) / 1000).toFixed(0);
  return {
    problems: [
      ...(isServed ? [] : ['nobody was answered']),
      ...(isDone ? [] : [`not stored: ${(await unstored(scene)).join(', ')}`]),
    ],
    note: `back ${(back / 1000).toFixed(1)} s after the kill, all four journals stored after ${took} s`,
  };
}

/** Journals of the workers that are not started again and hold more than the database. */
async function unstored({ node, postgres, database }: Scene): Promise<string[]> {
  const left = [];
  for (const corner of ['3', '4']) {
    const folder = join(node(0).dataDir, 'nodes', corner, 'journal');
    const id = readFileSync(join(folder, 'id'), 'utf8').trim();
    const last = lastOf(folder);
    const rows = await postgres?.ask<{ at: string }>(
      database,
      `select segment || ':' || position as at from journal_positions where journal_id = '${id}'`,
    );
    if (rows?.[0]?.at !== `${Number(last.name.slice(0, 12))}:${last.size}`) left.push(corner);
  }
  return left;
}
