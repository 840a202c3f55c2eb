import { createEmbedder, type EmbedderOptions } from './create-embedder.js';
import { createNoEmbedder, type Embedder } from './embedder.js';
import { readToolLayout } from './tool-model.js';

/** Reads what developers need of a tool; `taught` are the tools its rows tell of, in order. */
export type ToolReader = Embedder & { readonly taught: readonly string[] };

export function createToolReader(options: Omit<EmbedderOptions, 'model'>): ToolReader {
  const { id, tools } = readToolLayout();
  const model = { name: 'tools', id, dimensions: tools.length + 1 } as const;
  return Object.assign(createEmbedder({ ...options, model }), { taught: tools });
}

/** `MATCHING=fast`: words only. */
export function createNoToolReader(): ToolReader {
  return Object.assign(createNoEmbedder(), { taught: [] });
}
