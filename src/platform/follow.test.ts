import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Channel } from './channels.js';
import { follow, type FollowOptions } from './follow.js';
import { silentLog } from './log.js';

const letters: Channel<string> = {
  name: 'letters',
  write: (letter) => letter,
  read: (payload) => (payload === '' ? null : payload),
};

/** A table of one row a letter, a copy of it in memory, and a wire that can be cut. */
function scene() {
  const stored = new Map<string, number>();
  let copy = new Map<string, number>();
  let onPayload: ((payload: string) => void) | null = null;
  const seen: string[] = [];
  let gate: Promise<void> = Promise.resolve();
  const read = async (what: string): Promise<Map<string, number>> => {
    seen.push(what);
    const found = new Map(stored);
    await gate;
    return found;
  };
  const options: FollowOptions<string> = {
    db: {
      async listen(_channel, listener) {
        onPayload = listener;
        return async () => void (onPayload = null);
      },
    },
    log: silentLog,
    what: 'letters',
    channel: letters,
    load: async () => void (copy = await read('all')),
    async take(news) {
      const found = await read(news.join(''));
      for (const letter of news) copy.set(letter, found.get(letter) ?? 0);
    },
    resyncMs: 3_600_000,
  };
  return {
    options,
    seen,
    copy: () => Object.fromEntries(copy),
    write: (letter: string, value: number) => void stored.set(letter, value),
    tell: (payload: string) => onPayload?.(payload),
    isHeard: () => onPayload !== null,
    /** Reads from now on take until the returned function is called. */
    hold(): () => void {
      let open = (): void => undefined;
      gate = new Promise((resolve) => (open = resolve));
      return open;
    },
  };
}

/** When everything that waits for timers of this length and what follows has run. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1)
    await new Promise((resolve) => setTimeout(resolve, turn === 0 ? 5 : 0));
};

describe('following the database', () => {
  it('what changes between listening and the first look is seen', async () => {
    const { options, copy, write, tell } = scene();
    const { load } = options;
    const follower = await follow({
      ...options,
      async load() {
        await load();
        if (copy()['a'] === undefined) {
          write('a', 1);
          tell('a');
        }
      },
    });
    await turns();
    assert.deepEqual(copy(), { a: 1 });
    await follower.close();
  });

  it('news are read together, and only what they name', async () => {
    const { options, copy, write, tell, seen } = scene();
    const follower = await follow(options);
    for (const letter of ['a', 'b', 'c']) {
      write(letter, 1);
      tell(letter);
    }
    await turns();
    assert.deepEqual([copy(), seen], [{ a: 1, b: 1, c: 1 }, ['all', 'abc']]);
    await follower.close();
  });

  it('a lost connection that came back means to read everything, whatever was missed', async () => {
    const { options, copy, write, tell, seen } = scene();
    const follower = await follow(options);
    write('a', 1);
    write('b', 2);
    tell('');
    await turns();
    assert.deepEqual([copy(), seen], [{ a: 1, b: 2 }, ['all', 'all']]);
    await follower.close();
  });

  it('a notification that never came is made up for by the next look', async () => {
    const { options, copy, write } = scene();
    let looks = 0;
    let looked = (): void => undefined;
    const twice = new Promise<void>((resolve) => (looked = resolve));
    const { load } = options;
    const follower = await follow({
      ...options,
      resyncMs: 1,
      async load() {
        await load();
        if ((looks += 1) === 3) looked();
      },
    });
    write('a', 1);
    // Timers of a follower keep no process alive.
    const alive = setInterval(() => undefined, 1000);
    await twice;
    clearInterval(alive);
    assert.deepEqual(copy(), { a: 1 });
    await follower.close();
  });

  it('an older look never undoes a newer one', async () => {
    const { options, copy, write, tell, hold } = scene();
    write('a', 1);
    const follower = await follow(options);
    const release = hold();
    const slow = follower.refresh();
    await turns();
    write('a', 2);
    tell('a');
    await turns();
    release();
    await slow;
    await turns();
    assert.deepEqual(copy(), { a: 2 });
    await follower.close();
  });

  it('who asks while a look is under way gets one that began later', async () => {
    const { options, copy, write, hold, seen } = scene();
    const follower = await follow(options);
    const release = hold();
    const first = follower.refresh();
    await turns();
    write('a', 1);
    const [second, third] = [follower.refresh(), follower.refresh()];
    release();
    await Promise.all([first, second, third]);
    assert.deepEqual([copy(), seen.length], [{ a: 1 }, 3]);
    await follower.close();
  });

  it('a look that fails is told to whoever waits and hinders no other', async () => {
    const { options, copy, write } = scene();
    let fails = false;
    const { load } = options;
    const follower = await follow({
      ...options,
      load: () => (fails ? Promise.reject(new Error('away')) : load()),
    });
    fails = true;
    await assert.rejects(follower.refresh(), /away/);
    fails = false;
    write('a', 1);
    await follower.refresh();
    assert.deepEqual(copy(), { a: 1 });
    await follower.close();
  });

  it('whoever cannot look for the first time hears why, and nobody listens', async () => {
    const { options, isHeard } = scene();
    await assert.rejects(
      follow({ ...options, load: () => Promise.reject(new Error('away')) }),
      /away/,
    );
    assert.equal(isHeard(), false);
  });

  it('nothing is read after it is closed', async () => {
    const { options, write, tell, seen } = scene();
    const follower = await follow(options);
    write('a', 1);
    tell('a');
    await follower.close();
    tell('a');
    await turns();
    assert.deepEqual(seen, ['all']);
  });
});
