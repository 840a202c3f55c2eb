import { readFile } from 'node:fs/promises';
import type { RoleWeights } from '../../domain/tool-search/mention-roles.js';

const file = new URL('../../../../reader/mentions/weights.json', import.meta.url);

/** Our own file, written by the training beside it. */
export async function readRoleWeights(): Promise<RoleWeights> {
  return JSON.parse(await readFile(file, 'utf8')) as RoleWeights; // Nobody else writes it.
}
