import { withoutPersonalData } from '../pii.js';

/**
 * A text people wrote without what tells who they are: e-mail and network addresses, phone, card
 * and account numbers, long numbers, names in web addresses. Looks at every character a fixed
 * number of times, whatever the text.
 */
export function redactText(text: string): string {
  if (!/[\d@%:]/.test(text)) return text;
  let out = '';
  let at = 0;
  while (at < text.length) {
    const start = at;
    while (at < text.length && !isSpace(text.charCodeAt(at))) at += 1;
    if (at > start) out += redactRun(text.slice(start, at));
    const gap = at;
    while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
    out += text.slice(gap, at);
  }
  return redactNumbers(redactAccounts(out));
}

/** Every text in a JSON value redacted. */
export function redactJson(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number')
    return Math.abs(value) >= 1e8 && redactText(String(value)) !== String(value) ? null : value;
  if (Array.isArray(value)) return value.map(redactJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redactText(name), redactJson(item)]),
  );
}

function isSpace(code: number): boolean {
  return code <= 32 || code === 160 || (code >= 0x2000 && code <= 0x200f) || code === 0x3000;
}

/** One stretch without spaces. */
function redactRun(run: string): string {
  const scheme = run.indexOf('://');
  if (scheme >= 0 || run.startsWith('www.')) return redactUrl(run, scheme);
  if (run.includes('@') || run.includes('%40')) return redactEmails(run);
  return isAddress6(run) ? '[ip]' : run;
}

const outsideEmail = new Set('<>()[]{},;:"\'|=&?#/\\!*`');

/** What stands around an @ between two signs that cannot be part of an address. */
function redactEmails(run: string): string {
  let out = '';
  let start = 0;
  for (let at = 0; at <= run.length; at += 1) {
    const sign = run[at];
    if (sign !== undefined && !outsideEmail.has(sign)) continue;
    const piece = run.slice(start, at);
    out += isEmail(piece) ? '[email]' : piece;
    out += sign ?? '';
    start = at + 1;
  }
  return out;
}

function isEmail(piece: string): boolean {
  const at = piece.includes('@') ? piece.indexOf('@') : piece.indexOf('%40');
  // A name after an @ alone is a name too: @ada.
  return at >= 0 && piece.length > 2 && piece.slice(at).replace(/^@|^%40/, '') !== '';
}

function isAddress6(run: string): boolean {
  const bare = trimSigns(run);
  let colons = 0;
  for (const sign of bare) {
    if (sign === ':') colons += 1;
    else if (!/[0-9a-f.%/]/i.test(sign)) return false;
  }
  return colons >= 3 || (colons >= 2 && bare.includes('::'));
}

function trimSigns(run: string): string {
  let [from, to] = [0, run.length];
  while (from < to && '[("\'<'.includes(run[from] ?? '')) from += 1;
  while (to > from && '])"\'>.,;!?'.includes(run[to - 1] ?? '')) to -= 1;
  return run.slice(from, to);
}

/** Parts of a path whose next part is somebody's name. */
const beforeNames = new Set([
  'u',
  'user',
  'users',
  'profile',
  'profiles',
  'people',
  'person',
  'member',
  'members',
  'in',
  'author',
  'account',
  'accounts',
  'customer',
  'customers',
]);

function redactUrl(run: string, scheme: number): string {
  const from = scheme < 0 ? 0 : scheme + 3;
  let end = from;
  while (end < run.length && !'/?#'.includes(run[end] ?? '')) end += 1;
  const host = run.slice(from, end);
  const query = run.slice(end).search(/[?#]/);
  const path = query < 0 ? run.slice(end) : run.slice(end, end + query);
  const rest = query < 0 ? '' : run.slice(end + query);
  const named = host.lastIndexOf('@');
  const parts = path.split('/').map((part, n, all) => {
    const before = (all[n - 1] ?? '').toLowerCase();
    return part !== '' && (beforeNames.has(before) || /^(@|~|%40)/.test(part)) ? '[name]' : part;
  });
  const whole =
    run.slice(0, from) + (named < 0 ? host : host.slice(named + 1)) + parts.join('/') + rest;
  return withoutPersonalData(whole);
}

/** Account numbers as banks write them, with or without spaces: two letters, then a check. */
function redactAccounts(text: string): string {
  let out = '';
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!isLetter(text[at]) || isWord(text[at - 1]) || !isDigit(text[at + 2])) continue;
    const end = accountEnd(text, at);
    if (end < 0) continue;
    out += `${text.slice(kept, at)}[iban]`;
    kept = end;
    at = end;
  }
  return out + text.slice(kept);
}

