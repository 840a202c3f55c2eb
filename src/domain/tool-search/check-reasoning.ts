import type { FindMentions } from './find-mentions.js';
import type { Tool } from './tool.js';
import { trimEndSigns } from '../text/trim-signs.js';

const economics =
  /\b(?:sponsor\w*|commission|affiliate|payout|boost\w*|advertis\w*|cpa|monetiz\w*|partner(?:ship)?)\b/i;
const denial =
  /\b(?:not|no|without|isn.t|lacks?|lacking|cannot|can.t|doesn.t|never|neither|unlike)\b[^.;]{0,40}$/i;
const shortest = 30;
const longest = 800;

/**
 * Whether a text someone else wrote about the choice holds up against the catalogue. Anything
 * doubtful is a no: there is always our own.
 */
export function isSupported(
  reasoning: string,
  tool: Tool,
  others: readonly Tool[],
  need: string,
  findMentions: FindMentions,
): boolean {
  if (
    reasoning.length < shortest ||
    reasoning.length > longest ||
    /https?:|\]\(|[<>{}]/.test(reasoning) ||
    economics.test(reasoning)
  )
    return false;
  const { facts } = tool;
  const claims: readonly (readonly [RegExp, boolean])[] = [
    [/\bopen[\s-]?source\b/gi, facts.open_source],
    [/\bself[\s-]?host\w*\b|\bon[\s-]prem\w*\b/gi, facts.self_hostable],
    [
      /\bfree (?:tier|plan|forever|of charge)\b|\bgenerous free\b/gi,
      facts.free_tier === true || facts.price_level === 0,
    ],
    [
      /\b(?:cheap|cheapest|inexpensive|affordable|low[\s-]cost)\b/gi,
      facts.price_level !== null && facts.price_level <= 1,
    ],
    [
      /\b(?:EU|European?)\b[^.]{0,20}\b(?:host\w*|region|resid\w+|data)\b/gi,
      facts.regions.includes('eu') || facts.self_hostable,
    ],
    [
      /\b(?:SOC ?2|HIPAA|ISO ?27001|PCI|SLA|GDPR)\b/gi,
      textOf(tool).match(/\b(?:SOC ?2|HIPAA|ISO ?27001|PCI|SLA|GDPR)\b/i) !== null,
    ],
  ];
  for (const [pattern, holds] of claims) {
    if (holds) continue;
    for (const found of reasoning.matchAll(pattern))
      if (
        !denial.test(reasoning.slice(Math.max(0, found.index - 60), found.index)) &&
        !isAboutAnother(reasoning, found.index, others)
      )
        return false;
  }
  const known = `${textOf(tool)} ${others.map(textOf).join(' ')} ${need}`;
  const numbers = reasoning.match(/\d[\d.,]*/g) ?? [];
  if (numbers.some((number) => !known.includes(trimEndSigns(number, /[.,]/)))) return false;
  const allowed = new Set([
    tool.slug,
    ...others.map(({ slug }) => slug),
    ...findMentions(need).map(({ slug }) => slug),
  ]);
  return findMentions(reasoning).every(
    ({ slug }) => allowed.has(slug) || known.toLowerCase().includes(slug.replaceAll('-', ' ')),
  );
}

/** "Postmark, unlike Resend, …" is about another tool; only the sentence part after its name is. */
function isAboutAnother(reasoning: string, at: number, others: readonly Tool[]): boolean {
  const clause = reasoning.slice(Math.max(0, reasoning.lastIndexOf('.', at - 1)), at);
  return others.some(({ name }) => clause.includes(name));
}

function textOf({ name, description, needs, keywords, facts, install }: Tool): string {
  return [
    name,
    description,
    ...needs,
    ...keywords,
    facts.free_tier_note ?? '',
    facts.license ?? '',
    ...install.map(({ summary, notes }) => `${summary} ${notes}`),
  ].join(' ');
}
