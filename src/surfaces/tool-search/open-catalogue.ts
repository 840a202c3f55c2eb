import { createMentionFinder } from '../../domain/tool-search/find-mentions.js';
import { createRoleReader, type RoleReader } from '../../domain/tool-search/mention-roles.js';
import type { Tool } from '../../domain/tool-search/tool.js';
import { createToolIndex } from '../../domain/tool-search/tool-index.js';
import { readRoleWeights } from '../../platform/catalogue/read-role-weights.js';
import { readTools } from '../../platform/catalogue/read-tools.js';

export interface ToolCatalogue {
  tools: readonly Tool[];
  index: ReturnType<typeof createToolIndex>;
  findMentions: ReturnType<typeof createMentionFinder>;
  roleReader: RoleReader;
}

/**
 * Everything of the index that is in the repository. Needs no store, so it can be made while one
 * opens.
 */
export async function openToolCatalogue(): Promise<ToolCatalogue> {
  const tools = await readTools();
  return {
    tools,
    index: createToolIndex(tools),
    findMentions: createMentionFinder(tools),
    roleReader: createRoleReader(await readRoleWeights()),
  };
}
