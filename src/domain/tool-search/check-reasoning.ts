import type { FindMentions } from './find-mentions.js';
import type { Tool } from './tool.js';
import { trimEndSigns } from '../text/trim-signs.js';
import { phraseLists } from './phrase-lists.js';

const economics = new RegExp(String.raw`\b(?:${phraseLists.aboutMoney})\b`, 'i');
const denial = new RegExp(String.raw`\b(?:${phraseLists.denials})\b[^.;]{0,40}$`, 'i');
const claims = phraseLists.claims.map(([claim, pattern]) => ({
  claim,
  pattern: new RegExp(pattern, 'gi'),
}));
type Claim = (typeof claims)[number]['claim'];
const shortest = 30;
const longest = 800;

/**
 * Whether a text someone else wrote about the choice holds up against the tool index. Anything
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
  for (const { claim, pattern } of claims) {
    if (holds(claim, pattern, tool)) continue;
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

/** Whether the tool index says of the tool what is claimed. */
function holds(claim: Claim, pattern: RegExp, tool: Tool): boolean {
  const { facts } = tool;
  switch (claim) {
    case 'open-source':
      return facts.open_source;
    case 'self-hosted':
      return facts.self_hostable;
    case 'free':
      return facts.free_tier === true || facts.price_level === 0;
    case 'cheap':
      return facts.price_level !== null && facts.price_level <= 1;
    case 'in-europe':
      return facts.regions.includes('eu') || facts.self_hostable;
    case 'certified':
      return textOf(tool).match(pattern) !== null;
  }
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
