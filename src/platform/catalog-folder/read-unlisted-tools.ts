import { readFile } from 'node:fs/promises';
import { fold } from '../../domain/text/tokenize.js';
import type { Tool, UnlistedTool } from '../../domain/tool-search/tool.js';
import { UnsoundCatalogFile } from './read-tools.js';

const file = new URL('../../../../catalog/unlisted-tools.txt', import.meta.url);

/** What people name although the tool index does not recommend it; the file says how a line reads. */
export async function readUnlistedTools(tools: readonly Tool[]): Promise<UnlistedTool[]> {
  const bySlug = new Map(tools.map((tool) => [tool.slug, tool]));
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => readLine(line, bySlug));
}

function readLine(line: string, bySlug: ReadonlyMap<string, Tool>): UnlistedTool[] {
  const [names = '', slugs = '', purpose = ''] = line.split(' : ');
  const alternatives = slugs.split(' ');
  const category = bySlug.get(alternatives[0] ?? '')?.category;
  const unknown = alternatives.find((slug) => !bySlug.has(slug));
  if (category === undefined || unknown !== undefined || purpose === '')
    throw new UnsoundCatalogFile(`unlisted-tools.txt names no listed tool or no purpose: ${line}`);
  return names.split(', ').map((written) => {
    const name = written.replace(/^\^/, '');
    return {
      slug: `unlisted:${fold(name).replace(/[^\p{L}\p{N}]+/gu, '-')}`,
      name,
      isPlainWord: written !== name,
      category,
      keywords: [purpose],
      alternatives,
    };
  });
}
