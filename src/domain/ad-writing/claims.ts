// What an ad promises must stand on the page or in the brief: figures, prices, superlatives,
// guarantees, endorsements, urgency.
import { foldText } from '../review/fold-text.js';

const claimWords: readonly RegExp[] = [
  /\b(?:best|cheapest|fastest|easiest|lowest|highest|greatest|smartest|safest|strongest|largest|biggest|newest|finest|simplest|quickest|most \w+|least \w+|top|leading|ultimate|perfect|unbeatable|unmatched|unrivall?ed|superior|number one|no\. ?1|world-class|premium|only)\b/g,
  /\b(?:guarantee[ds]?|guaranteed|warranty|risk-free|promise[sd]?|proven|certified|approved|official|licensed|accredited|award-winning|awards?|patented)\b/g,
  /\b(?:free|discount(?:s|ed)?|sale|save|savings|cheap|cheaper|refunds?|money back|cashback|bonus|deals?|affordable|low-cost|half price)\b/g,
  /\b(?:trusted|loved|recommended|endorsed|rated|reviews?|customers|users worldwide|experts?|doctors?|scientists?)\b/g,
  /\b(?:instant(?:ly)?|immediate(?:ly)?|overnight|same-day|next-day|unlimited|always|never|every time|forever|lifetime|effortless(?:ly)?)\b/g,
  /\b(?:today only|limited[- ]time|hurry|last chance|while (?:stocks?|supplies) last|ends soon|act now|don't miss)\b/g,
  /\b(?:organic|vegan|sustainable|eco-friendly|carbon[- ]neutral|natural|handmade|hypoallergenic|gluten-free|cures?|heals?|treats?)\b/g,
];
const figure = /(?:[$€£¥]\s?)?\d+(?:[.,:]\d+)*\s?(?:%|[a-z]{1,3}\b)?/g;
const numberWord =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|hundreds?|thousands?|millions?|billions?|dozens?|half|twice|double|triple)\b/g;

/**
 * Promises of the text that no source makes, in its order; empty when it says nothing of its own.
 */
export function findUnsupportedClaims(text: string, sources: readonly string[]): string[] {
  const folded = foldText(text);
  const known = foldText(sources.join(' \n '));
  const unsupported: string[] = [];
  for (const claim of new Set(
    [...claimWords, numberWord].flatMap((pattern) => folded.match(pattern) ?? []),
  )) {
    if (!hasWord(known, claim)) unsupported.push(claim);
  }
  const knownFigures = new Set((known.match(figure) ?? []).map(digitsOf));
  for (const found of new Set((folded.match(figure) ?? []).map(digitsOf)))
    if (!knownFigures.has(found)) unsupported.push(found);
  return unsupported;
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![a-z0-9])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![a-z0-9])`).test(
    text,
  );
}

/**
 * The digits with the sign that gives them meaning: $30, 30% and 30 are three claims; 1,000 and
 * 1000 are one.
 */
function digitsOf(found: string): string {
  const digits = /\d+(?:[.,:]\d+)*/.exec(found)?.[0] ?? '';
  const amount = digits.replace(/,(?=\d{3}\b)/g, '').replace(/[.,]00$/, '');
  return `${/[$€£¥]/.exec(found)?.[0] ?? ''}${amount}${found.includes('%') ? '%' : ''}`;
}
