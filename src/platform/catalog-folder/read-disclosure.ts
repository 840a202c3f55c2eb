import { readdirSync, readFileSync } from 'node:fs';
import {
  checkWords,
  createDisclosureTable,
  defaultLanguage,
  type DisclosureTable,
  type DisclosureWords,
} from '../../domain/disclosure/disclosure.js';
import { UnsoundCatalogFile } from './read-tools.js';

/** The data files beside the code, from where the built file lies. */
const disclosureFolder = new URL('../../../../catalog/disclosure/', import.meta.url);

/** One file a language; refused whole when a word is missing. */
export function readDisclosure(folder: URL = disclosureFolder): DisclosureTable {
  const languages = new Map<string, DisclosureWords>();
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.json')) continue;
    const language = name.slice(0, -'.json'.length);
    let words: unknown;
    try {
      words = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    } catch (error) {
      throw new UnsoundCatalogFile(`disclosure/${name} is not valid JSON`, { cause: error });
    }
    const [problem] = checkWords(language, words);
    if (problem !== undefined) throw new UnsoundCatalogFile(`disclosure: ${problem}`);
    // Every word was looked at above.
    languages.set(language, words as DisclosureWords);
  }
  if (!languages.has(defaultLanguage))
    throw new UnsoundCatalogFile(`disclosure: no words in ${defaultLanguage}`);
  return createDisclosureTable(languages);
}
