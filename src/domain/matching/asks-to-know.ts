import { fold } from '../text/tokenize.js';

/** Whoever speaks of themselves may have a need behind the question: "why does my car shake" is no trivia. */
const speaksOfSelf = /\b(i|im|id|ive|ill|me|my|mine|myself|we|weve|us|our|ours|lets)\b/;
/** Words of choosing, paying and getting. */
const speaksOfGetting = new RegExp(`\\b(${[
  'best|better|cheap\\w*|expensive|affordable|pric\\w*|costs?|fees?|rates?|how much|worth|free|deals?|discount\\w*|offers?|sale|pay\\w*',
  'buy\\w*|sell\\w*|rent\\w*|hire|bookings?|(book|booking|order|ordering) (an?|the|some|me|my|from|online|now)|appl(y|ies|ying)|subscri\\w*|tickets?|quotes?|cover(s|ed|age)?|polic(y|ies)|available|deliver\\w*',
  'recommend\\w*|suggest\\w*|reviews?|rated|compare|versus|vs|good|great|nice|safe|easiest|fastest|top|should|need\\w*|want\\w*|looking|required',
  'near|nearby|nearest|where can|where to|where do you|brands?|services?|providers?|apps?|tools?|software',
].join('|')})\\b`);
const courtesies = /^(?:(?:please|hey|hi|so|ok|okay|and|but|well|also|just|quick question|can you|could you|would you|will you|tell me|explain to me|do you know|any idea|let me know|i wonder|i was wondering) +)*/;
const question = /^(?:who|whos|whose|whom|when|where|wheres|which|what|whats|why|how|hows|is|are|was|were|do|does|did|has|have|can|could|would|will|if)\b/;
const order = /^(?:write|compose|rewrite|rephrase|proofread|summari[sz]e|explain|define|describe|simplify|solve|calculate|compute|convert|refactor|continue|translate|fix|correct|name|list|give|invent|make|turn|play|pretend|act|imagine|ask|prove|factor)\b(?: (?:me|us) (?=an?\b|the\b|some\b|another\b|\d))?/;

/** Whether a message has the form of a question of knowledge or of a task for the assistant itself: nobody speaks of themselves, nothing is to be got. */
export function asksToKnow(text: string): boolean {
  const plain = fold(text).replace(/['’`]/g, '').replace(/[^\p{L}\p{N}]+/gu, ' ').trim().replace(courtesies, '');
  if (!question.test(plain) && !order.test(plain)) return false;
  // "Write me a poem" speaks of a poem.
  const about = plain.replace(order, '');
  return !speaksOfSelf.test(about) && !speaksOfGetting.test(about);
}
