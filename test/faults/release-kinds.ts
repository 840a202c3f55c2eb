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
        const ours = new FaultNode('node2', scene.home, settings);
        await ours.start();
        scene.offered = [...scene.nodes, ours];
        Object.assign(scene, { nodes: [ours] });
        await sleep(8_000);
        const earlierNode = scene.offered[0];
        const failed = scene.traffic.failed;
        // The earlier release is stopped first: it cannot start again on a newer schema.
        scene.offered = [ours];
        await sleep(500);
        await earlierNode?.caughtUp();
        await earlierNode?.stop();
        return { problems: failed > 0 ? [`${failed} requests failed`] : [] };
      },
    },
  ];
}
