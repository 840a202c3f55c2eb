// Writes build/english-words.bin: a sorted number for every English word, ready to be searched as
// loaded. The words are those of the package `word-list` (MIT).
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(dirname(createRequire(import.meta.url).resolve('word-list')), 'words.txt');

export async function buildWords(target = join(root, 'build/english-words.bin')) {
  if (existsSync(target) && statSync(target).mtimeMs > statSync(source).mtimeMs) return;
  const { wordHash } = await import(
    pathToFileURL(join(root, 'build/src/domain/text/spelling.js')).href
  );
  const words = readFileSync(source, 'utf8').split('\n').filter(Boolean);
  const hashes = Uint32Array.from(words, wordHash).sort();
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.${process.pid}`, hashes);
  renameSync(`${target}.${process.pid}`, target);
}
