import assert from 'node:assert/strict';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { openSpool, type Spool } from './spool.js';

const root = mkdtempSync(join(tmpdir(), 'sidelight-spool-'));
let folders = 0;
const newFolder = (): string => join(root, String((folders += 1)));
const segmentsOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.spool'))
    .sort()
    .map((name) => join(folder, name));
const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

function drain(spool: Spool, step = 3): string[] {
  const all: string[] = [];
  for (let frames = spool.read(step); frames.length > 0; frames = spool.read(step)) {
    all.push(...frames);
    spool.removeRead();
  }
  return all;
}

describe('spool', () => {
  after(() => rmSync(root, { recursive: true, force: true }));

  it('gives frames back in order, across files and restarts', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.array(
            fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed()),
            { minLength: 1, maxLength: 5 },
          ),
          { maxLength: 12 },
        ),
        fc.integer({ min: 1, max: 200 }),
        (batches, segmentBytes) => {
          const folder = newFolder();
          const written: string[] = [];
          for (const batch of batches) {
            const spool = openSpool(folder, { segmentBytes });
            spool.append(batch);
            spool.append(['x']);
            spool.close();
            written.push(...batch, 'x');
          }
          const spool = openSpool(folder, { segmentBytes });
          assert.equal(spool.pending, written.length);
          assert.deepEqual(drain(spool), written);
          assert.equal(spool.pending, 0);
          assert.equal(spool.bytes, 0);
          assert.deepEqual(segmentsOf(folder), []);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('starts a new file when one is full and removes each as soon as it is drained', () => {
    const folder = newFolder();
    const spool = openSpool(folder, { segmentBytes: 20 });
    for (const text of ['one', 'two', 'three', 'four', 'five']) spool.append([text]);
    const before = segmentsOf(folder).length;
    assert.ok(before > 1);
    assert.deepEqual(spool.read(1), ['one']);
    assert.deepEqual(spool.read(1), ['one']);
    spool.removeRead();
    assert.deepEqual(drain(spool), ['two', 'three', 'four', 'five']);
    assert.deepEqual(segmentsOf(folder), []);
  });

  it('cuts a frame torn at any byte and keeps all before it', () => {
    const frames = ['first frame', 'second', 'third and last'];
    const whole = newFolder();
    const written = openSpool(whole);
    written.append(frames);
    written.close();
    const bytes = readFileSync(segmentsOf(whole)[0] ?? '');
    const ends = [0, 8 + 11, 8 + 11 + 8 + 6, bytes.length];
    for (let length = 0; length <= bytes.length; length += 1) {
      const folder = newFolder();
      openSpool(folder).close();
      writeFileSync(join(folder, '000000000001.spool'), bytes.subarray(0, length));
      const spool = openSpool(folder);
      const kept = ends.filter((end) => end > 0 && end <= length).length;
      assert.deepEqual(drain(spool), frames.slice(0, kept), `cut at ${length}`);
      spool.append(['after']);
      assert.deepEqual(drain(spool), ['after']);
    }
  });

  it('cuts a frame whose bytes are not what was written', () => {
    const folder = newFolder();
    const spool = openSpool(folder);
    spool.append(['good', 'bad']);
    spool.close();
    const [path = ''] = segmentsOf(folder);
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(path, bytes);
    assert.deepEqual(drain(openSpool(folder)), ['good']);
  });

  it('sets a file aside that turns unreadable while it waits, and goes on with the next', () => {
    const folder = newFolder();
    const spool = openSpool(folder, { segmentBytes: 5 });
    spool.append(['lost']);
    spool.append(['kept']);
    truncateSync(segmentsOf(folder)[0] ?? '', 3);
    assert.deepEqual(drain(spool), ['kept']);
    assert.equal(spool.pending, 0);
    assert.ok(readdirSync(folder).some((name) => name.endsWith('.damaged')));
  });

  for (const kept of [0, 1, 5, 11]) {
    it(`leaves no half frame when the disk is full after ${kept} bytes, and works again when there is room`, () => {
      const folder = newFolder();
      let room = Number.POSITIVE_INFINITY;
      const spool = openSpool(folder, {
        write(handle, bytes, offset) {
          const length = Math.min(room, bytes.length - offset);
          room -= length;
          if (length === 0) throw full;
          return writeSync(handle, bytes, offset, length);
        },
      });
      spool.append(['before']);
      room = kept;
      assert.throws(() => spool.append(['refused']), full);
      assert.equal(spool.pending, 1);
      assert.equal(statSync(segmentsOf(folder)[0] ?? '').size, 8 + 6);
      room = Number.POSITIVE_INFINITY;
      spool.append(['after']);
      assert.deepEqual(drain(openSpool(folder)), ['before', 'after']);
    });
  }

  it('keeps nothing of a write that could not be synced', () => {
    const folder = newFolder();
    let fails = true;
    const spool = openSpool(folder, {
      sync() {
        if (fails) throw full;
      },
    });
    assert.throws(() => spool.append(['refused']), full);
    assert.deepEqual(segmentsOf(folder), []);
    assert.deepEqual(spool.read(10), []);
    fails = false;
    spool.append(['after']);
    assert.deepEqual(drain(spool), ['after']);
  });

  it('keeps what was set aside', () => {
    const folder = newFolder();
    const spool = openSpool(folder);
    spool.setAside('{"a":1}');
    spool.setAside('{"b":2}');
    assert.equal(readFileSync(join(folder, 'refused.jsonl'), 'utf8'), '{"a":1}\n{"b":2}\n');
    assert.equal(openSpool(folder).pending, 0);
  });
});
