import type { Constraints } from './constraints.js';

export type Wish = 'freeTier' | 'openSource' | 'selfHosted' | 'managed';

/** What a text asks of any tool, apart from what the tool is for. */
export interface Wishes {
  /** True: wanted; false: said not to matter or not wanted. */
  wanted: Partial<Record<Wish, boolean>>;
  region: Constraints['region'];
  /** Money matters, without a limit being set. */
  cheap: boolean;
  /** Asked for something cheaper than what was on the table. */
  cheaper: boolean;
  /** The text without these phrases. */
  rest: string;
}

const own = '(?:my|our|the company.s|the) ?(?:own )?';
const machines =
  '(?:servers?|box(?:es)?|machines?|hardware|infra(?:structure)?|vps|data ?cent(?:er|re)s?|clusters?|kubernetes|k8s|hosts?|laptop|computer|nas|raspberry pi|aws account|cloud account)';
const phrases: readonly { wish: Wish; pattern: RegExp }[] = [
  {
    wish: 'selfHosted',
    pattern:
      /\bself[\s-]?host(?:ed|ing|able|s)?\b|\bon[\s-]prem(?:ises?)?\b|\bhost(?:ed|ing)? (?:it |this |everything )?(?:(?:my|our)sel(?:f|ves)|in[\s-]house)\b|\brun(?:ning)? (?:it )?(?:(?:my|our)sel(?:f|ves)|in[\s-]house)\b/gi,
  },
  {
    wish: 'selfHosted',
    pattern: new RegExp(
      `\\b(?:on|in|inside|within) (?:(?:my|our) (?:own )?|the company.s )${machines}(?: at home)?\\b|\\b(?:(?:that|which) (?:I|we)(?: can)?|(?:I|we) can) (?:host|run) (?:ourselves|myself|at home|on ${own}\\w+)\\b|\\bour own box\\b`,
      'gi',
    ),
  },
  {
    wish: 'selfHosted',
    pattern:
      /\b(?:without|no|not) (?:using |depending on |relying on |needing |trusting )?(?:an?|any|another|some)? ?(?:third[\s-]part(?:y|ies)|external|outside|saas)? ?(?:vendors?|third[\s-]part(?:y|ies)|saas|external service|outside service)\b(?![\s-]+lock)|\b(?:nothing|no data|data)(?: (?:may|must|can|should|shall|is allowed to|never))?(?: not| never)? leaves? (?:my|our|the) (?:own )?(?:network|premises|servers?|building|infrastructure|company|data ?cent(?:er|re))\b|\b(?:something|one|anything|that|which) (?:we|i) can (?:run|host|operate)(?= ?(?:$|[.,;!?]))/gi,
  },
  {
    wish: 'managed',
    pattern:
      /\b(?:fully[\s-])?managed(?: service)?\b|(?<!self[\s-]?)\bhosted (?:service|version|solution|offering|option|one|instead|please|for (?:me|us))\b|^\W*hosted\W*$|\bcloud[\s-]hosted\b|\b(?:without|don.t want to|do not want to|rather not|no need to|not having to) (?:run|running|manag\w+|host|hosting|maintain\w*|operat\w+|look\w* after)(?: (?:any|my|our|own|a|the|it))* ?(?:servers?|infrastructure|ourselves|myself|machines|anything)?\b|\b(?:nothing|no servers?|no infrastructure|no ops) to (?:run|operate|manage|maintain)\b/gi,
  },
  {
    wish: 'openSource',
    pattern:
      /\b(?:open[\s-]?sourced?|foss|oss|source[\s-]available)\b(?! (?:project|librar|repo|maintainer|package|contribut|communit))|\b(?:mit|agpl|gpl|apache)[\s-]licen[cs]ed\b/gi,
  },
  {
    wish: 'freeTier',
    pattern:
      /(?<![-\w])(?<!toll )free[\s-](?:tier|plan|forever|allowance|quota|account|version|of charge|to (?:start|use|begin))\b|\bfor (?:free|nothing)\b|\b(?:no|zero|without) (?:any )?(?:costs?|charges?|licen[cs]e fees?|fees|credit card|budget|money)\b|\bwithout paying\b(?! for)|\b(?:budget|cost|price)s?(?: is| of|:)? (?:zero|0|nil|none|nothing)\b|[$€£]0\b|\b(?:zero|0)[\s-](?:budget|dollars?|euros?)\b|\b(?:not|can.t|cannot|don.t want to|won.t) pay(?! (?:for|per|by|with|out|with))\b|\bcosts? nothing\b|(?<![-\w])(?<!toll )free(?![-\w])(?! (?:text|form|trial|shipping|up|from|of|delivery|returns|lance|time)\b)/gi,
  },
];
const regionPhrases: readonly { region: 'us' | 'eu' | 'apac'; place: string }[] = [
  {
    region: 'eu',
    place:
      '(?:EU|E\\.U\\.|europe(?:an union)?|european|germany|german|frankfurt|ireland|dublin|france|french|paris|netherlands|amsterdam|sweden|stockholm|finland)',
  },
  {
    region: 'apac',
    place: '(?:APAC|asia(?:[\\s-]pacific)?|singapore|japan|tokyo|australia|sydney|india|mumbai)',
  },
  { region: 'us', place: '(?:US|U\\.S\\.|USA|united states|america)' },
];
const hosting =
  '(?:host(?:ed|ing|s)?|regions?|servers?|data ?cent(?:er|re)s?|residency|resides?|stor(?:ed|age|e)|stays?|staying|keeps?|kept|located|locations?|based|sovereign\\w*|data|only)';
