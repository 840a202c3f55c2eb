import { setTimeout as sleep } from 'node:timers/promises';
import { watchHealth } from '../../bench/support/watch-health.js';
import { type Fault, served, until } from './fault.js';

const twoNodes = { engine: 'server', nodes: 2 } as const;

/** A process dies, stands still, is drowned, or is told to leave. */
export const processFaults: readonly Fault[] = [
  ...(['embedded', 'server'] as const).map((engine): Fault => ({
    name: `kill-${engine}`,
    what: `kill -9 three times under load, ${engine} engine`,
    scene: { engine, nodes: 1 },
    async run(scene) {
      const node = scene.node(0);
      let at = 0;
      for (let time = 0; time < 3; time += 1) {
        await sleep(700);
        await node.kill();
        at = Date.now();
        await node.start();
      }
      return { over: { at, node }, problems: [], note: 'time from the kill, start included' };
    },
  })),
  {
    name: 'freeze',
    what: 'one of two nodes stands still for 12 s (SIGSTOP), then goes on',
    scene: twoNodes,
    async run(scene) {
      const node = scene.node(0);
      node.signal('SIGSTOP');
      await sleep(12_000);
      const at = Date.now();
      node.signal('SIGCONT');
      return { over: { at, node }, problems: [] };
    },
  },
  {
    name: 'overload',
    what: 'far more callers than one node can answer, for 6 s',
    scene: { engine: 'server', nodes: 1, workers: 300, pauseMs: 0 },
    async run(scene) {
      const node = scene.node(0);
      const before = { sent: scene.traffic.sent, failed: scene.traffic.failed };
      // By a thread of its own: this one is busy being 300 callers.
      const health = await watchHealth(node, () => sleep(6_000));
      const answered = scene.traffic.sent - before.sent - (scene.traffic.failed - before.failed);
      const waited = scene.traffic.takeTimes();
      return {
        problems: [],
        note: `${Math.round(answered / 6)} answered a second, half of the ads within ${Math.round(waited[waited.length >> 1] ?? 0)} ms, /health within ${health.p99} ms (99 %), ${health.longest} ms at most`,
      };
    },
  },
  {
    name: 'rolling-restart',
    what: 'two nodes restarted one after the other, callers go where /ready is 200 and do not retry',
    scene: twoNodes,
    async run(scene) {
      const problems: string[] = [];
      const took: number[] = [];
      let isOver = false;
      const balancing = (async () => {
        while (!isOver) {
          const states = await Promise.all(
            scene.nodes.map(async (node) => ({ node, is: (await node.ready()).status === 200 })),
          );
          scene.offered = states.filter(({ is }) => is).map(({ node }) => node);
          await sleep(200);
        }
      })();
      const failedBefore = scene.traffic.failed;
      for (const node of scene.nodes) {
        took.push(await node.stop());
        await node.start();
        await until(() => scene.offered.includes(node), 60_000);
        await served(scene, 40);
      }
      const failed = scene.traffic.failed - failedBefore;
      if (failed > 0) problems.push(`${failed} requests failed`);
      if (took.some((ms) => ms > 10_000)) problems.push('a stop took longer than 10 s');
      isOver = true;
      await balancing;
      return {
        problems,
        note: `stops took ${took.map((ms) => (ms / 1000).toFixed(1)).join(' and ')} s`,
      };
    },
  },
  {
    name: 'stop-without-database',
    what: 'SIGTERM while the database is silent',
    scene: { engine: 'server', nodes: 1 },
    async run(scene) {
      const node = scene.node(0);
      scene.way?.silence();
      await sleep(1_500);
      const ms = await node.stop();
      scene.way?.restore();
      const at = Date.now();
      await node.start();
      return {
        over: { at, node },
        problems: ms > 10_500 ? [`the stop took ${Math.round(ms)} ms`] : [],
        note: `stopped in ${(ms / 1000).toFixed(1)} s`,
      };
    },
  },
];
