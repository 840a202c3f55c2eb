import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { createAdmission } from './admission.js';

/** A response that is finished by hand, and what it was answered with. */
class Answer extends EventEmitter {
  writableFinished = false;
  status = 0;
  statusCode = 200;
  headers: Record<string, unknown> = {};
  writeHead(status: number, flat: readonly string[]): this {
    this.status = status;
    for (let at = 0; at < flat.length; at += 2) this.headers[String(flat[at])] = flat[at + 1];
    return this;
  }
  end(): this {
    return this;
  }
  finish(isWhole = true): void {
    this.writableFinished = isWhole;
    this.emit('close');
  }
}

/** As much of a request as the gate looks at. */
class Asked extends EventEmitter {
  socket = {};
  url = '';
  headers: Record<string, string> = {};
  resume(): void {
    this.emit('resume');
  }
}

function gateWith(queueMs: number) {
  const clock = { now: 1_000_000 };
  const { front: gate, waited } = createAdmission({
    queueMs,
    now: () => clock.now,
    callerOf: ({ headers }) => String(headers['x-api-key']),
  });
  const ask = (headers: Record<string, string>, url = '/api/v1/ad') => {
    const asked = Object.assign(new Asked(), { url, headers });
    const answer = new Answer();
    gate(asked as never as IncomingMessage, answer as never as ServerResponse);
    return { asked, answer };
  };
  const send = (key: string, url?: string): Answer => ask({ 'x-api-key': key }, url).answer;
  return { clock, ask, send, waited };
}

describe('admission', () => {
  it('turns away what would wait too long, at once and with a time to come back', () => {
    const { send } = gateWith(100);
    const taken = Array.from({ length: 64 }, () => send('a'));
    assert.ok(taken.every(({ status }) => status === 0));
    const refused = send('a');
    assert.equal(refused.status, 503);
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(refused.headers['content-length'], '36');
    taken[0]?.finish();
    assert.equal(send('a').status, 0);
  });

  it('takes as many as are answered within the time they may wait', () => {
    const { clock, send } = gateWith(100);
    // A thousand in half a second: 200 within the 100 ms one may wait.
    for (let at = 0; at < 1000; at += 1) {
      clock.now += 0.45;
      send('a').finish();
    }
    const taken = Array.from({ length: 400 }, () => send('a')).filter(({ status }) => status === 0);
    assert.ok(taken.length >= 150 && taken.length <= 260, String(taken.length));
  });

  it('a moment of few answers does not close the door, seconds of them do', () => {
    const { clock, send } = gateWith(100);
    for (let at = 0; at < 1000; at += 1) {
      clock.now += 0.45;
      send('a').finish();
    }
    const admitted = (): number => {
      const sent = Array.from({ length: 400 }, () => send('a'));
      const taken = sent.filter(({ status }) => status === 0);
      for (const answer of taken) answer.finish(false);
      return taken.length;
    };
    clock.now += 1500;
    assert.ok(admitted() >= 150, 'what could be answered a second ago can be answered');
    clock.now += 4000;
    assert.equal(admitted(), 64);
  });

  it('lets in fewer while those let in wait too long, and more again when they do not', () => {
    const { clock, send, waited } = gateWith(100);
    const answer = (): void => {
      for (let at = 0; at < 1000; at += 1) {
        clock.now += 0.45;
        send('a').finish();
      }
    };
    const admitted = (): number => {
      const sent = Array.from({ length: 400 }, () => send('a'));
      const taken = sent.filter(({ status }) => status === 0);
      for (const one of taken) one.finish(false);
      return taken.length;
    };
    answer();
    const usual = admitted();
    for (let slice = 0; slice < 3; slice += 1) {
      waited(151);
      clock.now += 100;
      admitted();
    }
    const then = admitted();
    assert.ok(then < usual / 2 && then >= 64, `${usual}, then ${then}`);
    for (let slice = 0; slice < 20; slice += 1) {
      waited(149);
      clock.now += 100;
      admitted();
    }
    assert.ok(admitted() > 0.9 * usual, 'nobody waited too long for two seconds');
  });

  it('bodies that are sent slowly or never end take nobody’s place until they are there', () => {
    const { ask, send } = gateWith(100);
    const slow = Array.from({ length: 500 }, (_, n) =>
      ask({
        'x-api-key': 'slow',
        ...(n % 2 ? { 'content-length': '9' } : { 'transfer-encoding': 'chunked' }),
      }),
    );
    assert.ok(slow.every(({ answer }) => answer.status === 0));
    const taken = send('a');
    assert.equal(taken.status, 0);
    // Those that came are under way like all others.
    for (const { asked } of slow.slice(0, 63)) asked.emit('end');
    assert.equal(send('slow').status, 503);
    taken.finish();
    assert.equal(send('slow').status, 0);
    for (const { answer } of slow) answer.finish(false);
    assert.equal(send('b').status, 0);
  });

  it('who is turned away after waiting was not answered and lets nobody in', () => {
    const { clock, send } = gateWith(100);
    for (let at = 0; at < 1000; at += 1) {
      clock.now += 0.45;
      const answer = send('a');
      answer.statusCode = 503;
      answer.finish();
    }
    const taken = Array.from({ length: 400 }, () => send('a')).filter(({ status }) => status === 0);
    assert.equal(taken.length, 64);
  });

  it('callers that leave count for nothing', () => {
    const { send } = gateWith(100);
    for (let at = 0; at < 5000; at += 1) send('a').finish(false);
    for (let at = 0; at < 64; at += 1) send('a');
    assert.equal(send('a').status, 503);
  });

  it('keeps room for callers other than the one that floods', () => {
    const { send } = gateWith(100);
    for (let at = 0; at < 500; at += 1) send('flood');
    assert.equal(send('flood').status, 503);
    assert.equal(send('quiet').status, 0);
  });

  it('never turns a probe away, and nobody when it is off', () => {
    const { send } = gateWith(100);
    for (let at = 0; at < 500; at += 1) send('flood');
    assert.equal(send('flood', '/health').status, 0);
    const off = gateWith(0);
    for (let at = 0; at < 500; at += 1) assert.equal(off.send('a').status, 0);
  });
});
