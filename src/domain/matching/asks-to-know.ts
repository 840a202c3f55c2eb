import { fold } from '../text/tokenize.js';

/**
 * Whoever speaks of themselves may have a need behind the question: "why does my car shake" is no
 * trivia.
 */
const speaksOfSelf = /\b(i|im|id|ive|ill|me|my|mine|myself|we|weve|us|our|ours|lets)\b/;
/** Words of choosing, paying and getting. */
const speaksOfGetting = new RegExp(
  `\\b(${[
    'best|better|cheap\\w*|expensive|affordable|pric\\w*|costs?|fees?|rates?|how much|worth|free|deals?|discount\\w*|offers?|sale|pay\\w*',
    'buy\\w*|sell\\w*|rent\\w*|hire|bookings?|(book|booking|order|ordering) (an?|the|some|me|my|from|online|now)|appl(y|ies|ying)|subscri\\w*|tickets?|quotes?|cover(s|ed|age)?|polic(y|ies)|available|deliver\\w*',
    'recommend\\w*|suggest\\w*|reviews?|rated|compare|versus|vs|good|great|nice|safe|easiest|fastest|top|should|need\\w*|want\\w*|looking|required',
    'near|nearby|nearest|around here|where can|where to|where do you|brands?|services?|providers?|apps?|tools?|software',
    'safest|reliable|enough|under \\d+|in stock|sold out|booked|open|opens|closes|hours|due|deadline|comes? out|coming (out|to)|out (now|yet)',
    'calories|nutrition\\w*|healthy|unhealthy|(good|bad) for you',
    // What holds here and now is no knowledge.
    'today|tonight|tomorrow|right now|outside|this (week|weekend|month|morning|afternoon|evening)|who (can|could)',
  ].join('|')})\\b`,
);
/** Whoever asks whether there is such a thing would like to have it. */
const asksForOne =
  /^(?:is|are) there (?:an?|any|some|something|someone|somewhere|anything|anyone|anywhere)\b|^(?:do|does|have|has|can|are) any\b/;
const courtesies =
  /^(?:(?:please|hey|hi|so|ok|okay|and|but|well|also|just|quick question|can you|could you|would you|will you|tell me|explain to me|do you know|any idea|let me know|i wonder|i was wondering) +)*/;
const question =
  /^(?:who|whos|whose|whom|when|where|wheres|which|what|whats|why|how|hows|is|are|was|were|do|does|did|has|have|can|could|would|will|if)\b/;
/**
 * "Play some jazz" and "turn on the lamp" are no tasks for the assistant's own mind, "play hangman"
 * and "turn this into a list" are.
 */
const ownTasks = [
  'write|compose|rewrite|rephrase|proofread|summari[sz]e|explain|define|describe|simplify|solve|calculate|compute|convert|refactor|continue|translate|correct|name|list|give|invent|pretend|act|imagine|ask|prove|factor',
  'make (?:up|this|it|that|these)|turn(?= .*\\binto\\b)|fix (?:this|these|the (?:grammar|spelling|commas?|code|bug|error))|play (?=.*\\b(?:games?|questions|quiz|hangman|chess|charades|with me|role)\\b)',
].join('|');
const order = new RegExp(
  `^(?:${ownTasks})\\b(?: (?:me|us) (?=an?\\b|the\\b|some\\b|another\\b|\\d))?`,
);

/**
 * Whether a message has the form of a question of knowledge or of a task for the assistant itself:
 * nobody speaks of themselves, nothing is to be got.
 */
export function asksToKnow(text: string): boolean {
  const plain = fold(text)
    .replace(/\bwe['’`](re|ll)\b/g, 'we $1')
    .replace(/['’`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(courtesies, '');
  if (!question.test(plain) && !order.test(plain)) return false;
  // "Write me a poem" speaks of a poem.
  const about = plain.replace(order, '');
  return !speaksOfSelf.test(about) && !speaksOfGetting.test(about) && !asksForOne.test(about);
}
