// Writes the lists of words below catalog/, all languages together, as modules: the rules of the
// domain read no files. Checks them on the way; `npm test` fails when a module is not what the
// lists say. Usage: node scripts/write-words.mjs
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../', import.meta.url);
/** Where words are, and the module they become. */
const modules = [
  { folder: 'catalog/product-search/', file: 'src/domain/search/word-lists.ts', name: 'wordLists' },
  { folder: 'catalog/language/', file: 'src/domain/text/language-lists.ts', name: 'languageLists' },
  {
    folder: 'catalog/ad-writing/',
    file: 'src/domain/ad-writing/writing-lists.ts',
    name: 'writingLists',
    /** One alternative of an expression a line; the others are words. */
    words: ['countable', 'uncountable'],
    /** Sentences for people, kept apart by language. */
    sentences: [
      'calls',
      'headlines',
      'copies',
      'telling-words',
      'seeking',
      'articles',
      'people',
      'asking',
      'manner',
    ],
  },
  { folder: 'catalog/shop-talk/', file: 'src/domain/search/talk-lists.ts', name: 'talkLists' },
  {
    folder: 'catalog/tool-search/',
    file: 'src/domain/tool-search/phrase-lists.ts',
    name: 'phraseLists',
    words: ['fillers', 'joining-words', 'small-talk'],
    /** A name, and the expression for what people write. */
    named: [
      'claims',
      'exact-languages',
      'exact-spellings',
      'frameworks',
      'languages',
      'one-idea',
      'short-forms',
      'spellings',
    ],
    /** Capitals matter here. */
    capitals: [
      'claims',
      'exact-languages',
      'exact-spellings',
      'languages',
      'own-machines',
      'places-apac',
      'places-eu',
      'places-us',
    ],
  },
];
/** Lists of words alone; the others are of alternatives. */
const wordFolders = ['catalog/product-search/', 'catalog/language/'];
const prohibited = {
  folder: 'catalog/review/',
  file: 'src/domain/review/prohibited-rules.ts',
};
/** How a query is read depends on its language: these are kept apart by language, too. */
const spoken = ['marks', 'fillers', 'negators', 'refusals', 'asides', 'chatter'];
const tables = {
  colors: /^[^:]+ : [^:]*:(?: ?[^:]*| ?[^:]*: [0-9a-f]{6})$/,
  synonyms: /[=<]/,
};
const pairs = new Set([
  'shelves',
  'departments',
  'wearers',
  'asked-wearers',
  'implied-wearers',
  'letter-sizes',
  'spellings',
  'units',
  'irregular-stems',
]);

/** A list inside another: `{places-eu}`. */
const reference = /\{([a-z][a-z-]*)\}/g;

const camel = (name) => name.replace(/-(\w)/g, (_dash, letter) => letter.toUpperCase());
const linesOf = (text) =>
  text
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*/, '').trim())
    .filter((line) => line !== '');

/** What is wrong with a list of alternatives; other lists stand in them as `{name}`. */
export function problemsOfPatterns(text, { capitals = false, named = false } = {}) {
  const lines = linesOf(text);
  const problems = lines.length === 0 ? ['it is empty'] : [];
  for (const [at, line] of lines.entries()) {
    if (lines.indexOf(line) !== at) problems.push(`twice: ${line}`);
    if (/`|\$\{/.test(line)) problems.push(`marks of a program: ${line}`);
    const plain = line.replace(/\\./g, '').replace(/\{[^}]*\}/g, '');
    if (!capitals && plain !== plain.toLowerCase())
      problems.push(`words are written small: ${line}`);
    const [, pattern = named ? '' : line] = (named && /^[^:]+: (\S.*)$/.exec(line)) || [];
    if (pattern === '') problems.push(`no "name: words": ${line}`);
    try {
      const read = new RegExp(`^(?:${pattern.replace(reference, '(?:x)')})$|`, 'u');
      if (named && read.exec('').length > 1) problems.push(`a group captures: ${line}`);
    } catch {
      problems.push(`cannot read: ${line}`);
    }
  }
  return problems;
}

/** What is wrong with a list; English decides which lists there are. */
export function problemsOf(name, text, known) {
  const problems = [];
  if (!known.has(name)) problems.push('nothing reads a list of this name');
  if (/[`\\$]/.test(text)) problems.push('marks of a program stand in it');
  const lines = linesOf(text);
  if (lines.length === 0) problems.push('it is empty');
  if (name in tables) {
    for (const line of lines) if (!tables[name].test(line)) problems.push(`cannot read: ${line}`);
  } else if (pairs.has(name)) {
    for (const line of lines)
      if (!/^[^:]+: \S/.test(line)) problems.push(`no "name: words": ${line}`);
  } else {
    const words = lines.flatMap((line) => line.split(/\s+/));
    for (const [at, word] of words.entries())
      if (words.indexOf(word) !== at) problems.push(`twice: ${word}`);
  }
  for (const line of lines)
    if (line.toLowerCase() !== line) problems.push(`words are written small: ${line}`);
  return problems;
}

