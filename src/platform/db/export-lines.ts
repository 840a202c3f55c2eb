import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/**
 * Lines of a gzipped file, one at a time. What is wrong with the file is thrown where it is read.
 */
export async function* exportLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const text = createGunzip();
  source.on('error', (error) => text.destroy(error));
  let rest = '';
  try {
    for await (const part of source.pipe(text).setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    source.destroy();
  }
}
