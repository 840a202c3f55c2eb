// Generated from catalog/shop-talk/ by scripts/write-words.mjs. Do not edit.

export const talkLists = {
  asking: String.raw`(?:i(?:'| a)?m|we(?:'| a)?re) (?:looking|searching|shopping|hunting) for|looking for|thinking (?:about|of)|interested in|considering|in the market for|searching for|shopping for|i(?:'d| would)? (?:need|want|like)(?: to (?:buy|get|find|order|purchase))?|(?:can|could|would) you (?:please )?(?:help me )?(?:find|recommend|suggest|show)(?: me)?|help me (?:find|choose|pick|buy)|find me|show me|recommend(?: me)?|suggest(?: me)?|where can i (?:buy|get|find)|what(?:'s| is| are) (?:the |some )?(?:best|good|cheapest)|buy(?:ing)?|purchase|order`,
  atLeast: String.raw`over|above|more than|at least|starting at|min(?:imum)?(?: of)?`,
  atMost: String.raw`under|below|less than|cheaper than|up to|at most|max(?:imum)?(?: of)?|no more than|not more than|within`,
  beforeRelatives: String.raw`my|his|her|our|a|the`,
  currencies: String.raw`dollars?|bucks|usd|euros?|eur|pounds? sterling|gbp|quid`,
  details: String.raw`in|with|without|under|below|less than|over|cheaper|smaller|bigger|larger|lighter|darker|size|only|preferably|make it|it should|they should|not|no|my (?:size|budget)|budget`,
  greetings: String.raw`hi|hello|hey|thanks?|thank you|ok(?:ay)?|please|so|well|yes|yeah|sure|great|perfect|cool|actually|hmm`,
  leads: String.raw`and|but|or|also|maybe|actually|ok(?:ay)?|yes|yeah|no,|hmm|oh|sure|great|thanks?|thank you`,
  measures: String.raw`inch|inches|in|cm|mm|ft|feet|oz|ml|l|lb`,
  menInTheFamily: String.raw`husband|boyfriend|father|dad|brother|grandpa|grandfather|uncle`,
  otherSizes: String.raw`plus|king|queen|full|twin|family|travel|pocket|life`,
  perhapsDetails: String.raw`for|from|something|anything|one|ones|any|what about|how about|i prefer|i'd prefer|the`,
  receivers: String.raw`her|him|them|me|us|myself|a|an|some|the`,
  womenInTheFamily: String.raw`wife|girlfriend|mother|mom|mum|sister|grandma|grandmother|aunt`,
} as const;
