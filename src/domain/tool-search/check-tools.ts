import { bases, frameworks, languages, regions, toolCategories } from './tool.js';

/** One data file of the tool index: its name without folder, and its content as parsed. */
export interface ToolFile {
  name: string;
  content: unknown;
}

type Fields = Record<string, unknown>;

const slugShape = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const envVarShape = /^[A-Za-z_][A-Za-z0-9_]*$/;
const leastNeeds = 10;
const leastPerCategory = 12;
const toolKeys = [
  'slug',
  'name',
  'category',
  'description',
  'website_url',
  'docs_url',
  'credentials',
  'needs',
  'keywords',
  'facts',
  'env_vars',
  'install',
  'alternatives',
  'tier',
];
const factKeys = [
  'free_tier',
  'free_tier_note',
  'price_level',
  'self_hostable',
  'open_source',
  'license',
  'regions',
  'languages',
  'frameworks',
];
const stepKeys = ['action', 'command', 'file', 'user_action'];
const variantWords: readonly string[] = [...languages, ...frameworks, 'any'];

/** `background-jobs` for "Background Jobs": the file a category lives in. */
export function categoryFile(category: string): string {
  return `${category.toLowerCase().replaceAll(' ', '-')}.json`;
}

/**
 * Every problem of the tool index in one list, each naming the file and the tool. Empty: it is
 * sound.
 */
export function checkTools(files: readonly ToolFile[]): string[] {
  const problems: string[] = [];
  const homes = new Map<string, string>();
  const links: { place: string; slug: string; targets: readonly string[] }[] = [];
  for (const category of toolCategories) {
    const file = files.find(({ name }) => name === categoryFile(category));
    if (file === undefined) problems.push(`${categoryFile(category)}: missing`);
    else if (Array.isArray(file.content) && file.content.length < leastPerCategory)
      problems.push(
        `${file.name}: ${file.content.length} tools, at least ${leastPerCategory} are wanted`,
      );
  }
  for (const { name, content } of files) {
    if (!toolCategories.some((category) => categoryFile(category) === name))
      problems.push(`${name}: no category has this file`);
    if (!Array.isArray(content)) {
      problems.push(`${name}: not a list`);
      continue;
    }
    let previous = '';
    for (const [at, entry] of content.entries()) {
      const slug =
        isFields(entry) && typeof entry['slug'] === 'string' ? entry['slug'] : `entry ${at + 1}`;
      const place = `${name}: ${slug}`;
      if (!isFields(entry)) {
        problems.push(`${place}: not an object`);
        continue;
      }
      problems.push(...checkTool(entry).map((problem) => `${place}: ${problem}`));
      if (slug <= previous) problems.push(`${place}: out of order, it belongs before ${previous}`);
      previous = slug;
      const home = homes.get(slug);
      if (home !== undefined) problems.push(`${place}: already in ${home}`);
      homes.set(slug, name);
      if (entry['category'] !== undefined && categoryFile(String(entry['category'])) !== name)
        problems.push(`${place}: category ${String(entry['category'])} belongs in another file`);
      links.push({ place, slug, targets: strings(entry['alternatives']) });
    }
  }
  for (const { place, slug, targets } of links) {
    for (const target of targets)
      if (!homes.has(target) || target === slug)
        problems.push(
          `${place}: alternative ${target} ${target === slug ? 'is itself' : 'is not in the tool index'}`,
        );
  }
  return problems;
}

function checkTool(tool: Fields): string[] {
  const problems = [
    ...unknownKeys(tool, [...toolKeys, 'aliases'], ''),
    ...toolKeys.filter((key) => !(key in tool)).map((key) => `${key} is missing`),
  ];
  const need = (holds: boolean, problem: string): void => void (holds || problems.push(problem));
  need(slugShape.test(String(tool['slug'])), 'slug is not lower-case words joined by hyphens');
  need(isText(tool['name'], 1, 60), 'name must have 1 to 60 characters');
  need(
    tool['aliases'] === undefined ||
      (Array.isArray(tool['aliases']) && tool['aliases'].every((each) => isText(each, 2, 60))),
    'aliases must be left out or names of 2 to 60 characters',
  );
  need(
    toolCategories.some((category) => category === tool['category']),
    'category is not one of the index',
  );
  need(isText(tool['description'], 80, 300), 'description must have 80 to 300 characters');
  need(
    isUrl(tool['website_url']) && isUrl(tool['docs_url']),
    'website_url and docs_url must be https addresses',
  );
  need(
    tool['credentials'] === null ||
      (isFields(tool['credentials']) &&
        isUrl(tool['credentials']['url']) &&
        isText(tool['credentials']['how'], 5, 300)),
    'credentials must be null or say url and how',
  );
  const needs = strings(tool['needs']);
  need(
    needs.length >= leastNeeds && needs.every((text) => isText(text, 6, 160)),
    `at least ${leastNeeds} needs of 6 to 160 characters`,
  );
  need(
    new Set(needs.map((text) => text.toLowerCase())).size === needs.length,
    'a need is there twice',
  );
  need(strings(tool['keywords']).length >= 3, 'at least 3 keywords');
  need(tool['tier'] === 1 || tool['tier'] === 2, 'tier must be 1 or 2');
  problems.push(
    ...checkFacts(tool['facts']),
    ...checkEnvVars(tool['env_vars']),
    ...checkInstall(tool['install']),
  );
  return problems;
}

