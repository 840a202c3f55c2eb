import { createMentionFinder } from '../../domain/tool-search/find-mentions.js';
import type { Tool } from '../../domain/tool-search/tool.js';
import { createToolIndex } from '../../domain/tool-search/tool-index.js';
import { readTools } from '../../platform/catalogue/read-tools.js';

export interface ToolCatalogue {
  tools: readonly Tool[];
  index: ReturnType<typeof createToolIndex>;
  findMentions: ReturnType<typeof createMentionFinder>;
}

/**
 * Everything of the index that is in the repository. Needs no store, so it can be made while one
 * opens.
 */
export async function openToolCatalogue(): Promise<ToolCatalogue> {
  const tools = await readTools();
  return { tools, index: createToolIndex(tools), findMentions: createMentionFinder(tools) };
}
