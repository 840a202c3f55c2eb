import { readFile } from 'node:fs/promises';
import type { CategoryWeights } from '../../domain/tool-search/category-head.js';

const file = new URL('../../../../reader/categories/weights.json', import.meta.url);

/** Our own file, written by the training beside it. */
export async function readCategoryWeights(): Promise<CategoryWeights> {
  return JSON.parse(await readFile(file, 'utf8')) as CategoryWeights; // Nobody else writes it.
}