function checkFacts(facts: unknown): string[] {
  if (!isFields(facts)) return ['facts must be an object'];
  const problems = [
    ...unknownKeys(facts, [...factKeys, 'requires', 'home'], 'facts.'),
    ...factKeys.filter((key) => !(key in facts)).map((key) => `facts.${key} is missing`),
  ];
  const need = (holds: boolean, problem: string): void => void (holds || problems.push(problem));
  need(
    [true, false, null].some((value) => value === facts['free_tier']),
    'facts.free_tier must be true, false or null',
  );
  for (const key of ['free_tier_note', 'license'])
    need(facts[key] === null || isText(facts[key], 1, 120), `facts.${key} must be null or text`);
  need(
    [0, 1, 2, 3, null].some((value) => value === facts['price_level']),
    'facts.price_level must be 0 to 3 or null',
  );
  for (const key of ['self_hostable', 'open_source'])
    need(typeof facts[key] === 'boolean', `facts.${key} must be true or false`);
  problems.push(
    ...outside(facts['regions'], regions, 'facts.regions'),
    ...outside(facts['languages'], [...languages, 'any'], 'facts.languages'),
    ...outside(facts['frameworks'], frameworks, 'facts.frameworks'),
  );
  need(strings(facts['languages']).length > 0, 'facts.languages is empty');
  problems.push(...checkRequires(facts['requires']));
  need(
    facts['home'] === undefined || /^[A-Z]{2}$/.test(String(facts['home'])),
    'facts.home must be left out or a country as two letters',
  );
  return problems;
}

function checkRequires(requires: unknown): string[] {
  if (requires === undefined) return [];
  if (!Array.isArray(requires) || requires.length === 0)
    return ['facts.requires must be left out or a list of lists'];
  return requires.flatMap((choice: unknown) =>
    strings(choice).length === 0
      ? ['facts.requires has an empty choice']
      : outside(choice, bases, 'facts.requires'),
  );
}

function checkEnvVars(list: unknown): string[] {
  if (!Array.isArray(list)) return ['env_vars must be a list'];
  const sound = list.every(
    (each) =>
      isFields(each) &&
      envVarShape.test(String(each['name'])) &&
      isText(each['description'], 3, 200) &&
      typeof each['secret'] === 'boolean' &&
      typeof each['required'] === 'boolean',
  );
  return sound ? [] : ['every env var has name, description, secret and required'];
}

function checkInstall(list: unknown): string[] {
  if (!Array.isArray(list) || list.length === 0) return ['install must have a variant'];
  const problems: string[] = [];
  for (const variant of list) {
    if (!isFields(variant)) return ['an install variant is not an object'];
    problems.push(...outside(variant['for'], variantWords, 'install.for'));
    if (strings(variant['for']).length === 0) problems.push('install.for is empty');
    if (!isText(variant['summary'], 3, 200) || typeof variant['notes'] !== 'string')
      problems.push('an install variant has summary and notes');
    const steps: unknown[] = Array.isArray(variant['steps']) ? variant['steps'] : [];
    if (steps.length === 0) problems.push('an install variant has steps');
    for (const step of steps) {
      if (
        !isFields(step) ||
        !isText(step['action'], 2, 600) ||
        Object.values(step).some((value) => typeof value !== 'string' || value === '')
      )
        problems.push('every step has an action and only texts');
      else problems.push(...unknownKeys(step, stepKeys, 'step '));
    }
  }
  return problems;
}

function outside(value: unknown, allowed: readonly string[], name: string): string[] {
  if (!Array.isArray(value)) return [`${name} must be a list`];
  return value
    .filter((each) => !allowed.includes(String(each)))
    .map((each) => `${name} has ${String(each)}, which is not in the vocabulary`);
}

function unknownKeys(value: Fields, known: readonly string[], prefix: string): string[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => `${prefix}${key} is not a field`);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown, least: number, most: number): boolean {
  return (
    typeof value === 'string' &&
    value.trim() === value &&
    value.length >= least &&
    value.length <= most
  );
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https:\/\/\S+$/.test(value) && URL.canParse(value);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
