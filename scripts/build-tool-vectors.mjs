// Brings build/tool-vectors.bin up to date with the example needs of the tool index, so that no
// start has to embed them. Part of the build.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

export async function buildToolVectors() {
  const { readTools } = await import('../build/src/platform/catalog-folder/read-tools.js');
  const { builtToolVectors } = await import('../build/src/platform/catalog-folder/load-vectors.js');
  const { buildVectors } = await import('../build/src/platform/embedding/built-vectors.js');
  const { createEmbedder } = await import('../build/src/platform/embedding/create-embedder.js');
  const { sentenceModelId } = await import('../build/src/platform/embedding/sentence-model.js');
  const log = {
    info() {},
    warn: (details, message) => process.stderr.write(`${message}: ${details.err}\n`),
  };
  const texts = (await readTools()).flatMap((tool) => tool.needs);
  return buildVectors(builtToolVectors, texts, sentenceModelId, () =>
    createEmbedder({ workers: Math.min(4, availableParallelism()), cacheSize: 1, log }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`made ${await buildToolVectors()} vectors of tool needs\n`);
