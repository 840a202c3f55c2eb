import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startSilentProxy } from '../../../test/support/silent-proxy.js';
import { openServerTestDatabase } from '../../../test/support/test-database.js';
import { openServerDatabase } from './open-server-database.js';
import { UnreachableDatabase } from './unreachable-database.js';

describe('server database', () => {
  it('carries notifications from one node to another, and asks to resync after a lost connection', async () => {
    const { database: one, url } = await openServerTestDatabase();
    const two = await openServerDatabase(url);
    const heard: string[] = [];
    let next = deferred();
    await two.listen('changes', (payload) => {
      heard.push(payload);
      next.resolve();
    });
    await one.query("select pg_notify('changes', 'first')");
    await next.promise;

    next = deferred();
    await one.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'",
    );
    await next.promise;
    next = deferred();
    await one.query("select pg_notify('changes', 'second')");
    await next.promise;
    assert.deepEqual(heard, ['first', '', 'second']);
    await two.close();
    await one.close();
  });

  it('waits for a server that is slow to say that it will tell news, and says so once', async () => {
    const { database: one, url } = await openServerTestDatabase();
    const proxy = await startSilentProxy(url);
    const late: string[] = [];
    const isLate = deferred();
    const two = await openServerDatabase(proxy.url, {
      silenceMs: 1000,
      onLate(error) {
        late.push(error.message);
        isLate.resolve();
      },
    });
    proxy.silence();
    const heard = deferred();
    const listening = two.listen('changes', () => heard.resolve());
    await isLate.promise;
    proxy.restore();
    await listening;
    await one.query("select pg_notify('changes', 'at last')");
    await heard.promise;
    assert.equal(late.length, 1);
    assert.match(late[0] ?? '', /cannot reach the database.*no answer within/);
    await two.close();
    await proxy.close();
    await one.close();
  });

  it('survives the loss of its connections', async () => {
    const { database } = await openServerTestDatabase();
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
        await tx.query('select 1');
      }),
    );
    assert.deepEqual(await database.query('select 1 as one'), [{ one: 1 }]);
    await database.close();
  });

  it('ends a statement that runs too long, unless it is said to', async () => {
    const { database, url } = await openServerTestDatabase();
    const impatient = await openServerDatabase(url, { statementTimeoutMs: 50 });
    await assert.rejects(impatient.query('select pg_sleep(30)'), { code: '57014' });
    await impatient.script('select pg_sleep(0.2)', { unhurried: true });
    await assert.rejects(impatient.script('select 1/0', { unhurried: true }), { code: '22012' });
    await assert.rejects(impatient.script('select pg_sleep(30)'), { code: '57014' });
    await impatient.close();
    await database.close();
  });

  it('says which server it cannot reach, without the password', async () => {
    await assert.rejects(
      openServerDatabase('postgresql://someone:secret@127.0.0.1:1/shop'),
      (error) => {
        assert(error instanceof UnreachableDatabase);
        assert.match(error.message, /127\.0\.0\.1:1\/shop/);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      },
    );
  });
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => undefined as void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
