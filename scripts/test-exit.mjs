// Loaded into every test process: once its tests are over it may linger two seconds, then it ends
// even if something was left open. A test that failed before it could close its server must not
// hang the run. What the file took is written down, for the list of the slowest.
import { appendFileSync } from 'node:fs';
import { after } from 'node:test';

if (process.env.NODE_TEST_CONTEXT !== undefined) {
  after(() => {
    setTimeout(() => process.exit(), 2000).unref();
  });
  const times = process.env.SIDELIGHT_TEST_TIMES;
  if (times !== undefined)
    process.on('exit', () => {
      const { user, system } = process.cpuUsage();
      appendFileSync(
        times,
        `${JSON.stringify({
          file: process.argv[1],
          seconds: performance.now() / 1000,
          cpu: (user + system) / 1e6,
        })}\n`,
      );
    });
}
