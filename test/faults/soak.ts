import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultNode } from './node.js';
import { type Engine, type Scene, Stage } from './scene.js';

export interface SoakLine {
  minute: number;
  /** By the clock of the server. */
  day: string;
  requests: number;
  failed: number;
  medianMs: number;
  p99Ms: number;
  memoryMb: number | null;
  diskMb: number;
}

export interface SoakOptions {
  minutes: number;
  engine: Engine;
  /** Between two requests of a person. */
  pauseMs: number;
  /** Processes behind the port. */
  workers: number;
}

const dayMs = 86_400_000;

/**
 * Everyday life for so many minutes: people see ads, campaigns are edited, products imported, keys
 * replaced. On the embedded engine, which lives by the clock of its machine, midnights come sooner
 * than they should.
 */
export async function soak(
  { minutes, engine, pauseMs, workers }: SoakOptions,
  onLine: (line: SoakLine) => void,
): Promise<{ problems: string[]; acknowledged: number; stored: number; failures: string }> {
  const stage = new Stage();
  try {
    const settings = { WORKERS: String(workers) };
    const scene = await stage.open({ engine, nodes: 1, pauseMs, settings, isFresh: workers > 1 });
    const chores = createChores(scene, engine === 'embedded', Math.max(1_000, 50 * pauseMs));
    const started = performance.now();
    const elapsed = (): number => performance.now() - started;
    const everyMs = Math.max(5_000, (minutes * 60_000) / 24);
    for (let told = 0; elapsed() < minutes * 60_000;) {
      await chores.next();
      if (elapsed() < (told + 1) * everyMs) continue;
      told += 1;
      onLine(lineOf(scene, chores.ahead(), elapsed()));
    }
    const verdict = await stage.close(scene);
    return {
      acknowledged: verdict.acknowledged,
      stored: verdict.stored,
      failures: [...scene.traffic.failures].map(([reason, n]) => `${reason} ${n}`).join(', '),
      problems: [
        ...chores.problems,
        ...scene.nodes.flatMap((node) => node.deaths),
        ...(verdict.twice > 0 ? [`${verdict.twice} stored twice`] : []),
        ...(verdict.lost > 0 ? [`${verdict.lost} acknowledged and not stored`] : []),
        ...verdict.differences,
      ],
    };
  } finally {
    await stage.remove();
  }
}

function createChores(scene: Scene, hasMidnights: boolean, restMs: number) {
  const node = scene.node(0);
  const problems: string[] = [];
  let round = 0;
  let ahead = 0;
  const chores = [
    () => editCampaigns(scene, round),
    () => importProducts(scene, node, round),
    async () => void (await node.command('keys', 'rotate-tracking')),
    () => replaceKey(scene, node, round),
    async () => {
      if (hasMidnights) ahead = await passMidnight(scene, node, ahead);
    },
  ];
  return {
    problems,
    ahead: () => ahead,
    async next(): Promise<void> {
      const chore = chores[(round += 1) % chores.length];
      await chore?.().catch((error: unknown) => problems.push(String(error).slice(0, 300)));
      await sleep(restMs);
    },
  };
}

async function editCampaigns(scene: Scene, round: number): Promise<void> {
  const headers = {
    'x-api-key': scene.demo.advertiser.api_key,
    'content-type': 'application/json',
  };
  const base = `${scene.node(0).address}/advertiser-dashboard/campaigns`;
  // Our own answer.
  const { campaigns } = (await (await patiently(scene, () => fetch(base, { headers }))).json()) as {
    campaigns: { campaign_id: string; name: string; daily_budget: number }[];
  };
  for (const campaign of campaigns.slice(0, 5)) {
    const body = JSON.stringify({
      daily_budget: campaign.daily_budget + (round % 2 === 0 ? 1 : -1),
    });
    const url = `${base}/${campaign.campaign_id}`;
    const answer = await patiently(scene, () => fetch(url, { method: 'PATCH', headers, body }));
    if (!answer.ok)
      throw new Error(`an edit was answered ${answer.status}: ${await answer.text()}`);
  }
}

/** As clients do: who is told when to come back comes back then, once. Counted as failed. */
async function patiently(
  { traffic }: Scene,
  ask: () => ReturnType<typeof fetch>,
): ReturnType<typeof fetch> {
  const answer = await ask();
  const after = answer.headers.get('retry-after');
  if (answer.status !== 503 || after === null) return answer;
  traffic.note('chore asked to come back');
  await sleep(1_000 * Number(after));
  return ask();
}

async function importProducts(scene: Scene, node: FaultNode, round: number): Promise<void> {
  const file = join(scene.home, 'feed.csv');
  const rows = Array.from(
    { length: 500 },
    (_, at) =>
      `sku${at},Kettle ${at} of round ${at % 10 === 0 ? round : 0},Boils water,https://shop.example/${at},https://shop.example/${at}.jpg,${10 + (at % 90)}.00 USD,in stock`,
  );
  writeFileSync(
    file,
    ['id,title,description,link,image_link,price,availability', ...rows].join('\n'),
  );
  await node.command('catalog', 'import', file, '--merchant', 'Soak Kettles');
}

async function replaceKey(scene: Scene, node: FaultNode, round: number): Promise<void> {
  const email = `soak${round}-${process.pid}@test.example`;
  const out = await node.command(
    'accounts',
    'create',
    'publisher',
    '--name',
    'Soak',
    '--email',
    email,
    '--approved',
  );
  const id = /id +(\S+)/.exec(out)?.[1] ?? scene.demo.publisher.id;
  const fresh = (await node.command('keys', 'regenerate', id)).trim();
  const answer = await patiently(scene, () =>
    fetch(`${node.address}/publisher-dashboard/stats`, { headers: { 'x-api-key': fresh } }),
  );
  if (!answer.ok) throw new Error(`a fresh key was answered ${answer.status}`);
}

/** Moves the clock to five seconds before midnight and lets midnight come. */
async function passMidnight(scene: Scene, node: FaultNode, ahead: number): Promise<number> {
  // What was shown before the jump would come too late after it.
  await scene.traffic.hold();
  const now = Date.now() + ahead;
  const next = ahead + (Math.floor(now / dayMs) + 1) * dayMs - 5_000 - now;
  node.setClock(next);
  await sleep(200);
  scene.traffic.go();
  await sleep(7_000);
  return next;
}

function lineOf({ traffic, nodes, home }: Scene, ahead: number, elapsedMs: number): SoakLine {
  const times = traffic.takeTimes();
  const at = (share: number): number =>
    Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10;
  return {
    minute: Math.round(elapsedMs / 6_000) / 10,
    day: new Date(Date.now() + ahead).toISOString().slice(0, 10),
    requests: traffic.sent,
    failed: traffic.failed,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    memoryMb: nodes[0]?.memory() ?? null,
    diskMb: Math.round(sizeOf(home) / 1024 / 1024),
  };
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    if (!entry.isFile()) return sum;
    // Gone between two looks.
    return (
      sum +
      (statSync(join(entry.parentPath ?? entry.path, entry.name), { throwIfNoEntry: false })
        ?.size ?? 0)
    );
  }, 0);
}
