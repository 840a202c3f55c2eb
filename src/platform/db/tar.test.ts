import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { BrokenTar, extractTar, packTar, withoutFiles } from './tar.js';

describe('tar', () => {
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'sidelight-tar-'));
  });
  after(() => rm(home, { recursive: true, force: true }));

  it('gives back what was packed, whatever the chunks', async () => {
    const from = join(home, 'from');
    await mkdir(join(from, 'empty'), { recursive: true });
    await mkdir(join(from, 'a', 'b'), { recursive: true });
    const files = {
      'a/b/none': Buffer.alloc(0),
      'a/one': Buffer.from('x'),
      'a/block': Buffer.alloc(512, 7),
      big: Buffer.alloc(2_500_001, 9),
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(from, name), content);
    const packed = Buffer.concat(await collect(packTar(from)));
    for (const size of [700, 512, packed.length]) {
      const to = await mkdtemp(join(home, 'to-'));
      await extractTar(Readable.from(pieces(packed, size)), to);
      for (const [name, content] of Object.entries(files))
        assert.equal((await readFile(join(to, name))).equals(content), true, name);
    }
  });

  it('leaves out files of an archive in memory, and nothing else', async () => {
    const from = join(home, 'whole');
    await mkdir(join(from, 'log'), { recursive: true });
    for (const name of ['log/1', 'log/2', 'other']) await writeFile(join(from, name), name);
    const packed = Buffer.concat(await collect(packTar(from)));
    const to = await mkdtemp(join(home, 'to-'));
    const left = withoutFiles(packed, (path) => path === 'log/2');
    await extractTar(Readable.from([left]), to);
    assert.deepEqual((await readdir(to, { recursive: true })).sort(), ['log', 'log/1', 'other']);
    assert.equal(left.length, packed.length - 1024);
  });

  it('refuses an archive that was cut off', async () => {
    const from = join(home, 'cut');
    await mkdir(from);
    await writeFile(join(from, 'file'), 'x'.repeat(2000));
    const packed = Buffer.concat(await collect(packTar(from)));
    await assert.rejects(
      extractTar(Readable.from([packed.subarray(0, 1500)]), await mkdtemp(join(home, 'to-'))),
      BrokenTar,
    );
  });

  it('refuses an entry whose header was changed', async () => {
    const from = join(home, 'flipped');
    await mkdir(from);
    await writeFile(join(from, 'file'), 'x');
    const packed = Buffer.concat(await collect(packTar(from)));
    packed.write('g', 0);
    await assert.rejects(
      extractTar(Readable.from([packed]), await mkdtemp(join(home, 'to-'))),
      BrokenTar,
    );
  });

  it('refuses an entry that points outside', async () => {
    const from = join(home, 'evil');
    await mkdir(from);
    await writeFile(join(from, 'aa-escape'), 'x');
    const packed = Buffer.concat(await collect(packTar(from)));
    packed.write('../escape', 0);
    // A checksum that fits, as who means harm would write.
    packed.write('        ', 148);
    const sum = packed.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    packed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    await assert.rejects(
      extractTar(Readable.from([packed]), await mkdtemp(join(home, 'to-'))),
      BrokenTar,
    );
  });
});

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const chunk of source) all.push(chunk);
  return all;
}

function* pieces(whole: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
}
