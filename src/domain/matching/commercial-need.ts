import { isStopWord } from '../text/stop-words.js';
import { fold, tokenize } from '../text/tokenize.js';
import { userTexts } from './conversation.js';
import type { ConversationMessage } from './conversation.js';

/**
 * `open`: worth looking for an ad. `continues`: a bare "yes" or "the second one", so the earlier
 * messages say what it is about.
 * The others cost no embedding and get no ad.
 */
export type Need = 'open' | 'continues' | 'empty' | 'small_talk' | 'command';

const idleWords = new Set(
  `
hi hello hey heya hiya heyo howdy yo sup wassup greetings morning afternoon evening night goodnight goodmorning bye goodbye byebye cya farewell later ciao adios cheers
thank thanks thankyou thx ty appreciated appreciate grateful gratitude welcome congrats wow cool nice great awesome amazing excellent perfect fantastic lovely wonderful super
lol lmao haha hahaha hehe rofl omg hmm hm uh um ah aha ooh ugh meh oops damn dude bro buddy pal mate man friend ai bot assistant computer
sorry pardon excuse joke jokes joking funny funnier funniest hilarious laugh laughing riddle riddles kidding
true false correct incorrect wrong right valid invalid fake fact facts factual agree agreed disagree affirmative negative negatory roger accepted approved confirmed certain certainly
definitely absolutely exactly indeed totally obviously surely possibly unsure doubt guess
repeat again understand understood clarify huh eh
good bad fine glad happy pleased pleasure fun enjoyed enjoy talk talked talking chat chatting chatted conversation speak speaking day weekend
nope nah nay yup yep question questions answer answers idea clue thankful obliged sincere pets
name nickname smart clever stupid useless dumb silly love hate
`
    .trim()
    .split(/\s+/),
);

const continuing = new Set(
  'yes yeah yep yup sure ok okay please continue more go ahead first second third former latter that this those these one ones both either any do it sounds good great perfect and which'.split(
    ' ',
  ),
);

