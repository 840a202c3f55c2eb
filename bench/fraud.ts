import { type KindResult, simulateFraud } from './fraud/simulate-fraud.js';

export const summary =
  'honest and dishonest publishers: money that reached whom, and honest traffic filtered';

/** Arguments: seeds (3), days (7), views of each publisher a day (500). */
export async function run(args: readonly string[]): Promise<void> {
  const [seeds = 3, days = 7, views = 500] = args.map(Number);
  for (let seed = 1; seed <= seeds; seed += 1) {
    const results = await simulateFraud({ seed: seed * 7919, days, views });
    process.stdout.write(`\nseed ${seed * 7919}\n`);
    for (const one of results)
      process.stdout.write(
        `${one.name.padEnd(38)} claimed ${dollars(one.claimedMicros)} payable ${dollars(one.payableMicros)} filtered ${percent(one.filtered / one.sent)}\n`,
      );
    const { dishonestShare, honestFiltered } = sumUp(results);
    process.stdout.write(
      `reached the dishonest: ${percent(dishonestShare)} of all money (at most 2 %); honest traffic filtered: ${percent(honestFiltered)} (at most 0.5 %)\n`,
    );
    if (dishonestShare > 0.02 || honestFiltered > 0.005) process.exitCode = 1;
  }
}

export function sumUp(results: readonly KindResult[]) {
  const sum = (list: readonly KindResult[], of: (one: KindResult) => number): number =>
    list.reduce((total, one) => total + of(one), 0);
  const honest = results.filter((one) => one.isHonest);
  const dishonest = results.filter((one) => !one.isHonest);
  return {
    dishonestShare:
      sum(dishonest, (one) => one.payableMicros) / sum(results, (one) => one.payableMicros),
    honestFiltered: sum(honest, (one) => one.filtered) / sum(honest, (one) => one.sent),
  };
}

function dollars(micros: number): string {
  return `$${(micros / 1e6).toFixed(2)}`.padStart(10);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