/** Where the account number that begins here ends; -1 when there is none. */
function accountEnd(text: string, from: number): number {
  let letters = '';
  let found = -1;
  for (let at = from; at < text.length && letters.length <= 34; at += 1) {
    const sign = text[at] ?? '';
    if (isWord(sign)) letters += sign;
    else if (sign !== ' ' || !isWord(text[at + 1])) break;
    if (letters.length >= 15 && !isWord(text[at + 1]) && isAccount(letters)) found = at + 1;
  }
  return found;
}

function isAccount(letters: string): boolean {
  if (letters.length > 34 || !/^[a-z]{2}\d{2}[a-z0-9]+$/i.test(letters)) return false;
  let rest = 0;
  for (const sign of letters.slice(4) + letters.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

function isDigit(sign: string | undefined): boolean {
  return sign !== undefined && sign >= '0' && sign <= '9';
}

function isLetter(sign: string | undefined): boolean {
  return sign !== undefined && /^[a-z]$/i.test(sign);
}

function isWord(sign: string | undefined): boolean {
  return isDigit(sign) || isLetter(sign);
}

/** Numbers with signs between them, taken as a whole and judged. */
function redactNumbers(text: string): string {
  let out = '';
  let kept = 0;
  for (let at = 0; at < text.length;) {
    const first = firstDigit(text, at);
    if (first < 0 || isDigit(text[at - 1])) {
      at += 1;
      continue;
    }
    const end = numberEnd(text, first);
    const kind = kindOf(text.slice(first, end), first > at);
    if (kind !== null) {
      out += `${text.slice(kept, at)}[${kind}]`;
      kept = end;
    }
    // A sign before a number that stays may stand before another one.
    at = kind === null && first > at ? at + 1 : end;
  }
  return out + text.slice(kept);
}

/** Here, or behind the plus or bracket a phone number begins with; -1 when there is none. */
function firstDigit(text: string, at: number): number {
  if (isDigit(text[at])) return at;
  if (text[at] !== '+' && text[at] !== '(') return -1;
  if (isDigit(text[at + 1])) return at + 1;
  return '+( '.includes(text[at + 1] ?? 'x') && isDigit(text[at + 2]) ? at + 2 : -1;
}

/** Digits with one or two of the usual signs between them. */
function numberEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (isDigit(text[at])) at += 1;
    let next = at;
    while (next < at + 2 && ' .-/()\u00a0'.includes(text[next] ?? '\n')) next += 1;
    if (next === at || !isDigit(text[next])) return at;
    at = next;
  }
}

function kindOf(stretch: string, isPrefixed: boolean): string | null {
  const groups = stretch.split(/[^0-9]+/);
  const digits = groups.join('');
  if (groups.length === 4 && /^[0-9.]+$/.test(stretch) && groups.every((one) => Number(one) < 256))
    return 'ip';
  if (digits.length >= 13 && digits.length <= 19 && passesCheck(digits)) return 'card';
  if (groups.some((one) => one.length >= 9)) return isPrefixed ? 'phone' : 'number';
  const starts = isPrefixed || stretch.startsWith('0');
  if (starts && digits.length >= 7 && digits.length <= 17) return 'phone';
  if (digits.length >= 9 && groups.some((one) => one.length >= 3))
    return digits.length <= 15 ? 'phone' : 'number';
  return null;
}

/** The check digit of card numbers. */
function passesCheck(digits: string): boolean {
  let sum = 0;
  for (let n = 0; n < digits.length; n += 1) {
    const digit = Number(digits[digits.length - 1 - n]);
    const doubled = n % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