export function readLanguages(folder) {
  const at = new URL(folder, root);
  const languages = readdirSync(at).sort((a, b) =>
    a === 'en' ? -1 : b === 'en' ? 1 : a < b ? -1 : 1,
  );
  return languages.map((language) => ({
    language,
    lists: Object.fromEntries(
      readdirSync(new URL(`${language}/`, at))
        .sort()
        .map((file) => [
          file.replace(/\.txt$/, ''),
          readFileSync(new URL(`${language}/${file}`, at), 'utf8'),
        ]),
    ),
  }));
}

/** The alternatives of a list as one expression, with the lists that stand in it. */
function withReferences(pattern, patternOf) {
  return pattern.replace(reference, (_braces, name) => {
    const inner = patternOf(name);
    if (inner === undefined) throw new Error(`there is no list ${name}`);
    return `(?:${withReferences(inner, patternOf)})`;
  });
}

/** Lists of alternatives, of words and of sentences, of which the last are kept by language. */
function patternModule({ folder, name, words = [], sentences = [], named = [], capitals = [] }) {
  const languages = readLanguages(folder);
  const [{ lists: english }] = languages;
  const refuse = (language, list, problems) => {
    if (problems.length > 0)
      throw new Error(`${folder}${language}/${list}.txt: ${problems.join('; ')}`);
  };
  for (const { language, lists } of languages)
    for (const [list, text] of Object.entries(lists)) {
      if (!(list in english) && !sentences.includes(list))
        refuse(language, list, ['nothing reads a list of this name']);
      if (sentences.includes(list)) continue;
      if (words.includes(list)) refuse(language, list, problemsOf(list, text, new Set(words)));
      else {
        const form = { capitals: capitals.includes(list), named: named.includes(list) };
        refuse(language, list, problemsOfPatterns(text, form));
      }
    }
  const linesOfAll = (list) => languages.flatMap(({ lists }) => linesOf(lists[list] ?? ''));
  const patternOf = (list) => (list in english ? linesOfAll(list).join('|') : undefined);
  const quote = (text) => `'${text.replaceAll("'", "\\'")}'`;
  const valueOf = (list) => {
    if (sentences.includes(list))
      return `{\n${languages
        .filter(({ lists }) => list in lists)
        .map(
          ({ language, lists }) =>
            `    ${language}: [${linesOf(lists[list]).map(quote).join(', ')}],`,
        )
        .join('\n')}\n  }`;
    const lines = linesOfAll(list);
    if (words.includes(list)) return `\`${lines.join(' ')}\``;
    const raw = (pattern) => `String.raw\`${withReferences(pattern, patternOf)}\``;
    if (!named.includes(list)) return raw(lines.join('|'));
    const entries = lines.map((line) => {
      const at = line.indexOf(': ');
      return `    [${quote(line.slice(0, at))}, ${raw(line.slice(at + 2))}],`;
    });
    return `[\n${entries.join('\n')}\n  ]`;
  };
  return [
    `// Generated from ${folder} by scripts/write-words.mjs. Do not edit.`,
    '',
    `export const ${name} = {`,
    ...[...new Set([...Object.keys(english), ...sentences])].map(
      (list) => `  ${camel(list)}: ${valueOf(list)},`,
    ),
    '} as const;',
    '',
  ].join('\n');
}

