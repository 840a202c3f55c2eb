import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.js';
import type { Scene } from './scene.js';

const twoNodes = { engine: 'server', nodes: 2 } as const;

function wayOf({ way, postgres }: Scene) {
  if (way === null || postgres === null) throw new Error('only with a server');
  return { way, postgres };
}

/** PostgreSQL is away, silent, slow, or another one. */
export const databaseFaults: readonly Fault[] = [
  {
    name: 'silent-database',
    what: 'the way to the database is cut without a word for 20 s',
    scene: { ...twoNodes, settings: { DATABASE_SILENCE_MS: '3000' } },
    async run(scene) {
      const { way } = wayOf(scene);
      const node = scene.node(0);
      way.silence();
      await sleep(8_000);
      const told = (await node.ready()).body;
      const isTold = JSON.stringify(told).includes('"database":{"ok":false');
      const failedEarly = scene.traffic.failed;
      await sleep(12_000);
      const at = Date.now();
      way.restore();
      return {
        over: { at, node },
        problems: isTold ? [] : [`/ready says ${JSON.stringify(told)}`],
        note: `${failedEarly} failed in the first 8 s`,
      };
    },
  },
  {
    name: 'packet-loss-simulated',
    what: 'every tenth piece to and from the database comes late as after loss, for 15 s (simulated)',
    scene: twoNodes,
    async run(scene) {
      const { way } = wayOf(scene);
      way.lose(10);
      await sleep(15_000);
      const at = Date.now();
      way.restore();
      return { over: { at, node: scene.node(0) }, problems: [] };
    },
  },
  {
    name: 'database-killed',
    what: 'PostgreSQL ends at once and is started again after 5 s',
    scene: twoNodes,
    async run(scene) {
      const { postgres } = wayOf(scene);
      await postgres.kill();
      await sleep(5_000);
      await postgres.start();
      return { over: { at: Date.now(), node: scene.node(0) }, problems: [] };
    },
  },
  failover('failover', 'on', 'replicated before it is committed'),
  failover('failover-behind', 'local', 'the replica is behind by what it was not sent'),
];

/** The primary is lost; a replica by streaming takes its place under the same address. */
function failover(name: string, commit: 'on' | 'local', how: string): Fault {
  return {
    name,
    what: `the primary is lost and a streaming replica takes its place; ${how}`,
    scene: twoNodes,
    async run(scene) {
      const { way, postgres } = wayOf(scene);
      const standby = await postgres.addStandby();
      try {
        if (commit === 'on') {
          await postgres.ask('postgres', `alter system set synchronous_standby_names = 'standby'`);
          await postgres.ask('postgres', 'select pg_reload_conf()');
        }
        await sleep(2_000);
        if (commit === 'local')
          // What comes from here on the replica does not have.
          await standby
            .ask('postgres', `alter system set primary_conninfo = ''`)
            .then(() => standby.ask('postgres', 'select pg_reload_conf()'));
        await sleep(3_000);
        await postgres.kill();
        await sleep(1_000);
        await standby.promote();
        const at = Date.now();
        way.leadTo(standby.urlOf(scene.database));
        await sleep(3_000);
        await takeOver(scene, standby);
        return { over: { at, node: scene.node(0) }, problems: [] };
      } catch (error) {
        await standby.remove();
        throw error;
      }
    },
  };
}

/** From here on the replica is the scene’s database; the old primary comes back for later scenes. */
async function takeOver(scene: Scene, standby: NonNullable<Scene['postgres']>): Promise<void> {
  const former = scene.postgres;
  Object.assign(scene, { postgres: standby });
  await former?.start();
  await former?.ask('postgres', 'alter system reset synchronous_standby_names');
  await former?.ask('postgres', 'select pg_reload_conf()');
}
