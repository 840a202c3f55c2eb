// Enough English to set a phrase into a sentence: does it need an article, and which.
import { trimEndSigns } from '../text/trim-signs.js';

const determiners =
  /^(?:a|an|the|my|your|our|his|her|their|its|this|that|these|those|some|any|no|every|each|all|both|more|\d{1,9}(?![\d.,]{0,20}[-%\p{L}])|one|two|three|several|many)(?![\p{L}-])/iu;

/**
 * Heads that take "a" when they stand alone. Others that are neither plural nor known as
 * uncountable are left undecided.
 */
const countable = new Set(
  `account address agency agent app apartment appliance assistant backpack bag bank bed bicycle bike blender boat book bottle box broker builder calculator calendar camera camper car card carrier case certificate chair
  charger clinic coach coat community company computer consultant contractor course cruise database degree dentist desk device diet doctor dog domain dress drill editor engine event fan fridge game garden generator gift grill
  guide guitar gym hotel house jacket job kayak keyboard kit kitchen laptop lawyer lesson library loan machine marketplace mattress microphone mixer mobile monitor mortgage mower notebook office oven package partner pass pension
  phone piano pillow pizza plan planner platform plugin policy pool portfolio printer product program programme project provider purse razor recipe rental restaurant retreat ring robot roof router school scooter service sofa
  solution speaker store studio subscription suit suite system table tablet telescope tent test theme therapist ticket tool tour tracker trainer translator trip tutor tv university vacation vacuum van vehicle visa wallet watch
  trial website wedding wheel window workout workshop holiday home class builder crm api sdk`.split(
    /\s+/,
  ),
);
const uncountable = new Set(
  `accommodation accounting advice analytics art authentication automation banking bedding beer broadband business care childcare clothing coffee commerce compliance content cosmetics credit cybersecurity data debt delivery design
  development e-commerce ecommerce education electricity email energy entertainment equipment exercise fashion finance fitness fiction food footwear fun fundraising furniture gaming gear golf growth hardware health healthcare help
  history hosting hr housing information infrastructure insurance internet investment jewelry jewellery knowledge landscaping law learning life lighting logistics luggage lumber machinery maintenance makeup management marketing math
  mathematics meat medicine meditation mindfulness money music news nutrition observability payroll pasta paint photography pilates planning poetry productivity protection protein publishing rail recovery recruitment recycling relief
  rent repair research retail retirement security seo shopping skiing skincare sleep soap software spanish french german english japanese italian storage streaming support surfing tax tea tech technology television therapy
  time tourism traffic training transport transportation travel tuition tv video water wealth weather wellness wine wood work yoga hiking running cycling camping fishing cooking baking gardening swimming knitting`.split(
    /\s+/,
  ),
);
const singularInS = /(?:ss|us|is|ics|news|lens|gas|tennis|canvas)$/i;

export type PhraseKind = 'ready' | 'countable' | 'undecided';

/** The noun the phrase is about: the last word before a preposition. */
export function headOf(phrase: string): string {
  const [core = phrase] = phrase.split(
    /(?<!\s)\s+(?:for|of|to|in|on|at|with|without|from|by|near|under|over|about|that|which|who|and|or|&)\s+/i,
  );
  return (/(?<![\p{L}-])[\p{L}-]+$/u.exec(trimEndSigns(core, /\P{L}/u))?.[0] ?? '').toLowerCase();
}

export function phraseKind(phrase: string): PhraseKind {
  const head = headOf(phrase);
  if (determiners.test(phrase)) return 'ready';
  if (uncountable.has(head) || (head.endsWith('ing') && head.length > 5)) return 'ready';
  if (isPlural(head)) return 'ready';
  if (/\s(?:and|or)\s/i.test(phrase)) return 'undecided';
  return countable.has(head) ? 'countable' : 'undecided';
}

function isPlural(head: string): boolean {
  return (
    (head.endsWith('s') && !singularInS.test(head)) ||
    /^(?:men|women|children|people|feet|teeth|mice)$/.test(head)
  );
}

/** "running shoes", "a CRM", "travel insurance"; null when it is not sure what would be right. */
export function asObject(phrase: string): string | null {
  switch (phraseKind(phrase)) {
    case 'ready':
      return phrase;
    case 'countable':
      return `${takesAn(phrase) ? 'an' : 'a'} ${phrase}`;
    case 'undecided':
      return null;
  }
}

/** By sound: an hour, an SDK, a university, a European trip. */
function takesAn(phrase: string): boolean {
  const [word = ''] = phrase.split(/[\s-]/);
  if (/^[A-Z]{2,}s?$/.test(word)) return /^[AEFHILMNORSX]/.test(word);
  if (/^(?:hour|honest|heir|honou?r)/i.test(word)) return true;
  return /^[aeiou]/i.test(word) && !/^(?:uni(?!n|m)|use|usu|util|eu|one\b|once)/i.test(word);
}
