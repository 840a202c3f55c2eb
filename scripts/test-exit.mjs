// Loaded into every test process: once its tests are over it may linger two seconds, then it ends
// even if something was left open. A test that failed before it could close its server must not
// hang the run.
import { after } from 'node:test';

if (process.env.NODE_TEST_CONTEXT !== undefined) {
  after(() => {
    setTimeout(() => process.exit(), 2000).unref();
  });
}
