import { type KindResult, simulateFraud } from './fraud/simulate-fraud.js';
import { simulateRules } from './fraud/simulate-rules.js';

export const summary =
  'honest and dishonest publishers: money that reached whom, and honest traffic filtered';

const mostReached = 0.02;
const mostFiltered = 0.005;

/**
 * Arguments: seeds (3), days (7), views of each publisher a day (40,150,500), whether honest
 * publishers differ fourfold (no,yes). With `rules` before them the figures alone are drawn and
 * judged, without a server: hundreds of seeds in seconds. `hard` before all of them adds publishers
 * that are harder to tell from people, and says what each kind was paid.
 */
export async function run(words: readonly string[]): Promise<void> {
  const areHard = words[0] === 'hard';
  const given = areHard ? words.slice(1) : words;
  const isQuick = given[0] === 'rules';
  const args = isQuick ? given.slice(1) : given;
  const seeds = Number(args[0] ?? (isQuick ? 200 : 3));
  const days = Number(args[1] ?? 7);
  const volumes = (args[2] ?? '40,150,500').split(',').map(Number);
  const unlike = (args[3] ?? 'no,yes').split(',').map((word) => word === 'yes');
  const all: KindResult[] = [];
  process.stdout.write(
    '| views a day | honest ones | seed | reached the dishonest | of what they claimed | honest filtered | honest waiting |\n|---|---|---|---|---|---|---|\n',
  );
  for (const views of volumes)
    for (const differ of unlike) {
      if (isQuick) {
        const results = quickResults({ seeds, days, views, differ, areHard });
        all.push(...results);
        process.stdout.write(
          `| ${views} | ${wordFor(differ)} | ${seeds} seeds | ${rowOf(results)}\n`,
        );
        continue;
      }
      for (let n = 1; n <= seeds; n += 1) {
        const seed = n * 7919;
        const results = await simulateFraud({ seed, days, views, differ, areHard });
        all.push(...results);
        const label = `| ${views} | ${wordFor(differ)} | ${seed} |`;
        process.stdout.write(`${label} ${rowOf(results)}\n`);
        if (args.length > 0) for (const one of results) process.stdout.write(`${kindRow(one)}\n`);
      }
    }
  process.stdout.write(`| all | | | ${rowOf(all)}\n`);
  if (areHard) for (const one of byKind(all)) process.stdout.write(`${kindRow(one)}\n`);
  const { reached, honestFiltered } = sumUp(all);
  process.stdout.write(
    `reached the dishonest: ${percent(reached)} of all money paid (at most 2 %); honest traffic filtered: ${percent(honestFiltered)} (at most 0.5 %)\n`,
  );
  if (reached > mostReached || honestFiltered > mostFiltered) process.exitCode = 1;
}

function quickResults(options: {
  seeds: number;
  days: number;
  views: number;
  differ: boolean;
  areHard: boolean;
}): KindResult[] {
  return Array.from({ length: options.seeds }, (_, n) =>
    simulateRules({ ...options, seed: (n + 1) * 7919 }),
  ).flat();
}

const wordFor = (differ: boolean): string => (differ ? 'differ fourfold' : 'alike');

export function sumUp(results: readonly KindResult[]) {
  const sum = (list: readonly KindResult[], of: (one: KindResult) => number): number =>
    list.reduce((total, one) => total + of(one), 0);
  const honest = results.filter((one) => one.isHonest);
  const dishonest = results.filter((one) => !one.isHonest);
  const paid = (list: readonly KindResult[]): number => sum(list, (one) => one.payableMicros);
  return {
    reached: paid(dishonest) / Math.max(1, paid(results)),
    ofClaimed: paid(dishonest) / sum(dishonest, (one) => one.claimedMicros),
    honestFiltered: sum(honest, (one) => one.filtered) / sum(honest, (one) => one.sent),
    honestWaiting:
      sum(honest, (one) => one.unprovenMicros) / sum(honest, (one) => one.claimedMicros),
  };
}

function byKind(results: readonly KindResult[]): KindResult[] {
  const sums = new Map<string, KindResult>();
  for (const one of results) {
    const sum = sums.get(one.name);
    if (sum === undefined) sums.set(one.name, { ...one });
    else
      for (const what of [
        'claimedMicros',
        'payableMicros',
        'unprovenMicros',
        'sent',
        'filtered',
      ] as const)
        sum[what] += one[what];
  }
  return [...sums.values()];
}

function rowOf(results: readonly KindResult[]): string {
  const { reached, ofClaimed, honestFiltered, honestWaiting } = sumUp(results);
  return `${[reached, ofClaimed, honestFiltered, honestWaiting].map(percent).join(' | ')} |`;
}

function kindRow(one: KindResult): string {
  return `  ${one.name.padEnd(38)} claimed ${dollars(one.claimedMicros)} payable ${dollars(one.payableMicros)} waiting ${dollars(one.unprovenMicros)} filtered ${percent(one.filtered / one.sent)}`;
}

function dollars(micros: number): string {
  return `$${(micros / 1e6).toFixed(2)}`.padStart(10);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