const smallTalk: readonly RegExp[] = [
  /^(hi|hello|hey|yo|hiya|howdy|good (morning|afternoon|evening|night)|greetings)( (there|again|everyone|all|buddy|friend|my friend|assistant|ai|bot|dude|man|mate))?$/,
  /\bhow(s| is| are|re|ve)?( (you|ya|u|things|life|it|everything|your day))( (been|doing|going|hanging|today|lately|feeling|now))*( (my friend|buddy|today))?$/,
  /^(whats?|what is|what are) (up|new|happening|cracking|you up to)( with you)?$/,
  /\b(tell|give|know|hear|share|got|another|any|want|say)\b.*\b(jokes?|riddles?|pun|something (funny|hilarious)|fun facts?)\b/,
  /\b(make|made) me (laugh|smile|giggle)\b/,
  /\b(whats?|what is|tell me|may i (ask|know)|know|like) (is )?(your|ur) (full |real |given |actual |last |first )?(name|age|birthday|gender|purpose|job|opinion on life|fav\w*( \w+)?)\b/,
  /\bwhat (do|should|can|may|shall) (i|people|they|we) call you\b|\b(what|how) (am i|are you)( usually| really)? (called|named)\b|\b(do|would) (i|you) (like|prefer|want) to be called\b/,
  /^(can|could|do|did|will|would) (you|u) (still |really |even |ever )*(hear|see|understand|know|remember|recogni[sz]e|like|love|hate|miss|trust) (me|who i am|my name)( (now|today|again|well|clearly|ok|okay|right|anymore))*$/,
  /^(can|could|should|may|do|how can) (i|we|people) (really )?(trust|believe|like|marry|hug|thank|talk to|rely on) you( (now|today|again|more|at all))*$/,
  /^long time no see$|^(please )?(hold|hang) on\b( (a|one|just a|for a) (second|sec|minute|moment|bit))?( please)?$|^(just |wait )*(a|one) (second|sec|minute|moment)( please)?$/,
  /\bwho(se)?( (is|was|were|are|has|has been|or what))?( (the )?(person|company|people|one|team)( that| who)?)? ?(made|make|makes|create|created|creates|built|build|builds|designed|designs|programmed|programs|trained|invented|developed|owns|wrote|coded|produced) you\b/,
  /\b(your|ur) (creator|maker|designer|developer|inventor|manufacturer|programmer|owner|boss|parents?|family|birthplace|home ?town)\b/,
  /\b(are|r) (you|u) (a |an |really |actually )*(human|person|robot|bot|machine|real|ai|alive|computer|sentient|conscious|self aware|chatgpt|married|single|male|female|man|woman|boy|girl|happy|sad|tired|ok|okay|good|there|smart|busy|listening)\b/,
  /\b(who|what|which)\b.{0,30}\b(made|makes?|created?|creates|built|builds|design(ed|s)?|programmed|trained|manufactures?|manufactured|developed|conjured|responsible for)( your design)?( you| by)?$(?<=\b(you|your design|by))/,
  /\b(pets?|animals?|companions|dogs?|cats?|creatures)\b.{0,25}\b(do|would) you (have|own|keep|prefer|like|rather|possess)\b/,
  /\b(do|would|are|could) (you|u)\b.{0,25}\b(dogs?|cats?)\b.{0,12}\bor\b.{0,12}\b(dogs?|cats?)( person| people| lover)?$/,
  /^(do|can|did|could) (you|u) (ever |even |really |also )*(sleep|eat|drink|dream|breathe|cry|laugh|think|feel|smell|age|die|lie|get (tired|sick|bored|hungry|lonely|angry|sad))( (at night|things|food|anything|too|pain|much))*$/,
  /\bhow old (are|r) (you|u)\b/,
  /\bwhere (are|were|do|did) you (from|live|born|made|come from|located|programmed|created|built)\b/,
  /\bdo (you|u) (have|own|keep|like|want|possess) (a |an |any |your own )*(pets?|dogs?|cats?|dog or cat|animals?|feelings|emotions|siblings|brothers?|sisters?|kids|children|family|friends|hobbies|hobby|boyfriend|girlfriend|soul|name|nickname|dreams|birthday|body)\b/,
  /\bwhat (can|could) (you|u) (do|help me with|help with)( for me)?$/,
  /\b(meaning|purpose|point) of (life|existence|it all|everything|living)\b/,
  /\blifes? (meaning|purpose)\b/,
  /\bwhy (do|are) (we|humans|people) (exist|here|alive|on earth)\b/,
  /^(can|could|would|will|please|just)?( (you|u|that))?( please)?( be)? ?(repeat|repeated|say|ask)( me)?( (that|it|yourself|what you said|the (last )?question))?( (again|once more|one more time|please|for me))*$/,
  /^what (did|do) you (just )?(say|ask|mean)( again)?$/,
  /^(thanks?|thank you|thx|ty|many thanks|thank u)\b(?!.*\b(but|and|now|also|next|how|what|where|can|could)\b)/,
  /\b(thank you|thanks)( so much| a lot| very much)?( for (the |your |all )*(help|chat|info|information|assist|assistance|time|helping.*|chatting.*))?$/,
  /^(good)?bye\b|\b(good)?bye( now| bye)?$|^see (you|ya)( (later|soon|around|tomorrow))?$/,
  /^(i )?(gotta|got to|have to|must|need to) (go|run|leave|dash)( now)?$|^(catch|talk to|speak to) you (later|soon|tomorrow)$/,
  /^i (love|hate|like|adore) (you|u)( too| so much)?$/,
  /^you(re| are)( (so|very|really|such|the|a|an|not|too))* (funny|smart|clever|stupid|useless|dumb|best|great|awesome|nice|kind|sweet|boring|welcome|right|wrong|correct|helpful|idiot|genius)\b/,
  /^(sing|dance|tell) (me |for me )?(a )?(song|story|bedtime story|something( (interesting|fun|funny|cool|random))?)( please)?$/,
  /^i(m| am)( so| really| a bit| very)? (bored|tired|happy|sad|back|here|good|fine|ok|okay|sleepy|lonely|not sure|unsure)$/,
];

