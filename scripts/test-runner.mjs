// Runs test files in the order given, a process each: Node's own command line sorts them by name,
// and then every browser runs beside browsers and every calculation beside calculations.
// Called by `npm test` with the list of files as JSON, how many at once, and a limit for each.
import { readFileSync } from 'node:fs';
import { run } from 'node:test';
import report from './test-reporter.mjs';

const { files, atOnce, timeoutMs } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const limit = timeoutMs === undefined ? {} : { timeout: timeoutMs };
run({ files, concurrency: atOnce, ...limit })
  .on('test:fail', ({ todo }) => {
    if (todo === undefined) process.exitCode = 1;
  })
  .compose(report)
  .pipe(process.stdout);
