import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { createAdmission } from './admission.js';

/** A response that is finished by hand, and what it was answered with. */
class Answer extends EventEmitter {
  writableFinished = false;
  status = 0;
  headers: Record<string, unknown> = {};
  writeHead(status: number, headers: Record<string, unknown>): this {
    this.status = status;
    this.headers = headers;
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

function gateWith(queueMs: number) {
  const clock = { now: 1_000_000 };
  const gate = createAdmission({ queueMs, now: () => clock.now });
  const send = (key: string, url = '/api/v1/ad'): Answer => {
    const answer = new Answer();
    // As much of both as the gate looks at.
    gate(
      {
        url,
        headers: { 'x-api-key': key },
        socket: {},
        resume: () => undefined,
      } as never as IncomingMessage,
      answer as never as ServerResponse,
    );
    return answer;
  };
  return { clock, send };
}

describe('admission', () => {
  it('turns away what would wait too long, at once and with a time to come back', () => {
    const { send } = gateWith(100);
    const taken = Array.from({ length: 64 }, () => send('a'));
    assert.ok(taken.every(({ status }) => status === 0));
    const refused = send('a');
    assert.equal(refused.status, 503);
    assert.equal(refused.headers['retry-after'], '1');
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
