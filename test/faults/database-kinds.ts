import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, until } from './fault.js';
import { hasOwnNetwork, losePackets } from './packet-loss.js';
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
    name: 'frozen-database',
    what: 'PostgreSQL stands still for 20 s (SIGSTOP); reports are asked for meanwhile',
    scene: twoNodes,
    async run(scene) {
      const { postgres } = wayOf(scene);
      const node = scene.node(0);
      postgres.freeze();
      const asked = performance.now();
      const headers = { 'x-api-key': scene.demo.advertiser.api_key };
      const report = await fetch(`${node.address}/advertiser-dashboard/campaigns`, { headers });
      const waitedMs = Math.round(performance.now() - asked);
      await sleep(20_000 - waitedMs);
      const at = Date.now();
      postgres.thaw();
      const isTold = report.status === 503 && report.headers.has('retry-after');
      return {
        over: { at, node },
        problems: isTold ? [] : [`a report was answered ${report.status}`],
        note: `a report was answered ${report.status} after ${waitedMs} ms`,
      };
    },
  },
  {
    name: 'unheard-revocation',
    what: 'a key is revoked while the way to the database is cut (UNHEARD_SECONDS=6)',
    scene: { ...twoNodes, settings: { DATABASE_SILENCE_MS: '3000', UNHEARD_SECONDS: '6' } },
    async run(scene) {
      const { way, postgres } = wayOf(scene);
      const node = scene.node(0);
      const { id } = scene.demo.advertiser;
      const status = async (): Promise<number> => {
        const headers = { 'x-api-key': scene.demo.advertiser.api_key };
        const answer = await fetch(`${node.address}/advertiser-dashboard/campaigns`, { headers });
        return answer.status;
      };
      way.silence();
      const cut = performance.now();
      await postgres.ask(
        scene.database,
        `update api_keys set revoked_at = now() where account_id = '${id}'`,
      );
      const isUnready = await until(async () => (await node.ready()).status === 503, 20_000);
      const unreadyMs = Math.round(performance.now() - cut);
      const meanwhile = await status();
      const at = Date.now();
      way.restore();
      const isRefused = await until(async () => (await status()) === 401, 20_000);
      return {
        over: { at, node },
        problems: [
          ...(isUnready ? [] : ['/ready stayed 200']),
          ...(meanwhile === 503 ? [] : [`the revoked key was answered ${meanwhile}`]),
          ...(isRefused ? [] : ['the revoked key was not refused afterwards']),
        ],
        note: `/ready is 503 after ${unreadyMs} ms`,
      };
    },
  },
  ...(hasOwnNetwork ? [packetLoss()] : []),
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

function packetLoss(): Fault {
  return {
    name: 'packet-loss',
    what: 'the kernel drops every tenth packet between the nodes and the database, for 15 s',
    scene: twoNodes,
    async run(scene) {
      const { way } = wayOf(scene);
      const end = losePackets(Number(new URL(way.url).port), 10);
      await sleep(15_000);
      const dropped = end();
      const over = { at: Date.now(), node: scene.node(0) };
      return { over, problems: [], note: `${dropped} packets dropped` };
    },
  };
}

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

/**
 * From here on the replica is the scene’s database; the old primary comes back for later scenes.
 */
async function takeOver(scene: Scene, standby: NonNullable<Scene['postgres']>): Promise<void> {
  const former = scene.postgres;
  Object.assign(scene, { postgres: standby });
  await former?.start();
  await former?.ask('postgres', 'alter system reset synchronous_standby_names');
  await former?.ask('postgres', 'select pg_reload_conf()');
}
