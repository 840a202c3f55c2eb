import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.js';

const minute = 60_000;

/** The clock of one machine is wrong, or jumps while the server runs. */
export const clockFaults: readonly Fault[] = [
  {
    name: 'clock-skew',
    what: 'one of two nodes has its clock 45 minutes ahead from the start',
    scene: {
      engine: 'server',
      nodes: 2,
      beforeStart: (node) => node.name === 'node1' && node.setClock(45 * minute),
    },
    async run(scene) {
      await sleep(6_000);
      const { status, body } = await scene.node(0).ready();
      return {
        problems: status === 503 ? [] : ['a node with such a clock is ready'],
        note: `/ready of that node is ${status}: ${JSON.stringify(body['clock'] ?? body).slice(0, 120)}`,
      };
    },
  },
  ...(['embedded', 'server'] as const).map((engine): Fault => ({
    name: `clock-jumps-${engine}`,
    what: `the clock jumps an hour ahead, two hours back, then comes right, while running, ${engine} engine`,
    scene: { engine, nodes: 1 },
    async run(scene) {
      const node = scene.node(0);
      for (const ahead of [60, -60]) {
        node.setClock(ahead * minute);
        await sleep(3_000);
      }
      const at = Date.now();
      node.setClock(0);
      return { over: { at, node }, problems: [] };
    },
  })),
];
