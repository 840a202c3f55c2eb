import { readFile } from 'node:fs/promises';
import type { WishWeights } from '../../domain/tool-search/wish-leanings.js';

const file = new URL('../../../../reader/wishes/weights.json', import.meta.url);

/** Our own file, written by the training beside it. */
export async function readWishWeights(): Promise<WishWeights> {
  return JSON.parse(await readFile(file, 'utf8')) as WishWeights; // Nobody else writes it.
}
