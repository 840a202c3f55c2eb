// The shopping need behind a conversation, as one query: what the newest user turn asks for, with
// the thing it is about taken from earlier turns when the newest one only narrows it down ("in
// blue, under $100").
import { fold } from '../text/tokenize.js';
import { trimSigns } from '../text/trim-signs.js';
import { isFiller } from './product-terms.js';
import { isChatter } from './product-query.js';
import { namesProductKind } from './product-categories.js';
import { productTokens } from './product-tokens.js';
import { talkLists } from './talk-lists.js';

export interface ConversationTurn {
  role: string;
  content: string;
}

const longestNeed = 400;
const turnsBack = 6;
/** Read of one turn: what people want is said sooner. */
const longestTurn = 2000;
/** What may stand before it, one word after the other. */
const lead = new RegExp(String.raw`\W*(?:${talkLists.leads})\b`, 'iy');
/** Begins like a detail of what was asked before, whatever it goes on to name. */
const detail = new RegExp(String.raw`[\s,.!-]*(?:${talkLists.details})\b`, 'iy');
/** Begins like a detail, unless it names a product of its own ("what about a jacket"). */
const perhapsDetail = new RegExp(String.raw`[\s,.!-]*(?:${talkLists.perhapsDetails})\b`, 'iy');
const greeting = new RegExp(String.raw`\W*(?:${talkLists.greetings})\b`, 'iy');
const mark = /[\s,.;:!?-]/;
const asking = new RegExp(String.raw`\b(?:${talkLists.asking})\b`, 'gi');
const receiver = new RegExp(String.raw`^\s*(?:${talkLists.receivers})\b\s*`, 'i');

/** What a turn asks for, without greetings, the words of asking, and the story before them. */
export function bareNeed(content: string): string {
  const text = content
    .slice(0, longestTurn)
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const plain = text
    .replace(/\bwhat (\w+(?: \w+)?) should (?:i|we) (?:buy|get|choose)\b/gi, '$1')
    .replace(/\b(?:what|how) about\b/gi, ' ');
  const asked = askingSentences(afterGreeting(plain)).map(afterAsking).join(' ');
  return trimSigns(asked.replace(/\s+/g, ' '), mark);
}

/** Word by word from the start: an expression over all of them would try every way to part them. */
function afterGreeting(text: string): string {
  let at = 0;
  for (let next = endOf(greeting, text, at); next !== null; next = endOf(greeting, text, at))
    at = next;
  return at === 0 ? text : text.slice(at).replace(/^[\s,.!:;-]+/, '');
}

function beginsWith(pattern: RegExp, text: string): boolean {
  for (let at: number | null = 0; at !== null; at = endOf(lead, text, at))
    if (endOf(pattern, text, at) !== null) return true;
  return false;
}

/** Where a sticky expression that matches at this place ends. */
function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/**
 * "My sister's birthday is near and I would like to buy her a lamp": what follows the asking,
 * unless nothing does.
 */
function afterAsking(sentence: string): string {
  const parts = sentence.split(asking).map((part) => part.replace(receiver, ' ').trim());
  if (parts.length === 1) return sentence;
  const [before = '', ...after] = parts;
  const rest = after.filter((part) => telling(part).length > 0).join(' ');
  return rest === '' ? before : rest;
}

function telling(text: string): string[] {
  return productTokens(text).words.filter(
    (word) => !isFiller(word) && !isChatter(word) && word.length > 1,
  );
}

function namesProduct(text: string): boolean {
  return telling(text.replace(/\b(?:without|no|not)\s+\w+/gi, ' ')).some(namesProductKind);
}

/**
 * Of several sentences only those that ask for something, or else name a product, say what is
 * needed.
 */
function askingSentences(content: string): string[] {
  const sentences = content.split(/(?<=[.!?\n])\s+/);
  if (sentences.length === 1) return sentences;
  const wanted = sentences.filter(
    (sentence) => sentence.search(asking) >= 0 && telling(sentence.replace(asking, ' ')).length > 0,
  );
  const named = wanted.length > 0 ? wanted : sentences.filter(namesProduct);
  return named.length > 0 ? named : sentences;
}

export function inferNeed(messages: readonly ConversationTurn[]): string {
  const turns = messages
    .filter((turn) => turn.role === 'user' && turn.content.trim() !== '')
    .slice(-turnsBack)
    .map((turn) => turn.content);
  let need = '';
  for (let at = turns.length - 1; at >= 0; at--) {
    const turn = turns[at] ?? '';
    const bare = bareNeed(turn);
    if (telling(bare).length === 0) continue;
    need = need === '' ? bare : joined(bare, need);
    if (!isNarrowing(turn, bare)) break;
  }
  return need.slice(0, longestNeed).trim();
}

/** "In blue", "under $50", "size 9": says how, not what. */
function isNarrowing(turn: string, bare: string): boolean {
  const folded = fold(turn.slice(0, longestTurn));
  if (beginsWith(detail, folded)) return true;
  if (namesProduct(bare)) return false;
  return telling(bare).length <= 2 || beginsWith(perhapsDetail, folded);
}

function joined(older: string, newer: string): string {
  const had = new Set(telling(newer));
  const missing = telling(older).some((word) => !had.has(word));
  return missing ? `${older} ${newer}` : newer;
}
