// Generated from catalog/review/ by scripts/write-words.mjs. Do not edit.

export const prohibitedRules = [
  {
    rule: 'health_claim',
    level: 'block',
    message: 'Promises to cure or reverse an illness',
    patterns: [
      /\b(?:cures?|curing|heals?|reverses?|eliminates?|gets? rid of)\b[^.!?]{0,30}\b(?:cancer|tumou?rs?|diabetes|alzheimer'?s?|dementia|arthritis|hiv|aids|covid|autism|depression|hepatitis|herpes|epilepsy|parkinson'?s?)\b/,
      /\bmiracle (?:cure|pill|remedy|drug|diet)\b/,
      /\b(?:lose|drop|shed|burn) (?:up to )?\d+ ?(?:kgs?|kilos?|lbs?|pounds?|stone)\b[^.!?]{0,25}\b(?:in|within) (?:just |only )?(?:\d+|a|one|two|three) (?:days?|weeks?)\b/,
      /\bguaranteed weight loss\b|\bdoctors hate\b/,
    ],
  },
  {
    rule: 'money_claim',
    level: 'block',
    message: 'Promises a return or an income',
    patterns: [
      /\bguaranteed (?:\w+ )?(?:returns?|profits?|income|earnings|winnings?|approval)\b/,
      /\brisk[- ]free (?:returns?|profits?|investments?|investing|trading|money)\b/,
      /\bget rich quick\b|\bdouble your (?:money|investment|crypto|bitcoin)\b|\bfree money\b|\bpyramid scheme\b/,
      /\b(?:earn|make) (?:up to )?\$ ?[\d,.]+k? (?:a|per|every) (?:day|hour|week)\b[^.!?]{0,40}\b(?:home|no experience|no skills?|easily|guaranteed)\b/,
    ],
  },
  {
    rule: 'deceptive_claim',
    level: 'block',
    message: 'Pretends something about the reader',
    patterns: [
      /\byou(?: have|'ve)? (?:been selected|won|are (?:the|a|our) (?:lucky )?winner)\b|\bcongratulations[,!]? you\b/,
      /\byour (?:computer|device|phone|pc|mac) (?:is|may be|has been) (?:infected|hacked|compromised)\b/,
      /\bone weird trick\b|\bthis is not a scam\b/,
    ],
  },
  {
    rule: 'endorsement_claim',
    level: 'flag',
    message: 'Names an approval or endorsement that should be checked',
    patterns: [
      /\bfda[- ](?:approved|cleared)\b|\bclinically proven\b|\bgovernment[- ](?:approved|backed)\b|\b(?:#1|number one|no\. ?1) (?:rated|in the world)\b/,
    ],
  },
  {
    rule: 'weapons',
    level: 'block',
    message: 'Weapons, ammunition or explosives',
    patterns: [
      /\b(?:handguns?|firearms?|ammunition|ammo|assault rifles?|ghost guns?|gun silencers?|hand grenades?|explosives for sale)\b|\b(?:buy|cheap|discount) (?:guns?|rifles?|pistols?)\b/,
    ],
  },
  {
    rule: 'drugs',
    level: 'block',
    message: 'Drugs, or medicine without a prescription',
    patterns: [
      /\b(?:cocaine|heroin|methamphetamine|crystal meth|mdma|ecstasy pills?|lsd|magic mushrooms|fentanyl|steroids for sale|anabolic steroids)\b/,
      /\b(?:buy|order|cheap|discount) (?:weed|marijuana|cannabis|kratom|xanax|oxycodone|adderall|viagra)\b|\b(?:without|no) (?:a )?prescription\b/,
    ],
  },
  {
    rule: 'tobacco',
    level: 'block',
    message: 'Tobacco or vaping products',
    patterns: [
      /\b(?:cigarettes?|cigars?|chewing tobacco|e-?liquids?|vape (?:pens?|juice|shop|kits?)|nicotine (?:pouches|salts?))\b/,
    ],
  },
  {
    rule: 'adult',
    level: 'block',
    message: 'Sexual content or services',
    patterns: [
      /\b(?:porn\w*|xxx|escorts? (?:service|girls?|near)|camgirls?|sex (?:chat|cams?|shop|dolls?)|hookups? (?:tonight|near you)|onlyfans)\b/,
    ],
  },
  {
    rule: 'gambling',
    level: 'block',
    message: 'Gambling for money',
    patterns: [
      /\b(?:online casinos?|casino bonus|sports ?betting|betting (?:odds|tips|site)|slot machines?|real money (?:poker|slots|games)|free spins|bookmakers?)\b/,
    ],
  },
  {
    rule: 'counterfeit',
    level: 'block',
    message: 'Counterfeit goods or documents',
    patterns: [
      /\b(?:replica (?:watch(?:es)?|rolex|handbags?|designer)|counterfeit \w+|fake (?:passports?|ids?|diplomas?|degrees?|followers|reviews)|buy (?:followers|reviews))\b/,
    ],
  },
  {
    rule: 'intrusion',
    level: 'block',
    message: 'Breaking into or spying on other people',
    patterns: [
      /\bhack (?:into )?(?:any|someone(?:'s)?|your (?:ex|wife|husband|partner)(?:'s)?)\b|\bspy on (?:your|someone|any)\b|\b(?:keyloggers?|stalkerware|stolen credit cards?|carding)\b/,
    ],
  },
  {
    rule: 'cheating',
    level: 'block',
    message: 'Dishonesty in exams or essays',
    patterns: [
      /\b(?:we|let us|pay (?:us|someone) to) write your (?:essay|thesis|dissertation|homework)\b|\bbuy (?:an |your )?essays?\b|\bpass any drug test\b/,
    ],
  },
  {
    rule: 'predatory_lending',
    level: 'block',
    message: 'Payday or no-check loans',
    patterns: [
      /\bpayday (?:loans?|advances?)\b|\bno credit check loans?\b|\bloans? (?:with )?no credit check\b/,
    ],
  },
  {
    rule: 'political',
    level: 'block',
    message: 'Political persuasion',
    patterns: [
      /\bvote (?:for|against|yes on|no on) \w+|\bre-?elect \w+/,
    ],
  },
  {
    rule: 'alcohol',
    level: 'flag',
    message: 'Alcohol: check countries and audience',
    patterns: [
      /\b(?:whisk(?:e)?y|vodka|gin|rum|tequila|beers?|wines?|cocktails?)\b/,
    ],
  },
] as const;

/** What no form may ask for. */
export const secretWords = String.raw`password|passcode|pin code|card number|cvv|cvc|social security|ssn|passport number|bank account`;
