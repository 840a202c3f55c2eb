import { fork } from 'node:child_process';

export const summary =
  'the ad decision itself at growing numbers of ad groups: time, CPU, memory a group';

const child = new URL('./support/decision-run.js', import.meta.url);

interface Result {
  mode: string;
  perGroup: number;
  p50: number;
  p99: number;
  cpuMicros: number;
  served: number;
}

/**
 * Arguments: matching (fast | semantic), decisions (2000), then sizes (1000 100000). With
 * `semantic` each new ad text is embedded first, which takes minutes.
 */
export async function run([
  matching = 'fast',
  decisions = '2000',
  ...sizes
]: readonly string[]): Promise<void> {
  const rows: string[] = [];
  let first = 0;
  for (const size of sizes.length === 0 ? ['1000', '100000'] : sizes) {
    const result = await measure(matching, decisions, size);
    first ||= result.p99;
    rows.push(
      `| ${size} | ${result.mode} | ${result.p50.toFixed(3)} | ${result.p99.toFixed(3)} | ${(result.p99 / first).toFixed(1)}× | ${result.cpuMicros.toFixed(0)} | ${(result.perGroup / 1024).toFixed(2)} | ${(100 * result.served).toFixed(0)} % |`,
    );
  }
  process.stdout.write(
    `\n| ad groups | matching | p50 ms | p99 ms | p99 growth | CPU µs | KB a group | filled |\n|---|---|---|---|---|---|---|---|\n${rows.join('\n')}\n`,
  );
}

function measure(matching: string, decisions: string, size: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const run = fork(child, [], {
      execArgv: ['--expose-gc'],
      env: { ...process.env, MATCHING: matching, BENCH_GROUPS: size, BENCH_DECISIONS: decisions },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    run.once('error', reject);
    run.once('exit', (code) => reject(new Error(`the run with ${size} groups ended with ${code}`)));
    run.once('message', (message: { result: Result }) => {
      resolve(message.result);
      run.kill('SIGKILL');
    });
  });
}
