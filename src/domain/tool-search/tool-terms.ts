import { stem } from '../text/stem.js';
import { isStopWord } from '../text/stop-words.js';
import { tokenize } from '../text/tokenize.js';

// Names of technologies that a tokenizer would cut apart or lose, and spellings of one idea.
// Applied to catalogue and query alike.
const spellings: readonly (readonly [RegExp, string])[] = [
  [/\bnext\.?\s?js\b/gi, 'nextjs'],
  [/\bnode\.?\s?js\b/gi, 'nodejs'],
  [/\bvue\.?js\b/gi, 'vue'],
  [/\bnuxt\.?js\b/gi, 'nuxt'],
  [/\bexpress\.?js\b/gi, 'express'],
  [/\bnest\.?js\b/gi, 'nestjs'],
  [/\bc#(?!\w)/gi, 'csharp'],
  [/\basp\.net\b|(?<!\w)\.net\b/gi, 'dotnet'],
  [
    /\bgolang\b|\bGo\b(?=\s+(?:service|app|backend|server|program|code|project|api|sdk|client|library|worker|microservice|module|stack|binary))/g,
    'golang',
  ],
  [/\bsingle sign[\s-]?on\b|\bsso\b/gi, 'sso'],
  [/\be-?mails?\b/gi, 'email'],
  [/\bsign[\s-]?(?:in|on)s?\b|\blog[\s-]?ins?\b|\blogging in\b/gi, 'login'],
  [/\bsign[\s-]?ups?\b/gi, 'signup'],
  [/\breal[\s-]time\b/gi, 'realtime'],
  [/\bweb[\s-]?sockets?\b/gi, 'websocket'],
  [/\bopen[\s-]source[d]?\b/gi, 'opensource'],
  [/\bself[\s-]host(?:ed|ing|able)?\b/gi, 'selfhost'],
  [/\bon[\s-]prem(?:ises?)?\b/gi, 'selfhost'],
  [/\bserver[\s-]?less\b/gi, 'serverless'],
  [/\bkey[\s-]value\b/gi, 'keyvalue'],
  [/\bpostgre(?:s|sql)\b/gi, 'postgres'],
  [/\bk8s\b/gi, 'kubernetes'],
  [/\bweb[\s-]?hooks?\b/gi, 'webhook'],
  [/\btext messag(?:es?|ing)\b/gi, 'sms'],
  [/\btexts? (?=customers|users|people|my|our|a\b)/gi, 'sms '],
  [/\bfull[\s-]text\b/gi, 'fulltext'],
  [/\bpay[\s-]?outs?\b/gi, 'payout'],
  [/\bcheck[\s-]?outs?\b/gi, 'checkout'],
  [/\bfeature (?:flags?|toggles?|switch(?:es)?)\b/gi, 'featureflag'],
  [/\bobject stor(?:age|es?)\b/gi, 'objectstorage storage'],
  [/\b(?:two|2|multi)[\s-]?factor\b|\b[2m]fa\b/gi, 'mfa'],
  [/\bone[\s-]?time[\s-]?(?:password|code|pin)s?\b|\botps?\b/gi, 'otp'],
  [/\bpass[\s-]?keys?\b/gi, 'passkey'],
  [/\bmagic[\s-]links?\b/gi, 'magiclink'],
  [/\b(?:large )?language models?\b|\bllms?\b/gi, 'llm'],
  [/\bspeech[\s-]to[\s-]text\b|\btranscri(?:be|bing|pts?|ptions?)\b/gi, 'transcription'],
  [/\btext[\s-]to[\s-]speech\b|\btts\b/gi, 'texttospeech'],
  [/\bheadless cms\b/gi, 'headless cms'],
  [/\bdata[\s-]?bases?\b|\bdbs?\b/gi, 'database'],
  [/\bci\s?\/\s?cd\b/gi, 'ci'],
  [/\bstatus[\s-]pages?\b/gi, 'statuspage'],
  [/\bdrop[\s-]?ins?\b/gi, 'dropin'],
  [/\bnews[\s-]?letters?\b/gi, 'newsletter'],
  [/\bhelp[\s-]?desks?\b/gi, 'helpdesk'],
  [/\bback[\s-]?ground\b/gi, 'background'],
  [/\bcron(?:[\s-]?jobs?)?\b/gi, 'cron'],
  [/\bup[\s-]?time\b/gi, 'uptime'],
  [/\be-?commerce\b/gi, 'ecommerce'],
  [/\blocal\s?host\b/gi, 'localhost'],
  [/\bpush notifications?\b/gi, 'pushnotification notification'],
];

/** Different words developers use for one thing; the first is what is stored. */
const oneIdea: readonly (readonly string[])[] = [
  ['auth', 'authentication', 'authenticate', 'authenticating'],
  ['image', 'picture', 'photo', 'pic', 'avatar'],
  ['crash', 'exception'],
  ['company', 'business', 'firm'],
  ['documentation', 'docs', 'doc'],
  ['invoice', 'bill'],
  ['app', 'application'],
  ['repo', 'repository'],
  ['permission', 'authorization', 'authorisation', 'rbac'],
  ['vps', 'droplet'],
  ['admin', 'administrator'],
  ['transcription', 'transcribe'],
  ['shop', 'storefront'],
  ['job', 'task'],
  ['schedule', 'scheduler'],
  ['cheap', 'affordable', 'inexpensive'],
  ['visitor', 'pageview'],
  ['error', 'bug'],
  ['video', 'movie', 'clip'],
  ['helpdesk', 'ticketing'],
  ['appointment', 'booking', 'meeting'],
  ['call', 'conference', 'conferencing'],
  ['gdpr', 'dsgvo'],
  ['host', 'hosting'],
  ['deploy', 'deployment'],
  ['notification', 'notify'],
];

const canonical = new Map(
  oneIdea.flatMap(([first = '', ...others]) =>
    others.map((other) => [stem(other), stem(first)] as const),
  ),
);

/** Said about every need; they decide nothing. */
const filler = new Set(
  [
    'add',
    'best',
    'good',
    'great',
    'tool',
    'service',
    'solution',
    'recommend',
    'suggest',
    'recommendation',
    'suggestion',
    'build',
    'create',
    'project',
    'easy',
    'easily',
    'simple',
    'simply',
    'nice',
    'modern',
    'option',
    'provider',
    'platform',
    'developer',
    'integrate',
    'integration',
    'set',
    'setup',
    'work',
    'handle',
    'currently',
    'start',
    'new',
    'thing',
    'stuff',
    'product',
  ].map(stem),
);

// One pass over the text for all spellings: the group that matched says which. Groups inside a
// pattern must not capture.
const ignoringCase = spellings.filter(([pattern]) => pattern.ignoreCase);
const exactly = spellings.filter(([pattern]) => !pattern.ignoreCase);
const anySpelling = new RegExp(
  ignoringCase.map(([pattern]) => `(${pattern.source})`).join('|'),
  'gi',
);

export function spellTechnologies(text: string): string {
  let spelt = text;
  for (const [pattern, replacement] of exactly) spelt = spelt.replace(pattern, replacement);
  return spelt.replace(
    anySpelling,
    (_match, ...groups) =>
      ignoringCase[groups.findIndex((group) => group !== undefined)]?.[1] ?? ' ',
  );
}

/** Stems of the words that say what is needed, in order, with repeats. */
export function toolTerms(text: string): string[] {
  return termsOfSpelt(spellTechnologies(text));
}

/** As `toolTerms` for many texts at once: each spelling is looked for in all of them in one go. */
export function toolTermsOfAll(texts: readonly string[]): string[][] {
  return spellTechnologies(texts.map((text) => text.replaceAll(separator, ' ')).join(separator))
    .split(separator)
    .map(termsOfSpelt);
}

/** No spelling reaches over it. */
const separator = '\n\u0001\n';

function termsOfSpelt(spelt: string): string[] {
  const terms: string[] = [];
  for (const token of tokenize(spelt)) {
    if (isStopWord(token)) continue;
    const root = stem(token);
    terms.push(canonical.get(root) ?? root);
  }
  return terms;
}

export function isFiller(term: string): boolean {
  return filler.has(term);
}
