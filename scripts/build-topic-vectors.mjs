// Makes build/topic-vectors.bin when the topic catalogue or the model changed, so that no start has
// to embed it. Part of the build.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

export async function buildTopics() {
  const { buildTopicVectors } = await import('../build/src/platform/embedding/topic-vectors.js');
  const { createEmbedder } = await import('../build/src/platform/embedding/create-embedder.js');
  const { sentenceModelId } = await import('../build/src/platform/embedding/sentence-model.js');
  const log = {
    info() {},
    warn: (details, message) => process.stderr.write(`${message}: ${details.err}\n`),
  };
  return buildTopicVectors(
    () => createEmbedder({ workers: Math.min(4, availableParallelism()), cacheSize: 1, log }),
    sentenceModelId,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(
    (await buildTopics())
      ? 'built build/topic-vectors.bin\n'
      : 'build/topic-vectors.bin is up to date\n',
  );
