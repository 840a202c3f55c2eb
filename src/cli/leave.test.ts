import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';

/** A process that leaves with so much time to do it in, and what it does when told to close. */
function leaving(close: string, signal: string, seconds: number): string {
  return `
    import { leave } from '${new URL('./leave.js', import.meta.url).href}';
    const log = { info() {}, warn() {}, error() {}, debug() {} };
    console.log('up');
    await leave(
      {
        config: { DRAIN_SECONDS: 0, SHUTDOWN_SECONDS: ${seconds} },
        log,
        gate: { leave() {}, server: null },
        signal: '${signal}',
        seat: { close: async () => undefined },
      },
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        ${close}
      },
    );`;
}

async function endOf(
  close: string,
  told = 'SIGTERM',
  seconds = 2,
): Promise<{ code: number | null; signal: string | null }> {
  const program = leaving(close, told, seconds);
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: 'ignore',
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { code, signal };
}

describe('leaving', () => {
  it('ends in order when everything closes', async () => {
    assert.deepEqual(await endOf(''), { code: 0, signal: null });
  });

  it('ends when something never closes', async () => {
    assert.deepEqual(await endOf('await new Promise((resolve) => setTimeout(resolve, 60_000));'), {
      code: 0,
      signal: null,
    });
  });

  it('ends although the thread that leaves is busy for ever', async () => {
    assert.deepEqual(await endOf('for (;;);'), { code: null, signal: 'SIGKILL' });
  });

  it('keeps nobody at a terminal waiting, however long a stop may take elsewhere', async () => {
    const never = 'await new Promise((resolve) => setTimeout(resolve, 600_000));';
    assert.deepEqual(await endOf(never, 'SIGINT', 600), { code: null, signal: 'SIGINT' });
    assert.deepEqual(await endOf('for (;;);', 'SIGINT', 600), { code: null, signal: 'SIGKILL' });
  });
});
