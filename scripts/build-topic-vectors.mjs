// Brings build/topic-vectors.bin up to date with the names of the topics, so that no start has to
// read them. Part of the build.
import { fileURLToPath } from 'node:url';

export async function buildTopicVectors() {
  const { readTopicFiles } =
    await import('../build/src/platform/catalog-folder/read-matching-lists.js');
  const { builtTopicVectors } =
    await import('../build/src/platform/catalog-folder/load-vectors.js');
  const { buildVectors } = await import('../build/src/platform/embedding/built-vectors.js');
  const { createReader } = await import('../build/src/platform/embedding/create-reader.js');
  const { readReaderLayout } = await import('../build/src/platform/embedding/reader-model.js');
  const log = {
    info() {},
    warn: (details, message) => process.stderr.write(`${message}: ${details.err}\n`),
  };
  const names = readTopicFiles().topics.map(({ name }) => name);
  return buildVectors(builtTopicVectors, names, readReaderLayout().id, () =>
    createReader({ workers: 1, cacheSize: 1, log }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`made ${await buildTopicVectors()} vectors of topics\n`);
