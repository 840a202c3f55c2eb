import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCompileLater } from './compile-later.js';

describe('what is compiled later', () => {
  it('is made once, when asked for or one after the other in pauses, and stops when told', () => {
    const pauses: (() => void)[] = [];
    const later = createCompileLater((work) => {
      pauses.push(work);
      return () => pauses.splice(pauses.indexOf(work), 1);
    });
    const made: string[] = [];
    const [a, b] = ['a', 'b', 'c', 'd'].map((name) => later.add(() => (made.push(name), name)));
    const broken = later.add(() => {
      throw new Error('no schema');
    });
    assert.equal(b?.(), 'b');
    const stop = later.start();
    assert.deepEqual(made, ['b']);
    pauses.shift()?.();
    assert.deepEqual(made, ['b', 'a']);
    assert.equal(a?.(), 'a');
    for (let turn = 0; turn < 2; turn += 1) pauses.shift()?.();
    assert.deepEqual(made, ['b', 'a', 'c', 'd']);
    pauses.shift()?.();
    assert.throws(broken, /no schema/);
    stop();
    assert.deepEqual([made, pauses.length], [['b', 'a', 'c', 'd'], 0]);
  });

  it('is left alone until it is asked for where it need not be there before', () => {
    const pauses: (() => void)[] = [];
    const later = createCompileLater((work) => {
      pauses.push(work);
      return () => undefined;
    });
    const made: string[] = [];
    const seldom = later.add(() => (made.push('seldom'), 'seldom'), false);
    later.add(() => made.push('often'));
    later.start();
    for (let turn = 0; turn < 3; turn += 1) pauses.shift()?.();
    assert.deepEqual(made, ['often']);
    assert.equal(seldom(), 'seldom');
    later.finish();
    assert.deepEqual(made, ['often', 'seldom']);
  });

  it('is all made at once when told', () => {
    const later = createCompileLater(() => () => undefined);
    const made: string[] = [];
    const [a] = ['a', 'b'].map((name) => later.add(() => (made.push(name), name)));
    later.add(() => made.push('c'), false);
    assert.equal(a?.(), 'a');
    later.finish();
    later.finish();
    assert.deepEqual(made, ['a', 'b', 'c']);
  });
});
