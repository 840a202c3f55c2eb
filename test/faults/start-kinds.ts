import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, type Outcome, until } from './fault.js';
import { FaultNode } from './node.js';
import type { DemoKeys, Engine, Scene } from './scene.js';

const engines = ['embedded', 'server'] as const;

/** A server is started where it cannot run yet, or is killed before it ever ran. */
export const startFaults: readonly Fault[] = [
  {
    name: 'start-without-database',
    what: 'started while PostgreSQL is not there, which comes up 6 s later',
    scene: { engine: 'server', nodes: 1 },
    async run(scene) {
      const { postgres } = scene;
      return startLater(scene, {
        says: /cannot reach the database/,
        hinder: async () => postgres?.kill(),
        help: async () => postgres?.start(),
      });
    },
  },
  ...engines.map((engine): Fault => ({
    name: `start-disk-full-${engine}`,
    what: `started while there is no room on its disk (simulated), for 6 s, ${engine} engine`,
    scene: { engine, nodes: 1 },
    run: (scene) =>
      startLater(scene, {
        says: /the disk of the data folder .* is full/,
        hinder: async () => scene.node(0).setDisk('full'),
        help: async () => scene.node(0).setDisk('well'),
      }),
  })),
  ...engines.map((engine): Fault => ({
    name: `first-start-killed-${engine}`,
    what: `the first start with demo data is killed four times, ever later, ${engine} engine`,
    scene: { engine, nodes: 1 },
    run: (scene) => killFirstStart(scene, engine),
  })),
];

/** Stops the node, starts it where it cannot run, and helps. It must wait and say why, once. */
async function startLater(
  scene: Scene,
  how: { says: RegExp; hinder: () => Promise<unknown>; help: () => Promise<unknown> },
): Promise<Outcome> {
  const node = scene.node(0);
  const problems: string[] = [];
  await node.stop();
  const before = node.words().length;
  await how.hinder();
  const starting = node.start();
  starting.catch(() => undefined);
  const said = (): string[] =>
    node
      .words()
      .slice(before)
      .split('\n')
      .filter((line) => line !== '');
  if (!(await until(() => said().some((line) => how.says.test(line)), 30_000)))
    problems.push(`it does not say why: ${said().join(' / ')}`);
  await sleep(6_000);
  const { status, body } = await node.ready();
  if (status !== 503 || typeof body['reason'] !== 'string')
    problems.push(`/ready is ${status}: ${JSON.stringify(body)}`);
  if (said().length > 1) problems.push(`it says ${said().length} lines: ${said().join(' / ')}`);
  await how.help();
  const at = Date.now();
  await starting;
  return { over: { at, node }, problems, note: `it says: ${said()[0] ?? 'nothing'}` };
}

/** What a first start leaves is the same, whether or not others were killed before it. */
async function killFirstStart(scene: Scene, engine: Engine): Promise<Outcome> {
  const settings: Record<string, string> = { DEMO: '1' };
  if (engine === 'server' && scene.postgres !== null) {
    await scene.postgres.ask('postgres', `create database ${scene.database}_first`);
    settings['DATABASE_URL'] = scene.postgres.urlOf(`${scene.database}_first`);
  }
  const node = new FaultNode('first', scene.home, settings);
  const { took, past: known } = await undisturbedStart(scene, engine);
  for (const share of [0.2, 0.45, 0.65, 0.85]) {
    const starting = node.start().catch(() => undefined);
    await Promise.race([sleep(took * share), starting]);
    await node.kill();
    await starting;
  }
  await node.start();
  const found = await pastOf(node);
  await node.stop();
  return {
    problems: known === found ? [] : [`the demo has ${found} instead of ${known}`],
    note: `a first start takes ${(took / 1000).toFixed(1)} s; the demo has ${found}`,
  };
}

/** How long a first start takes that nobody disturbs, and what it leaves. */
async function undisturbedStart(
  scene: Scene,
  engine: Engine,
): Promise<{ took: number; past: string }> {
  const settings: Record<string, string> = { DEMO: '1' };
  if (engine === 'server' && scene.postgres !== null) {
    await scene.postgres.ask('postgres', `create database ${scene.database}_timed`);
    settings['DATABASE_URL'] = scene.postgres.urlOf(`${scene.database}_timed`);
  }
  const node = new FaultNode('timed', scene.home, settings);
  const started = performance.now();
  await node.start();
  const took = performance.now() - started;
  const past = await pastOf(node);
  await node.stop();
  return { took, past };
}

/** What the accounts of the demo have, up to yesterday. */
async function pastOf(node: FaultNode): Promise<string> {
  // Written by the server just now.
  const file = readFileSync(join(node.dataDir, 'demo.json'), 'utf8');
  const { advertiser, publisher } = JSON.parse(file) as DemoKeys;
  const day = (ago: number): string =>
    new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const range = `start_date=${day(360)}&end_date=${day(1)}`;
  const look = async (path: string, key: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${node.address}${path}`, { headers: { 'x-api-key': key } });
    // Our own answers.
    return (await answer.json()) as Record<string, unknown>;
  };
  const { campaigns } = await look('/advertiser-dashboard/campaigns', advertiser.api_key);
  const bought = await look(`/advertiser-dashboard/metrics?${range}`, advertiser.api_key);
  const sold = await look(`/publisher-dashboard/stats?${range}`, publisher.api_key);
  return [
    `${Array.isArray(campaigns) ? campaigns.length : 'no'} campaigns`,
    `${String(bought['total_impressions'])} and ${String(sold['totalImpressions'])} impressions`,
    `${String(bought['total_clicks'])} and ${String(sold['totalClicks'])} clicks`,
  ].join(', ');
}