/** What no ad may say, with the words its patterns name in braces. */
function prohibitedModule({ folder }) {
  const at = new URL(folder, root);
  const secrets = readdirSync(at).flatMap((language) => {
    const path = `${language}/secrets.txt`;
    if (!existsSync(new URL(path, at))) return [];
    const text = readFileSync(new URL(path, at), 'utf8');
    const [problem] = problemsOfPatterns(text);
    if (problem !== undefined) throw new Error(`${folder}${path}: ${problem}`);
    return linesOf(text);
  });
  const rules = readdirSync(at)
    .sort()
    .flatMap((language) => {
      const path = `${language}/prohibited.json`;
      const { words, rules: own } = JSON.parse(readFileSync(new URL(path, at), 'utf8'));
      return own.map(({ rule, level, message, patterns }) => {
        if (!['block', 'flag'].includes(level) || !rule || !message || patterns.length === 0)
          throw new Error(`${folder}${path}: ${rule}: a rule has a level, a message and patterns`);
        return {
          rule,
          level,
          message,
          patterns: patterns.map((pattern) => {
            const whole = pattern.replace(
              /\{([a-z]+)\}/g,
              (_braces, name) => `(?:${words[name].join('|')})`,
            );
            if (/[`$](?!\s| |\))/.test(whole) && whole.includes('`'))
              throw new Error(`${folder}${path}: ${rule}: marks of a program: ${pattern}`);
            return new RegExp(whole).source;
          }),
        };
      });
    });
  return [
    `// Generated from ${folder} by scripts/write-words.mjs. Do not edit.`,
    '',
    'export const prohibitedRules = [',
    ...rules.flatMap(({ rule, level, message, patterns }) => [
      '  {',
      `    rule: '${rule}',`,
      `    level: '${level}',`,
      `    message: '${message}',`,
      '    patterns: [',
      ...patterns.map((pattern) => `      /${pattern}/,`),
      '    ],',
      '  },',
    ]),
    '] as const;',
    '',
    '/** What no form may ask for. */',
    `export const secretWords = String.raw\`${secrets.join('|')}\`;`,
    '',
  ].join('\n');
}

export function moduleOf({ folder, name }) {
  const languages = readLanguages(folder);
  // Other lists say how a query is read, which only a search does.
  const others = folder.includes('product-search') ? spoken : [];
  const known = new Set([
    ...Object.keys(languages.find(({ language }) => language === 'en').lists),
    ...others,
  ]);
  for (const { language, lists } of languages)
    for (const [list, text] of Object.entries(lists)) {
      const [problem] = problemsOf(list, text, known);
      if (problem !== undefined) throw new Error(`${folder}${language}/${list}.txt: ${problem}`);
    }
  const all = [...known].filter((list) => list !== 'marks' && list !== 'fillers').sort();
  const quoted = (list, text) =>
    `\`${linesOf(text).join(list in tables || pairs.has(list) ? '\n' : ' ')}\``;
  const together = all.map((list) => {
    // Another language's words for reading a query hold in that language only.
    const texts = languages
      .filter(({ language }) => language === 'en' || !spoken.includes(list))
      .map(({ lists }) => lists[list] ?? '');
    return `  ${camel(list)}: ${quoted(list, texts.join('\n'))},`;
  });
  const foreign = languages
    .filter(({ language }) => language !== 'en')
    .map(
      ({ language, lists }) =>
        `  ${language}: {\n${spoken.map((list) => `    ${camel(list)}: ${quoted(list, lists[list] ?? '')},`).join('\n')}\n  },`,
    );
  return [
    `// Generated from ${folder} by scripts/write-words.mjs. Do not edit.`,
    '',
    `export const ${name} = {`,
    ...together,
    '} as const;',
    ...(folder.includes('product-search')
      ? [
          '',
          '/** How queries of other languages are read. */',
          'export const otherLanguages = {',
          ...foreign,
          '} as const;',
        ]
      : []),
    '',
  ].join('\n');
}

/** Every module with the text it should have. */
export function wordModules() {
  return [
    ...modules.map((each) => ({
      file: each.file,
      text: wordFolders.includes(each.folder) ? moduleOf(each) : patternModule(each),
    })),
    { file: prohibited.file, text: prohibitedModule(prohibited) },
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const { file, text } of wordModules()) {
    const at = new URL(file, root);
    if (!existsSync(at) || readFileSync(at, 'utf8') !== text) {
      writeFileSync(at, text);
      process.stdout.write(`${fileURLToPath(at)} written\n`);
    }
  }
