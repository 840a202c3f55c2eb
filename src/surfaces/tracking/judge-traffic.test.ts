import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SharedCounts, SpaceOptions } from '../../platform/shared-counts.js';
import { type Beacon, createTrafficJudge } from './judge-traffic.js';
import { createSeenElsewhere } from './seen-elsewhere.js';

const rules = {
  impressionWindowMs: 1000,
  minClickDelayMs: 100,
  impressionsPerMinute: 5,
  clicksPerMinute: 3,
  addressClicks: 4,
  publisherClicks: 6,
  mostClicksPerView: 0.5,
};
const beacon = (more: Partial<Beacon>): Beacon => ({
  kind: 'impression',
  serveId: 'a',
  publisherId: 'p',
  servedAt: 0,
  at: 10,
  address: '8.8.8.8',
  bot: null,
  isHosted: false,
  isPrefetch: false,
  isEmbedded: false,
  isPublisherBlocked: false,
  isNative: false,
  ...more,
});

describe('traffic judge', () => {
  it('names the reason', () => {
    const judge = createTrafficJudge(rules);
    assert.equal(judge(beacon({ bot: 'crawler' })), 'bot');
    assert.equal(judge(beacon({ bot: 'empty' })), 'no_agent');
    assert.equal(judge(beacon({ bot: 'user_agent_bot' })), 'assistant_agent');
    assert.equal(judge(beacon({ isHosted: true })), 'data_centre');
    assert.equal(judge(beacon({ bot: 'preview' })), 'link_preview');
    assert.equal(judge(beacon({ bot: 'library' })), 'library_agent');
    assert.equal(judge(beacon({ bot: 'library', isNative: true, isHosted: true })), null);
    assert.equal(judge(beacon({ isPrefetch: true, isNative: true })), 'prefetch');
    assert.equal(judge(beacon({ isPublisherBlocked: true })), 'publisher_blocked');
    assert.equal(judge(beacon({ at: 1001 })), 'late');
    assert.equal(judge(beacon({ at: 1000 })), null);
  });

  it('calls a click too fast only within the delay after the first impression of the same ad', () => {
    const judge = createTrafficJudge(rules);
    judge(beacon({ at: 100 }));
    judge(beacon({ at: 190 }));
    assert.equal(judge(beacon({ kind: 'click', at: 199 })), 'too_fast');
    assert.equal(judge(beacon({ kind: 'click', at: 200 })), null);
    assert.equal(judge(beacon({ kind: 'click', serveId: 'b', at: 101 })), null);
  });

  it('counts rates per address, kind and minute, and says nothing about unknown addresses', () => {
    const judge = createTrafficJudge(rules);
    const clicks = (count: number, more: Partial<Beacon> = {}) =>
      Array.from({ length: count }, () => judge(beacon({ kind: 'click', ...more })));
    assert.deepEqual(clicks(5), [null, null, null, 'too_many', 'too_many']);
    assert.deepEqual(clicks(1, { address: '9.9.9.9' }), [null]);
    // All of a /64 is one subscriber's.
    const rotating = ['2001:db8::1', '2001:db8::ffff:2', '2001:db8:0:0:9::3', '2001:DB8::4'];
    assert.deepEqual(
      rotating.map((address) => judge(beacon({ kind: 'click', publisherId: 's', address }))),
      [null, null, null, 'too_many'],
    );
    assert.deepEqual(clicks(1, { at: 60_000, publisherId: 'q' }), [null]);
    assert.deepEqual(clicks(6, { address: null, publisherId: 'r' }), Array<null>(6).fill(null));
  });

  it('takes no more clicks of an address or of a publisher than people would make of what was shown', () => {
    const judge = createTrafficJudge({
      ...rules,
      clicksPerMinute: 100,
      impressionsPerMinute: 100,
    });
    const send = (kind: Beacon['kind'], count: number, address: (n: number) => string | null) =>
      Array.from({ length: count }, (_, n) =>
        judge(beacon({ kind, serveId: `${kind}${n}`, address: address(n) })),
      );
    const one = (): string => '8.8.8.8';
    send('impression', 4, one);
    assert.deepEqual(send('click', 5, one), [null, null, null, null, 'address_click_rate']);
    const many = (n: number): string => `9.9.9.${n}`;
    assert.deepEqual(send('click', 2, many), [null, 'publisher_click_rate']);
    // Behind one proxy, as many people as before but seeing more than they click.
    send('impression', 40, () => '7.7.7.7');
    assert.deepEqual(
      send('click', 5, () => '7.7.7.7'),
      Array<null>(5).fill(null),
    );
  });

  /** Two nodes that hear of each other when `tell` is called. */
  function twoNodes() {
    const heard: Record<string, SpaceOptions>[] = [{}, {}];
    const waiting: (() => void)[] = [];
    const node = (me: number): Pick<SharedCounts, 'space'> => ({
      space(name, options) {
        heard[me]![name] = options;
        const untold = new Map<string, number[]>();
        const due = (key: string): void => {
          const amounts = untold.get(key);
          untold.delete(key);
          if (amounts !== undefined)
            waiting.push(() => heard[1 - me]![name]?.heard(key, amounts, 0));
        };
        return {
          due,
          add(key, ...amounts) {
            const sum = amounts.map((amount, at) => amount + (untold.get(key)?.[at] ?? 0));
            untold.set(key, sum);
            if (options.worth(sum, key)) due(key);
          },
        };
      },
    });
    const many = { ...rules, addressClicks: 12, clicksPerMinute: 100, impressionsPerMinute: 64 };
    const seen = [0, 1].map((me) => createSeenElsewhere(node(me)));
    const judges = [0, 1].map((me) => createTrafficJudge(many, node(me), seen[me]?.at));
    return {
      seen,
      judges: judges as [(typeof judges)[0], (typeof judges)[0]],
      tell: () => {
        while (waiting.length > 0) waiting.shift()?.();
      },
    };
  }

  it('counts what other nodes saw: minutes, and clicks with the views that belong to them', () => {
    const { judges, tell } = twoNodes();
    const turn = (count: number, more: (n: number) => Partial<Beacon>) =>
      Array.from({ length: count }, (_, n) => {
        const verdict = judges[n % 2 === 0 ? 0 : 1](beacon(more(n)));
        tell();
        return verdict;
      });
    // 64 a minute on both together, but for what is too little to be told.
    const views = turn(70, (n) => ({ serveId: `v${n}`, address: '7.7.7.7' }));
    assert.equal(views.indexOf('too_many') >= 64 && views.indexOf('too_many') <= 66, true);
    // Twelve clicks of one address are none too many, the thirteenth is: there are views of it on
    // both nodes, half of them before anybody clicked.
    turn(8, (n) => ({ serveId: `a${n}`, publisherId: 'q' }));
    const clicks = turn(13, (n) => ({
      kind: 'click',
      serveId: `c${n}`,
      publisherId: 'q',
      at: 500,
    }));
    assert.deepEqual(clicks, [...Array<null>(6).fill(null), ...clicks.slice(6)]);
    assert.equal(clicks.at(-1), 'address_click_rate');
    // An address that sees three times as much as it clicks goes on.
    turn(39, (n) => ({ serveId: `b${n}`, publisherId: 'r', address: '6.6.6.6' }));
    const honest = turn(13, (n) => ({
      kind: 'click',
      serveId: `d${n}`,
      publisherId: 'r',
      address: '6.6.6.6',
      at: 500,
    }));
    assert.deepEqual(honest, Array<null>(13).fill(null));
  });

  it('a click right after an impression at another node is too fast', () => {
    const { judges, seen, tell } = twoNodes();
    seen[0]?.tell('a', 10);
    tell();
    assert.equal(judges[1](beacon({ kind: 'click', at: 60 })), 'too_fast');
    assert.equal(judges[1](beacon({ kind: 'click', at: 200 })), null);
  });
});