const commands: readonly RegExp[] = [
  /\b(set|start|stop|cancel|pause|reset|create|make|add|need|want)\b.*\b(timer|stopwatch|countdown|alarm)\b(?! (system|clock radio|company))/,
  /^(timer|alarm|stopwatch|snooze)\b.{0,40}$/,
  /^(please )?wake me( up)?( at| in| tomorrow)\b.{0,30}$/,
  /\b(turn|set|put|change|lower|raise|increase|decrease)\b.*\bvolume\b|^volume (up|down)\b|^(un)?mute\b/,
  /^(please )?(stop|pause|resume|cancel|undo|redo|quit|exit|abort|continue|skip|next|back|go back|start over|restart|reset|shut up|be quiet|whisper|never ?mind|forget it|cancel (that|it))( (that|it|please|now|talking|everything))*$/,
  /^(please )?(go to sleep|sleep mode|power (off|down)|turn (yourself |your ?self )?off|shut ?down)( (please|now))*$/,
  /^((please|can|could|you) )*(stop |start )?(pair|unpair|sync|unsync|connect|disconnect)(ing)?( (yourself|to|with|from))*( (my|the|this|that|your|other|new))* (phone|tablet|device|bluetooth|iphone|ipad|android|laptop)s?( please| now)*$/,
  /\b(speak|talk|read|go) (more |a bit |much )?(slow(er|ly)|fast(er)?|quick(er|ly)|loud(er|ly)|quiet(er|ly)|soft(er|ly))\b/,
  /^((please|can|could|would|you) )*(also )?(go|switch|change|speak|talk|reply|answer|respond)( back)?( (to|in|into))? (english|spanish|french|german|italian|portuguese|chinese|mandarin|japanese|korean|russian|arabic|hindi|dutch|polish|turkish)( (please|now|again|too|instead|from now on|to me))*$/,
  /^do (you|u) (also )?(speak|talk) [a-z]+( or [a-z]+| too)?$/,
  /\b(change|switch|use|set)\b.*\b(accent|your (voice|name|language|speed|tone|settings|gender))\b/,
  /^(please )?(call|address) me [a-z]+( (from now on|please|instead))*$/,
  /\b(flip|toss) (a|the|me a) coin\b|\bheads or tails\b|\b(roll|throw) (a|an|the|one|two|three|some|\d+)?( \w+)? ?(dice?|d\d+)\b|\bpick a (random )?number\b/,
  /^(what|tell me|do you know|can you tell me|could you tell me|whats)( is| me)?( the)?( current| exact| local)? ?(time|date|day)( is it| it is| is| today| right now| now| please)*( in [a-z ]+)?$/,
  /^what (time|day|date|month|year) is it\b.{0,30}$/,
  /\bhow (do|would|can) (you|i|we) spell\b|^(please )?spell\b|\bspelling of\b/,
  /^(what|how much|whats|calculate|compute)?( is| are)? ?-?\d[\d.,]*( ?(percent|%|plus|minus|times|divided by|over|squared|cubed|to the power of|mod|x|\*|\/|\+|-|\^)( of)?( ?[\d.,]+)?)+\??$/,
  /\b(square root|cube root) of \d/,
];

/**
 * Looks only at words: fast, and sure before it says no. What it lets pass is judged again by
 * meaning when a model is there.
 */
export function commercialNeed(messages: readonly ConversationMessage[]): Need {
  const [newest, earlier] = userTexts(messages, 2);
  if (newest === undefined) return 'empty';
  if (newest.length > 400) return 'open';
  const plain = fold(newest)
    .replace(/['’`]/g, '')
    .replace(/[^\p{L}\p{N}+*/%^.-]+/gu, ' ')
    .replace(/(?<![.-])[.-]+(?= |$)/g, '')
    .trim();
  if (smallTalk.some((pattern) => pattern.test(plain))) return 'small_talk';
  if (commands.some((pattern) => pattern.test(plain))) return 'command';
  const tokens = tokenize(newest);
  if (tokens.length === 0) return 'empty';
  if (earlier !== undefined && tokens.length <= 6 && tokens.every((token) => continuing.has(token)))
    return 'continues';
  const idle = tokens.filter((token) => idleWords.has(token)).length;
  const plainTalk = tokens.every((token) => idleWords.has(token) || isStopWord(token));
  if (plainTalk && (idle > 0 || tokens.length <= 4))
    return earlier === undefined || idle > 0 ? 'small_talk' : 'continues';
  return 'open';
}
