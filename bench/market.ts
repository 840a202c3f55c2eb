// The decision code in a simulated market: are budgets kept, used up and spread, and does the click
// model find the ads worth showing? The same seed gives the same numbers. `npm run bench -- market
// [worlds] [seed]`
import { learnClicks, type LearnReport } from './market/learn-clicks.js';
import { spendBudgets } from './market/spend-budgets.js';

export const summary =
  'a simulated market on the real decision code: overspend, budget use, smoothness, regret, calibration';

const CHECKPOINTS = [20_000, 100_000, 300_000];

export async function run(args: string[]): Promise<void> {
  const worlds = Math.max(1, Number(args[0] ?? 4) || 4);
  const seed = Number(args[1] ?? 1) || 1;
  let failed = false;
  for (const nodes of [1, 4, 16]) failed = spendPart(seed, nodes) || failed;
  const byWorld: LearnReport[][] = [];
  for (let world = 0; world < worlds; world++) {
    byWorld.push(
      learnClicks({ seed: seed + world, ads: 200, topics: 20, checkpoints: CHECKPOINTS }),
    );
    print(
      `world ${world + 1} of ${worlds}: regret at 100k ${percent(byWorld[world]?.[1]?.regret)} (bid x relevance ${percent(byWorld[world]?.[1]?.baselineRegret)})`,
    );
  }
  failed = learnPart(byWorld) || failed;
  print(failed ? 'FAILED: a bound does not hold' : 'all bounds hold');
  if (failed) process.exitCode = 1;
}

function spendPart(seed: number, nodes: number): boolean {
  const spend = spendBudgets({
    seed,
    campaigns: 24,
    topics: 8,
    requestsPerDay: 100_000,
    days: 3,
    nodes,
    holdMs: { cpm: 300_000, cpc: 30_000 },
    supply: { least: 1.5, most: 3 },
  });
  print(
    `${spend.campaignDays} campaign days on ${nodes} nodes, one dying; billed ${spend.billed}, late but billed ${spend.billedLate}, late and unbilled ${spend.unbilled}`,
  );
  return [
    bound(
      'overspend, most (microdollars)',
      spend.overspendMicros,
      spend.overspendMicros === 0,
      '= 0',
    ),
    bound(
      'budget use at 1.5x to 3x supply',
      spend.use,
      spend.use >= 0.98,
      `>= 0.98; least single ${spend.leastUse.toFixed(3)}`,
    ),
    bound(
      'smoothness error',
      spend.smoothness,
      spend.smoothness <= 0.02,
      `<= 0.02; worst single ${spend.worstSmoothness.toFixed(3)}`,
    ),
  ].includes(false);
}

function learnPart(byWorld: LearnReport[][]): boolean {
  const holds = CHECKPOINTS.flatMap((impressions, i) => {
    const regret = mean(byWorld.map((reports) => reports[i]?.regret ?? NaN));
    const baseline = mean(byWorld.map((reports) => reports[i]?.baselineRegret ?? NaN));
    const calibration = mean(byWorld.map((reports) => reports[i]?.calibration ?? NaN));
    const limit = impressions === 100_000 ? 0.1 : baseline;
    return [
      bound(
        `regret at ${impressions / 1000}k`,
        regret,
        regret <= Math.min(limit, baseline),
        `<= ${limit.toFixed(3)}; bid x relevance ${baseline.toFixed(3)}`,
      ),
      bound(
        `calibration up to ${impressions / 1000}k`,
        calibration,
        calibration >= 0.95 && calibration <= 1.05,
        'within 0.95 and 1.05',
      ),
    ];
  });
  const worse = byWorld
    .flat()
    .filter(({ regret, baselineRegret }) => regret > baselineRegret).length;
  return [
    ...holds,
    bound('worlds and times worse than bid x relevance', worse, worse === 0, '= 0'),
  ].includes(false);
}

function bound(name: string, value: number, holds: boolean, wanted: string): boolean {
  print(
    `${holds ? 'ok  ' : 'FAIL'} ${name.padEnd(46)} ${Number.isInteger(value) ? value : value.toFixed(4)}   (${wanted})`,
  );
  return holds;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function percent(value: number | undefined): string {
  return value === undefined ? '?' : `${(100 * value).toFixed(1)} %`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
