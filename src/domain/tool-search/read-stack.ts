import {
  type Framework,
  frameworks as allFrameworks,
  type Language,
  languages as allLanguages,
} from './tool.js';

/** The languages and frameworks a text or a context names. */
export interface Stack {
  languages: Language[];
  frameworks: Framework[];
}

interface Spelling<Name> {
  name: Name;
  pattern: RegExp;
}

// Words that are also plain English count only in the company of code.
const codeAhead = '(?:in|for|with|using|from|and|or|plus|official)';
const codeBehind =
  '(?:app|apps|application|backend|back end|server|service|services|sdk|client|library|package|module|code|project|api|worker|workers|program|microservices?|developer|codebase|stack|script|framework)';

const languageSpellings: readonly Spelling<Language>[] = [
  {
    name: 'javascript',
    pattern:
      /\b(?:java\s?script|type\s?script|node(?:\.?js)?|deno|bun|npm)\b|\bJS\b|\bTS\b|\bnode\b/gi,
  },
  { name: 'python', pattern: /\bpython3?\b/gi },
  {
    name: 'go',
    pattern: new RegExp(
      `\\bgolang\\b|\\b${codeAhead} Go\\b(?! (?:live|to|back|on|through|with)\\b)|\\bGo ${codeBehind}\\b`,
      'g',
    ),
  },
  { name: 'ruby', pattern: /\bruby\b(?! on rails)/gi },
  { name: 'php', pattern: /\bphp\b/gi },
  { name: 'java', pattern: /\bjava\b(?!\s?script)/gi },
  { name: 'csharp', pattern: /\bc\s?#(?!\w)|\bc[\s-]?sharp\b/gi },
  { name: 'rust', pattern: /\brust\b/gi },
  { name: 'elixir', pattern: /\belixir\b|\bphoenix (?:app|framework|live ?view)\b/gi },
  {
    name: 'swift',
    pattern: new RegExp(`\\bswift ?ui\\b|\\b${codeAhead} swift\\b|\\bswift ${codeBehind}\\b`, 'gi'),
  },
  { name: 'kotlin', pattern: /\bkotlin\b/gi },
  { name: 'dart', pattern: /\bdart\b/gi },
];

const frameworkSpellings: readonly Spelling<Framework>[] = [
  { name: 'nextjs', pattern: /\bnext\.?\s?js\b/gi },
  { name: 'react-native', pattern: /\breact[\s-]native\b|\bexpo app\b/gi },
  { name: 'react', pattern: /\breact(?:\.?js)?\b(?![\s-]native| to\b)/gi },
  { name: 'vue', pattern: /\bvue(?:\.?js)?\b/gi },
  { name: 'nuxt', pattern: /\bnuxt(?:\.?js)?\b/gi },
  { name: 'sveltekit', pattern: /\bsvelte(?:[\s-]?kit)?\b/gi },
  {
    name: 'remix',
    pattern: new RegExp(`\\b${codeAhead} remix\\b|\\bremix ${codeBehind}\\b`, 'gi'),
  },
  { name: 'astro', pattern: /\bastro\b/gi },
  {
    name: 'express',
    pattern: new RegExp(
      `\\bexpress\\.?js\\b|\\b${codeAhead} express\\b(?! (?:checkout|shipping|delivery))|\\bexpress ${codeBehind}\\b`,
      'gi',
    ),
  },
  { name: 'fastify', pattern: /\bfastify\b/gi },
  { name: 'nestjs', pattern: /\bnest\.?js\b/gi },
  { name: 'hono', pattern: /\bhono\b/gi },
  { name: 'django', pattern: /\bdjango\b/gi },
  { name: 'flask', pattern: /\bflask\b/gi },
  { name: 'fastapi', pattern: /\bfast\s?api\b/gi },
  { name: 'rails', pattern: /\b(?:ruby on )?rails\b/gi },
  { name: 'laravel', pattern: /\blaravel\b/gi },
  {
    name: 'spring',
    pattern: /\bspring[\s-]?boot\b|\bspring (?:app|framework|backend|service)\b/gi,
  },
  {
    name: 'dotnet',
    pattern: /\basp\.?\s?net\b(?: core)?|(?<![\w.])\.net\b(?: core)?|\bdotnet\b|\bblazor\b/gi,
  },
  { name: 'flutter', pattern: /\bflutter\b/gi },
  { name: 'ios', pattern: /\bios\b(?! ?\d)|\biphone apps?\b|\bios ?\d+/gi },
  { name: 'android', pattern: /\bandroid\b/gi },
];

// One pass over the text for all names: the group that matched says which. Groups inside a pattern
// must not capture.
const ignoringCase = [...frameworkSpellings, ...languageSpellings].filter(
  ({ pattern }) => pattern.ignoreCase,
);
const exactly = [...frameworkSpellings, ...languageSpellings].filter(
  ({ pattern }) => !pattern.ignoreCase,
);
const anyName = new RegExp(
  ignoringCase.map(({ pattern }) => `(${pattern.source})`).join('|'),
  'gi',
);

/** Languages a framework is used from; one of them is enough. */
export const frameworkLanguages: Readonly<Record<Framework, readonly Language[]>> = {
  nextjs: ['javascript'],
  react: ['javascript'],
  vue: ['javascript'],
  nuxt: ['javascript'],
  sveltekit: ['javascript'],
  remix: ['javascript'],
  astro: ['javascript'],
  express: ['javascript'],
  fastify: ['javascript'],
  nestjs: ['javascript'],
  hono: ['javascript'],
  django: ['python'],
  flask: ['python'],
  fastapi: ['python'],
  rails: ['ruby'],
  laravel: ['php'],
  spring: ['java', 'kotlin'],
  dotnet: ['csharp'],
  flutter: ['dart'],
  'react-native': ['javascript'],
  ios: ['swift'],
  android: ['kotlin', 'java'],
};

export const languageNames: Readonly<Record<Language, string>> = {
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
  ruby: 'Ruby',
  php: 'PHP',
  java: 'Java',
  csharp: 'C#',
  rust: 'Rust',
  elixir: 'Elixir',
  swift: 'Swift',
  kotlin: 'Kotlin',
  dart: 'Dart',
};

export const frameworkNames: Readonly<Record<Framework, string>> = {
  nextjs: 'Next.js',
  react: 'React',
  vue: 'Vue',
  nuxt: 'Nuxt',
  sveltekit: 'SvelteKit',
  remix: 'Remix',
  astro: 'Astro',
  express: 'Express',
  fastify: 'Fastify',
  nestjs: 'NestJS',
  hono: 'Hono',
  django: 'Django',
  flask: 'Flask',
  fastapi: 'FastAPI',
  rails: 'Rails',
  laravel: 'Laravel',
  spring: 'Spring',
  dotnet: '.NET',
  flutter: 'Flutter',
  'react-native': 'React Native',
  ios: 'iOS',
  android: 'Android',
};

/** What a text names, and the text without it. */
export function readStack(text: string): Stack & { rest: string } {
  const found = new Set<Language | Framework>();
  let rest = text.replace(anyName, (_match, ...groups) => {
    const spelling = ignoringCase[groups.findIndex((group) => group !== undefined)];
    if (spelling !== undefined) found.add(spelling.name);
    return ' ';
  });
  for (const { name, pattern } of exactly) {
    const without = rest.replace(pattern, ' ');
    if (without !== rest) found.add(name);
    rest = without;
  }
  return {
    frameworks: allFrameworks.filter((framework) => found.has(framework)),
    languages: allLanguages.filter((language) => found.has(language)),
    rest,
  };
}

/** As `readStack` for a value that is nothing but names: "Go", "swift", "TypeScript 5", "next". */
export function readStackNames(text: string): Stack {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[\s/]{0,3}v?\d[\d.x]{0,12}$/, '');
  const short: Readonly<Record<string, Partial<Stack>>> = {
    go: { languages: ['go'] },
    swift: { languages: ['swift'] },
    js: { languages: ['javascript'] },
    ts: { languages: ['javascript'] },
    py: { languages: ['python'] },
    cs: { languages: ['csharp'] },
    next: { frameworks: ['nextjs'] },
    express: { frameworks: ['express'] },
    remix: { frameworks: ['remix'] },
    spring: { frameworks: ['spring'] },
    nest: { frameworks: ['nestjs'] },
    svelte: { frameworks: ['sveltekit'] },
    net: { frameworks: ['dotnet'] },
  };
  const known = short[plain];
  if (known !== undefined)
    return { languages: known.languages ?? [], frameworks: known.frameworks ?? [] };
  const { languages, frameworks } = readStack(text);
  return { languages, frameworks };
}
