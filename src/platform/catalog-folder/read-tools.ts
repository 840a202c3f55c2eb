import { readdir, readFile } from 'node:fs/promises';
import { checkTools, type ToolFile } from '../../domain/tool-search/check-tools.js';
import type { Tool } from '../../domain/tool-search/tool.js';

/** The data files beside the code, from where the built file lies. */
export const toolFolder = new URL('../../../../catalog/tools/', import.meta.url);

export class UnsoundCatalogFile extends Error {
  override readonly name = 'UnsoundCatalogFile';
}

export async function readToolFiles(folder: URL = toolFolder): Promise<ToolFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      try {
        return { name, content: JSON.parse(text) as unknown };
      } catch (error) {
        throw new UnsoundCatalogFile(`${name} is not valid JSON`, { cause: error });
      }
    }),
  );
}

/**
 * Every tool of the tool index. One with mistakes is refused whole: an agent would run what
 * it says.
 */
export async function readTools(folder: URL = toolFolder): Promise<Tool[]> {
  const files = await readToolFiles(folder);
  const [problem] = checkTools(files);
  if (problem !== undefined)
    throw new UnsoundCatalogFile(`${problem} (run "sidelight catalog validate-tools")`);
  // checkTools looked at every field.
  return files.flatMap(({ content }) => content as Tool[]);
}
