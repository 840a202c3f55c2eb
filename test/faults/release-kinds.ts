import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.js';
import { FaultNode } from './node.js';

/** An earlier release runs on while this one changes the schema and serves beside it. */
export function releaseFaults(earlier: { main: string; name: string } | null): readonly Fault[] {
  if (earlier === null) return [];
  return [
    {
      name: 'two-releases',
      what: `${earlier.name} runs, this release starts beside it and changes the schema, both serve`,
      scene: { engine: 'server', nodes: 1, earlierMain: earlier.main },
      async run(scene) {
        const settings = { DATABASE_URL: scene.way?.url ?? '' };
        const earlierNode = scene.node(0);
        const ours = new FaultNode('node2', scene.home, settings);
        await ours.start();
        scene.offered = [earlierNode, ours];
        await sleep(8_000);
        const { failed } = scene.traffic;
        // Upgraded in its place: what its journal still holds is taken over.
        scene.offered = [ours];
        await sleep(500);
        await earlierNode.stop();
        const upgraded = new FaultNode(earlierNode.name, scene.home, settings);
        await upgraded.start();
        Object.assign(scene, { nodes: [upgraded, ours], offered: [upgraded, ours] });
        return {
          over: { at: Date.now(), node: upgraded },
          problems: failed > 0 ? [`${failed} requests failed while both ran`] : [],
        };
      },
    },
  ];
}
