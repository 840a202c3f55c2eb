import { readFile } from 'node:fs/promises';
import type { NeedWeights } from '../../domain/tool-search/tool-need.js';

const file = new URL('../../../../reader/needs/weights.json', import.meta.url);

/** Our own file, written by the training beside it. */
export async function readNeedWeights(): Promise<NeedWeights> {
  return JSON.parse(await readFile(file, 'utf8')) as NeedWeights; // Nobody else writes it.
}
