import type { Taught } from '../../domain/tool-search/tool-reading.js';
import { createEmbedder, type EmbedderOptions } from './create-embedder.js';
import { createNoEmbedder, type Embedder } from './embedder.js';
import { readToolLayout } from './tool-model.js';

/** Reads what developers need of a tool; `taught` is what its rows tell of, in order. */
export type ToolReader = Embedder & { readonly taught: Taught };

export function createToolReader(options: Omit<EmbedderOptions, 'model'>): ToolReader {
  const { id, tools, wishes } = readToolLayout();
  const model = { name: 'tools', id, dimensions: tools.length + 1 + wishes.length } as const;
  return Object.assign(createEmbedder({ ...options, model }), { taught: { tools, wishes } });
}

/** `MATCHING=fast`: words only. */
export function createNoToolReader(): ToolReader {
  return Object.assign(createNoEmbedder(), { taught: { tools: [], wishes: [] } });
}