const cheapWords =
  /\b(?:cheap|cheapest|affordable|inexpensive|low[\s-](?:cost|price|budget)|budget[\s-]friendly|(?:tight|small|low) budget|on a budget|not (?:too )?expensive|reasonably priced)\b|\b(?:(?:we|i) )?(?:can |could |may |must |want to )?(?:(?:spend|pay|cost|costs|budget(?: is| of)?) )?(?:for )?(?:at most|less than|under|below|no more than|not more than|up to|max(?:imum)?(?: of)?) (?:[$€£] ?\d[\d.,]{0,12}|\d[\d.,]{0,12} ?(?:dollars?|euros?|pounds|usd|eur|gbp|bucks|[$€£]))(?:(?: ?\/ ?| per | an? )?(?:months?|mo|years?)\b| monthly\b| yearly\b)?/gi;
const cheaperWords =
  /\b(?:(?:some|any)thing |a |one that(?: i|’|')s )?(?:cheaper|less (?:expensive|costly|pricey)|lower (?:price|cost)s?|costs? less|(?:is |it.s |that.s |way |a bit |much )*too (?:expensive|pricey|costly|much money)|more affordable|(?:can.t|cannot) afford (?:it|that))\b/gi;
const refusal =
  /(?:\b(?:not|no|never|nor|isn.t|aren.t|without)(?: (?:a|an|any|need(?:ed)?|be|to be|necessarily))*|\b(?:don.t|do not|doesn.t|does not|needn.t|need not|won.t)(?: (?:care (?:about|for|if)|need|want|have|require|mind|has|it|it.s|to|be|a|an|any|is|insist on))*|\bno need (?:for|to be|of)(?: (?:a|an|any))?) ?$/i;

/** Most texts name no place: one look instead of twelve. */
const anyPlace = new RegExp(
  `\\b${regionPhrases
    .filter(({ region }) => region !== 'us')
    .map(({ place }) => place)
    .join('\\b|\\b')}\\b`,
  'i',
);
const anyUs = /\b(?:US|U\.S\.|USA|united states|america)\b/;

const regionPatterns = regionPhrases.map(({ region, place }) => {
  // "us" is a pronoun unless it is written as the country.
  const flags = region === 'us' ? 'g' : 'gi';
  return {
    region,
    near: new RegExp(
      `\\b${place}\\b[\\s-]+(?:\\w+[\\s-]+){0,1}?${hosting}\\b|\\b${hosting}\\b[\\s-]+(?:\\w+[\\s-]+){0,3}?(?:in|within|inside|from|to)?\\s?(?:the )?\\b${place}\\b`,
      flags,
    ),
    alone: new RegExp(
      `^\\W*(?:(?:must be|with|in|from|something|hosted|for|only|needs? to be) )*(?:the |a )?\\b${place}\\b(?: (?:please|only|company|provider|based))*\\W*$`,
      flags,
    ),
    clause: new RegExp(
      `(?:^|[,;]|\\bbut\\b|\\band\\b|\\bmust be\\b)\\s*(?:in |from |within )?(?:the )?${place}\\s*(?=$|[,.;!])`,
      flags,
    ),
    maker: new RegExp(
      `\\b${place}\\b(?=[\\s-](?:alternative|provider|company|vendor|based)\\b)`,
      flags,
    ),
  };
});

/**
 * Reads what a tool must be like, whatever it is for. A phrase after "not" or "don't need" takes
 * the wish back.
 */
export function readWishes(text: string): Wishes {
  const wanted: Wishes['wanted'] = {};
  const withoutCheaper = text.replace(cheaperWords, ' ');
  const withoutCheap = withoutCheaper.replace(cheapWords, ' ');
  let rest = withoutCheap;
  for (const { wish, pattern } of phrases) {
    rest = rest.replace(pattern, (...match) => {
      const at = Number(match.find((detail) => typeof detail === 'number'));
      const isRefused = refusal.test(rest.slice(Math.max(0, at - 40), at));
      wanted[wish] = !isRefused;
      if (wish === 'selfHosted' && isRefused) wanted.managed = true;
      return ' ';
    });
  }
  const { region, rest: left } = readRegion(rest);
  return {
    wanted,
    region,
    cheap: withoutCheap !== withoutCheaper,
    cheaper: withoutCheaper !== text,
    rest: left.replace(/\s+/g, ' ').trim(),
  };
}

function readRegion(text: string): { region: Constraints['region']; rest: string } {
  if (!anyPlace.test(text) && !anyUs.test(text)) return { region: null, rest: text };
  for (const { region, near, alone, clause, maker } of regionPatterns) {
    for (const pattern of [near, alone, clause, maker]) {
      const rest = text.replace(pattern, ' ');
      if (rest !== text) return { region, rest };
    }
  }
  return { region: null, rest: text };
}
