import { createMentionFinder } from '../../domain/tool-search/find-mentions.js';
import { createRoleReader, type RoleReader } from '../../domain/tool-search/mention-roles.js';
import type { Tool } from '../../domain/tool-search/tool.js';
import { createToolIndex } from '../../domain/tool-search/tool-index.js';
import { readRoleWeights } from '../../platform/catalog-folder/read-role-weights.js';
import { readTools } from '../../platform/catalog-folder/read-tools.js';
import { readUnlistedTools } from '../../platform/catalog-folder/read-unlisted-tools.js';

export interface OpenedTools {
  tools: readonly Tool[];
  index: ReturnType<typeof createToolIndex>;
  findMentions: ReturnType<typeof createMentionFinder>;
  roleReader: RoleReader;
}

/**
 * Everything of the index that is in the repository. Needs no store, so it can be made while one
 * opens.
 */
export async function openTools(): Promise<OpenedTools> {
  const tools = await readTools();
  const unlisted = await readUnlistedTools(tools);
  return {
    tools,
    index: createToolIndex(tools, unlisted),
    findMentions: createMentionFinder(tools, unlisted),
    roleReader: createRoleReader(await readRoleWeights()),
  };
}
