import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { SafetyLists } from '../../domain/matching/match-query.js';
import {
  createPhraseFinder,
  type PhraseFinder,
  wholeMessages,
} from '../../domain/reading/phrase-list.js';
import { checkTopics, type ContentCategory, type Topic } from '../../domain/reading/topics.js';
import { UnsoundCatalogFile } from './read-tools.js';

/** The data files beside the code, from where the built file lies. */
const catalogFolder = new URL('../../../../catalog/', import.meta.url);

/** Everything about talk that is data: what conversations are held against. */
export type MatchingLists = SafetyLists & {
  topics: readonly Topic[];
  categories: readonly ContentCategory[];
  /** Offers nobody under age is shown. */
  adultsOnly: PhraseFinder;
  /** Texts of ordinary talk: they tell how common a word is. */
  everyday: readonly string[];
};

/** Refused whole when there is a mistake in it: a lock that does not close is none. */
export function readMatchingLists(folder: URL = catalogFolder): MatchingLists {
  const text = (what: string, list: string): string => textOfAllLanguages(folder, what, list);
  const { topics, categories, problems } = readTopicFiles(folder);
  if (problems[0] !== undefined)
    throw new UnsoundCatalogFile(`${problems[0]} (run "sidelight catalog validate-topics")`);
  return {
    topics,
    categories,
    sensitive: createPhraseFinder(text('safety', 'sensitive.txt')),
    adultsOnly: createPhraseFinder(text('safety', 'adults-only.txt')),
    idle: wholeMessages(text('talk', 'idle.txt')),
    everyday: [
      ...topics.flatMap(({ name, asks }) => [name, ...asks]),
      ...text('talk', 'ordinary-names.txt').replace(/^;.*$/gm, '').trim().split(/\s+/),
    ],
  };
}

/** A list as each language has it, one behind the other. */
function textOfAllLanguages(folder: URL, what: string, list: string): string {
  return filesOfAllLanguages(folder, what, list)
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
}

/** The file of each language that has it; English has every one. */
function filesOfAllLanguages(folder: URL, what: string, list: string): string[] {
  return readdirSync(new URL(`${what}/`, folder))
    .filter((name) => /^[a-z]{2}$/.test(name))
    .map((language) => ({ language, name: `${what}/${language}/${list}` }))
    .filter(({ language, name }) => language === 'en' || existsSync(new URL(name, folder)))
    .map(({ name }) => name);
}

export function readTopicFiles(folder: URL = catalogFolder): {
  topics: Topic[];
  categories: ContentCategory[];
  problems: string[];
} {
  const json = (name: string): unknown => {
    try {
      return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    } catch (error) {
      throw new UnsoundCatalogFile(`${name} is not valid JSON`, { cause: error });
    }
  };
  const lists = filesOfAllLanguages(folder, 'topics', 'topics.json').map(json);
  // One that is no list is told of in place of all.
  const topics: unknown = lists.find((list) => !Array.isArray(list)) ?? lists.flat();
  const categories = json('content-categories.json');
  const problems = checkTopics(topics, categories);
  // Looked at field by field above, and used only when nothing was wrong.
  return { topics: topics as Topic[], categories: categories as ContentCategory[], problems };
}
