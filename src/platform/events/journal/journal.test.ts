import assert from 'node:assert/strict';
import {
  fdatasync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { crc32 } from '../../../fast/crc32.js';
import { silentLog } from '../../log.js';
import {
  type Disk,
  type Journal,
  type JournalOptions,
  openJournal,
  type Position,
} from './journal.js';
import { takeOverSpool } from './take-over-spool.js';

const root = mkdtempSync(join(tmpdir(), 'sidelight-journal-'));
let folders = 0;
const newFolder = (): string => join(root, String((folders += 1)));
const start: Position = { segment: 0, offset: 0 };
const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

const open = (folder: string, options: Partial<JournalOptions> = {}): Journal =>
  openJournal(folder, { log: silentLog, ...options });
const append = (journal: Journal, payload: string): Promise<Position> =>
  new Promise((resolve, reject) =>
    journal.append(payload, (error, end) => (error === null ? resolve(end) : reject(error))),
  );
const files = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .sort()
    .map((name) => join(folder, name));

function readAll(journal: Journal, from = start): string[] {
  const all: string[] = [];
  for (let at = from; ;) {
    const { payloads, next } = journal.read(at);
    if (payloads.length === 0) return all;
    all.push(...payloads.map((one) => one.payload));
    at = next;
  }
}

async function written(payloads: readonly string[], options: Partial<JournalOptions> = {}) {
  const folder = newFolder();
  const journal = open(folder, options);
  const ends: Position[] = [];
  for (const payload of payloads) ends.push(await append(journal, payload));
  await journal.close();
  return { folder, ends };
}

/** Forgets on a power cut whatever was written and not synced. */
function forgetfulDisk(): Disk & { cut(): void } {
  const synced = new Map<number, number>();
  let syncing = true;
  return {
    write: writeSync,
    sync(handle, done) {
      if (!syncing) return;
      const { size } = fstatSync(handle);
      fdatasync(handle, (error) => {
        if (error === null) synced.set(handle, size);
        done(error);
      });
    },
    cut() {
      syncing = false;
      for (const [handle, size] of synced) ftruncateSync(handle, size);
    },
  };
}

describe('journal', () => {
  after(() => rmSync(root, { recursive: true, force: true }));

  it('gives back what was appended, in order, across files and restarts', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(
            fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed()),
            { minLength: 1, maxLength: 5 },
          ),
          { maxLength: 6 },
        ),
        fc.integer({ min: 1, max: 200 }),
        async (runs, segmentBytes) => {
          const folder = newFolder();
          for (const run of runs) {
            const journal = open(folder, { segmentBytes });
            await Promise.all(run.map((payload) => append(journal, payload)));
            await journal.close();
          }
          const journal = open(folder, { segmentBytes });
          assert.deepEqual(readAll(journal), runs.flat());
          await journal.close();
        },
      ),
      { numRuns: 30 },
    ));

  it('syncs once for all that waited for the sync before', async () => {
    let syncs = 0;
    const journal = open(newFolder(), {
      disk: {
        write: writeSync,
        sync(handle, done) {
          syncs += 1;
          fdatasync(handle, done);
        },
      },
    });
    await append(journal, 'first');
    const before = syncs;
    await Promise.all(Array.from({ length: 100 }, (_, n) => append(journal, `p${n}`)));
    assert.ok(syncs - before <= 2, `${syncs - before} syncs`);
    await journal.close();
  });

  it('reads on from a position and lets go of files before it', async () => {
    const { folder, ends } = await written(['a', 'b', 'c', 'd'], { segmentBytes: 1 });
    assert.equal(files(folder).length, 4);
    const journal = open(folder);
    assert.deepEqual(readAll(journal, ends[1] ?? start), ['c', 'd']);
    journal.release(ends[1] ?? start);
    assert.equal(files(folder).length, 2);
    assert.ok(journal.bytesFrom(ends[1] ?? start) > 0);
    assert.equal(journal.bytesFrom(ends[3] ?? start), 0);
    await journal.close();
  });

  it('keeps what was applied for its time, within its size, and lets it go when the disk is full', async () => {
    let at = 0;
    let isFull = false;
    const folder = newFolder();
    const journal = open(folder, {
      segmentBytes: 1,
      keepMs: 1000,
      keepBytes: 300,
      now: () => at,
      disk: {
        write(handle, bytes, offset) {
          if (isFull) throw full;
          return writeSync(handle, bytes, offset);
        },
        sync: fdatasync,
      },
    });
    const put = async (payload: string): Promise<void> => {
      const end = await append(journal, payload);
      journal.rotate();
      journal.release(end);
    };
    await put('a');
    await put('b');
    assert.deepEqual(readAll(journal), ['a', 'b']);
    assert.equal(journal.bytesFrom(journal.end), 0);
    at = 1000;
    await put('c');
    assert.deepEqual(readAll(journal), ['c']);
    await put('x'.repeat(284));
    assert.deepEqual(readAll(journal), ['x'.repeat(284)]);
    isFull = true;
    await assert.rejects(append(journal, 'd'), full);
    assert.deepEqual(readAll(journal), []);
    isFull = false;
    // What is to be copied elsewhere stays until it was.
    journal.keepUnshipped(0);
    await put('e');
    at = 5000;
    await put('f');
    assert.deepEqual(readAll(journal), ['e', 'f']);
    journal.keepUnshipped(journal.finished(0)[0]?.number ?? 0);
    at = 6000;
    journal.release(journal.end);
    assert.deepEqual(readAll(journal), ['f']);
    await journal.close();
  });

  it('never uses a number again, also when all its files are gone', async () => {
    const { folder, ends } = await written(['a']);
    const last = ends[0] ?? start;
    const journal = open(folder);
    journal.startAfter(last.segment);
    journal.release(last);
    assert.equal(files(folder).length, 0);
    const end = await append(journal, 'b');
    assert.ok(end.segment > last.segment);
    assert.deepEqual(readAll(journal, last), ['b']);
    await journal.close();
  });

  it('passes over any byte that was flipped, keeps it, and loses no other frame', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), async (place, flip) => {
        const payloads = ['first frame', 'second', 'third frame', 'last'];
        const { folder } = await written(payloads);
        const [file = ''] = files(folder);
        const bytes = readFileSync(file);
        const at = place % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        writeFileSync(file, bytes);
        const journal = open(folder);
        const read = readAll(journal);
        const lost = payloads.filter((payload) => !read.includes(payload));
        assert.equal(lost.length, 1);
        assert.deepEqual(
          read,
          payloads.filter((payload) => payload !== lost[0]),
        );
        assert.equal(journal.damage.places, 1);
        const [kept = ''] = readdirSync(join(folder, 'damaged'));
        assert.ok(bytes.includes(readFileSync(join(folder, 'damaged', kept))));
        assert.equal(open(folder).damage.places, 1);
        await journal.close();
      }),
      { numRuns: 60 },
    ));

  it('is not held up by zeros at its end, nor by a frame that was cut', async () => {
    for (const [name, tail, places] of [
      ['zeros', Buffer.alloc(4096), 0],
      ['half a header', Buffer.from([0xf1, 0x53, 0x4c]), 1],
      ['rubbish', Buffer.from('not a frame at all, and longer than a header'), 1],
    ] as const) {
      const { folder } = await written(['kept', 'too']);
      writeFileSync(files(folder)[0] ?? '', tail, { flag: 'a' });
      const journal = open(folder);
      assert.deepEqual(readAll(journal), ['kept', 'too'], name);
      const end = await append(journal, 'after');
      assert.deepEqual(readAll(journal), ['kept', 'too', 'after'], name);
      assert.equal(journal.bytesFrom(end), 0);
      assert.equal(journal.damage.places, places, name);
      await journal.close();
    }
  });

  it('says that a file is gone, wherever it stood, and reads the others', async () => {
    for (const [gone, from] of [
      [1, 0],
      [2, 1],
      [2, 2],
    ] as const) {
      const { folder, ends } = await written(['a', 'b', 'c', 'd'], { segmentBytes: 1 });
      rmSync(files(folder)[gone] ?? '');
      const journal = open(folder);
      const applied = ends[from] ?? start;
      const left = ['a', 'b', 'c', 'd'].filter((_, at) => at > from && at !== gone);
      assert.deepEqual(readAll(journal, applied), left);
      assert.deepEqual(readAll(journal, applied), left);
      assert.equal(journal.damage.places, 1, 'told once');
      assert.deepEqual(readdirSync(join(folder, 'damaged')), [`${gone + 1}-${gone + 1}.lost`]);
      assert.equal(open(folder).damage.places, 1);
      await journal.close();
    }
  });

  it('says that its last file is gone, also when it was the only one', async () => {
    for (const payloads of [['a'], ['a', 'b']]) {
      const { folder, ends } = await written(payloads, { segmentBytes: 1 });
      rmSync(files(folder).at(-1) ?? '');
      const journal = open(folder);
      const last = ends.at(-1)?.segment ?? 0;
      assert.deepEqual(readdirSync(join(folder, 'damaged')), [`${last}-${last}.lost`]);
      assert.deepEqual(readAll(journal), payloads.slice(0, -1));
      assert.ok((await append(journal, 'c')).segment > last, 'its number is not used again');
      assert.deepEqual(readAll(journal), [...payloads.slice(0, -1), 'c']);
      await journal.close();
      rmSync(join(folder, 'damaged'), { recursive: true });
      assert.equal(open(folder).damage.places, 0, 'told once');
    }
  });

  it('goes on in a new file when its folder is deleted while it runs, and says what was lost', async () => {
    const folder = newFolder();
    let now = 0;
    const journal = open(folder, { now: () => now });
    const first = await append(journal, 'a');
    await append(journal, 'b');
    rmSync(folder, { recursive: true });
    // Whether the file is still there is asked once a second.
    await sleep(1_050);
    await append(journal, 'd');
    await append(journal, 'e');
    assert.equal(files(folder).length, 1);
    // A disk may come back, and the file with it.
    assert.throws(() => readAll(journal, first), { code: 'ENOENT' });
    now += 60_000;
    assert.deepEqual(readAll(journal, first), ['d', 'e']);
    assert.equal(journal.damage.places, 1);
    const { id } = journal;
    await journal.close();
    const again = open(folder);
    assert.deepEqual([again.id, again.damage.places], [id, 1]);
    assert.deepEqual(readAll(again), ['d', 'e']);
  });

  it('misses nothing where its last file was applied and let go', async () => {
    const { folder, ends } = await written(['a', 'b'], { segmentBytes: 1 });
    const journal = open(folder);
    journal.release(ends.at(-1) ?? start);
    assert.deepEqual(files(folder), []);
    await journal.close();
    assert.equal(open(folder).damage.places, 0);
  });

  it('goes on with its id when the file of it was damaged or is gone', async () => {
    const { folder } = await written(['a']);
    const { id } = open(folder);
    for (const text of ['x', '', null]) {
      if (text === null) rmSync(join(folder, 'id'));
      else writeFileSync(join(folder, 'id'), text);
      assert.equal(open(folder).id, id);
      assert.equal(readFileSync(join(folder, 'id'), 'utf8'), `${id}\n`);
    }
    for (const mark of ['', 'x', `${id} 1`]) {
      writeFileSync(join(folder, 'mark'), mark);
      const journal = open(folder);
      assert.equal(journal.id, id);
      assert.deepEqual(readAll(journal), ['a']);
    }
  });

  it('misses no file that never held anything, nor one that was let go, and no folder is one', async () => {
    let isFull = false;
    const disk: Disk = {
      write: (handle, bytes, offset) => {
        if (isFull) throw full;
        return writeSync(handle, bytes, offset);
      },
      sync: fdatasync,
    };
    const folder = newFolder();
    const journal = open(folder, { disk, segmentBytes: 1 });
    await append(journal, 'a');
    isFull = true;
    for (let at = 0; at < 5; at += 1) await assert.rejects(append(journal, 'refused'));
    isFull = false;
    const second = await append(journal, 'b');
    await append(journal, 'c');
    assert.deepEqual(readAll(journal), ['a', 'b', 'c']);
    journal.release(second);
    await journal.close();
    mkdirSync(join(folder, '000000000009.log'));
    writeFileSync(join(folder, 'notes.txt'), 'not ours');
    writeFileSync(join(folder, '000000000001.log.bak'), 'not ours');
    const again = open(folder);
    assert.deepEqual(readAll(again, second), ['c']);
    assert.equal(again.damage.places, 0);
    await again.close();
  });

  it('finds every frame behind zeros in the middle and says that some are missing', async () => {
    const { folder, ends } = await written(['a'.repeat(50), 'b'.repeat(50), 'c'.repeat(50)]);
    const [file = ''] = files(folder);
    const bytes = readFileSync(file);
    bytes.fill(0, ends[0]?.offset, ends[1]?.offset);
    writeFileSync(file, bytes);
    const journal = open(folder);
    assert.deepEqual(readAll(journal), ['a'.repeat(50), 'c'.repeat(50)]);
    assert.equal(journal.damage.places, 1);
    await journal.close();
  });

  it('keeps what was acknowledged when the power is cut', async () => {
    const folder = newFolder();
    const disk = forgetfulDisk();
    const journal = open(folder, { disk });
    const acknowledged: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      await append(journal, `kept ${n}`);
      acknowledged.push(`kept ${n}`);
    }
    disk.cut();
    journal.append('lost', () => acknowledged.push('lost'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    disk.cut();
    const next = open(folder);
    assert.deepEqual(readAll(next), acknowledged);
    assert.equal(acknowledged.length, 20);
    await next.close();
  });

  it('refuses while the disk is full, leaves nothing half behind, and goes on', async () => {
    const folder = newFolder();
    let room = Number.POSITIVE_INFINITY;
    const disk: Disk = {
      write(handle, bytes, offset) {
        if (room === 0) throw full;
        const part = bytes.subarray(offset, offset + Math.min(room, bytes.length - offset));
        room -= part.length;
        return writeSync(handle, part);
      },
      sync: fdatasync,
    };
    const journal = open(folder, { disk });
    await append(journal, 'before');
    for (const left of [0, 5, 20]) {
      room = left;
      await assert.rejects(append(journal, 'refused, because it does not fit'), full);
    }
    room = Number.POSITIVE_INFINITY;
    await append(journal, 'behind');
    await journal.close();
    const next = open(folder);
    assert.deepEqual(readAll(next), ['before', 'behind']);
    assert.equal(next.damage.places, 0);
    await next.close();
  });

  it('acknowledges nothing that could not be synced', async () => {
    const folder = newFolder();
    let fails = false;
    const disk: Disk = {
      write: writeSync,
      sync(handle, done) {
        if (fails) done(Object.assign(new Error('input/output error'), { code: 'EIO' }));
        else fdatasync(handle, done);
      },
    };
    const journal = open(folder, { disk });
    await append(journal, 'a');
    fails = true;
    await assert.rejects(append(journal, 'b'), /input/);
    fails = false;
    await append(journal, 'c');
    assert.deepEqual(readAll(journal), ['a', 'c']);
    await journal.close();
  });

  it('takes no more than it may hold until some of it is applied', async () => {
    const journal = open(newFolder(), { maxBytes: 100, segmentBytes: 1 });
    const first = await append(journal, 'x'.repeat(150));
    await assert.rejects(append(journal, 'y'), /full/);
    journal.release(first);
    await append(journal, 'z');
    await journal.close();
  });

  it('takes over the spool of an earlier release, also a damaged one', async () => {
    const folder = newFolder();
    const journal = open(join(folder, 'journal'));
    const old = join(folder, 'spool');
    const frame = (text: string): Buffer => {
      const body = Buffer.from(text);
      const head = Buffer.alloc(8);
      head.writeUInt32LE(body.length, 0);
      head.writeUInt32LE(crc32(body), 4);
      return Buffer.concat([head, body]);
    };
    mkdirSync(old);
    writeFileSync(join(old, '000000000001.spool'), Buffer.concat([frame('["a"]'), frame('["b"]')]));
    writeFileSync(
      join(old, '000000000002.spool'),
      Buffer.concat([frame('["c"]'), Buffer.from('torn')]),
    );
    assert.equal(await takeOverSpool(old, journal), 3);
    assert.deepEqual(readAll(journal), ['["a"]', '["b"]', '["c"]']);
    assert.deepEqual(readdirSync(old), []);
    assert.equal(journal.damage.places, 1);
    assert.equal(await takeOverSpool(old, journal), 0);
    await journal.close();
  });
});
