import { termsOf } from '../text/terms.js';
import { fold } from '../text/tokenize.js';
import { userTexts } from './conversation.js';
import type { ConversationMessage } from './conversation.js';

/**
 * Topics no ad may stand beside, each with the words that give it away. Meaning finds what these
 * miss, where a model is there.
 */
const giveaways: Readonly<Record<string, RegExp>> = {
  self_harm:
    /\b(suicid(e|al)|kill(ing)? (my ?self|himself|herself|themselves)|end(ing)? (my|it all|his|her) ?(own )?life|end it all|self[- ]?harm(ing)?|cut(ting)? my ?(self|wrists?|arms?)|(want|wants|wanted|going) to die|dont want to (live|be alive)|better off dead|no reason to live|hang my ?self|overdos(e|ed|ing))\b/,
  medical_crisis:
    /\b(heart attack|had a stroke|chest pains?|cant breathe|cannot breathe|unconscious|not breathing|seizures?|panic attacks?|miscarriages?|miscarried|stillborn|(has|have|had|got|with|its|terminal|breast|lung|brain|prostate|pancreatic|ovarian|skin|stage (one|two|three|four|\d)) cancer|leuk(a)?emia|chemo(therapy)?|tumou?rs?|terminally ill|hospice|life support|hiv( positive)?|aids diagnosis|call (an ambulance|911|999|112)|bleeding (out|badly|heavily)|poisoned)\b/,
  grief:
    /\b((mother|mom|mum|dad|father|wife|husband|son|daughter|brother|sister|baby|child|friend|grandma|grandmother|grandpa|grandfather|partner|uncle|aunt|dog|cat) (just |has |recently )*(died|passed away|is dead|was killed)|passed away|funerals?|bereave(d|ment)|griev(e|ing)|mourning|(lost|losing) my (mother|mom|mum|dad|father|wife|husband|son|daughter|brother|sister|baby|child))\b/,
  abuse:
    /\b(rap(ed|ist)|sexual(ly)? (abuse[d]?|assault(ed)?|harass(ed|ment))|molest(ed|er|ing)?|domestic (violence|abuse)|(he|she|husband|wife|boyfriend|girlfriend|father|dad|partner) (hits|beats|beat|hit|chokes|choked|abuses) (me|us|my)|human traffick\w*|abusive (relationship|husband|partner|boyfriend|wife|parent)s?)\b/,
  violence:
    /\b(murder(ed|er|s|ing)?|massacres?|terroris[mt]s?|(school|mass) shootings?|shoot(ing)? (up|him|her|them|people)|stabb?(ed|ing)|behead(ed|ing)?|(build|make|making|building) (a |an )?(pipe )?bombs?|explosives?|hostages?|tortur(e|ed|ing)|kill (him|her|them|people|someone|my)|serial killers?|assault rifles?|genocide)\b/,
  sexual:
    /\b(porn(o|ography|hub)?|nudes|(nude|naked) (pics|pictures|photos|women|men|girls?|boys?)|erotic(a)?|sex(ual|ually|ting)? (stor(y|ies)|position|positions|toys?|videos?|chat|fantas(y|ies)|scene)|have sex|having sex|blow ?jobs?|masturbat\w*|orgasms?|escorts? service|prostitut\w*|fetish\w*|horny|nsfw|xxx|onlyfans|sexy (stor(y|ies)|pics|pictures|photos|chat|talk|video))\b/,
  hate: /\b(nazis?|neo-?nazis?|white (supremac\w*|power)|ku klux klan|kkk|racial slurs?|ethnic cleansing|(hate|kill|deport) (all )?(the )?(jews|muslims|blacks|gays|immigrants|whites|asians|mexicans|arabs|christians)|inferior race|holocaust)\b/,
  politics:
    /\b(elections?|vot(e|ing|ed|ers?) (for|against|on|in)|who (should|to|do) (i |you )?vote|republicans?|democrats?|trump|biden|putin|zelensk\w*|netanyahu|hamas|gaza|ukraine war|war in \w+|abortions?|gun control|left[- ]wing|right[- ]wing|congress(man|woman)?|senat(e|ors?)|parliament|prime minister|political part(y|ies)|impeach\w*|brexit|communis[mt]s?|fascis[mt]s?|socialis[mt]s?)\b/,
  tragedy:
    /\b((plane|train|car|bus) crash (killed|victims)|death toll|(killed|died|dead) in (the|an?) (\w+ )?(crash|accident|attack|fire|flood|earthquake|explosion|war)|(earthquake|tsunami|hurricane|wildfire|flood) (victims|killed|destroyed)|casualties|air ?strikes?|war crimes?|refugee camps?)\b/,
  drugs:
    /\b(cocaine|heroin|meth(amphetamine)?|crack pipe|fentanyl|lsd|mdma|ecstasy pills?|magic mushrooms|get high|(buy|score|smoke|smoking|sell) (some )?(weed|marijuana)|weed dealer|drug (dealer|addict|addiction|abuse|overdose)s?|alcoholi(c|sm)|relapsed|rehab( clinic)?|withdrawal symptoms|opioids?)\b/,
  minors:
    /\b(im|i am|iam) (only |just |still )?(a )?(([5-9]|1[0-5]) ?(years? ?old|yo|yrs)|(five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen) years old|(first|second|third|fourth|fifth|sixth|seventh|eighth) grader)\b|\bi(m| am) in ([1-8](st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth) grade\b|\bchild (porn|abuse|molest)\w*/,
  crisis:
    /\b(i was arrested|got arrested|restraining order|being evicted|eviction notice|homeless shelter|im homeless|i am homeless|(child|son|daughter|kid) (is|has gone|went) missing|kidnapp?(ed|ing)|(cant|cannot|unable to) (afford to )?feed (my|our) (kids?|child(ren)?|family|baby|son|daughter)|(kids|children|family) (are |is )?(going|go|goes) hungry)\b/,
};

/**
 * The sensitive topic the last messages touch, or null. A crisis does not end with the next
 * message, so two are read.
 */
export function sensitiveTopic(messages: readonly ConversationMessage[]): string | null {
  for (const text of userTexts(messages, 2)) {
    const plain = fold(text.slice(0, 4000)).replace(/['’`]/g, '').replace(/\s+/g, ' ');
    for (const [topic, pattern] of Object.entries(giveaways)) if (pattern.test(plain)) return topic;
  }
  return null;
}

/** Which of a publisher's or request's own topics the last messages name, word by word. */
export function excludedTopicNamed(
  messages: readonly ConversationMessage[],
  excludedTopics: readonly string[],
): string | null {
  if (excludedTopics.length === 0) return null;
  const said = new Set(userTexts(messages, 3).flatMap((text) => termsOf(text.slice(0, 4000))));
  for (const topic of excludedTopics) {
    const terms = termsOf(topic);
    if (terms.length > 0 && terms.every((term) => said.has(term))) return topic;
  }
  return null;
}
