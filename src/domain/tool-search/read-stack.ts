import {
  type Framework,
  frameworks as allFrameworks,
  type Language,
  languages as allLanguages,
} from './tool.js';
import { phraseLists } from './phrase-lists.js';

/** The languages and frameworks a text or a context names. */
export interface Stack {
  languages: Language[];
  frameworks: Framework[];
}

/** The first that fits counts: "react native" before "react". */
const spellings: readonly (readonly [Framework | Language, string])[] = [
  ...phraseLists.frameworks,
  ...phraseLists.languages,
];
// One pass over the text for all names: the group that matched says which.
const anyName = new RegExp(spellings.map(([, pattern]) => `(${pattern})`).join('|'), 'gi');
const exactly = phraseLists.exactLanguages.map(
  ([name, pattern]) => [name, new RegExp(pattern, 'g')] as const,
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

/** Where a text names a language or framework. */
export interface StackPlace {
  name: Language | Framework;
  start: number;
  end: number;
}

export function stackPlaces(text: string): StackPlace[] {
  const places: StackPlace[] = [];
  for (const match of text.matchAll(anyName)) {
    const spelling = spellings[match.slice(1).findIndex((group) => group !== undefined)];
    if (spelling !== undefined)
      places.push({
        name: spelling[0],
        start: match.index,
        end: match.index + match[0].trimEnd().length,
      });
  }
  return places;
}

/** What a text names, and the text without it. */
export function readStack(text: string): Stack & { rest: string } {
  const found = new Set<Language | Framework>();
  let rest = text.replace(anyName, (_match, ...groups) => {
    const spelling = spellings[groups.findIndex((group) => group !== undefined)];
    if (spelling !== undefined) found.add(spelling[0]);
    return ' ';
  });
  for (const [name, pattern] of exactly) {
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
