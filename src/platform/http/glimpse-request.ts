/** What can be said of a request without parsing it: enough to know who asks for what. */
export interface Glimpse {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How many lines of headers it has. */
  readonly lines: number;
  /** Where its body begins, and how long that is. */
  readonly headBytes: number;
  readonly bodyBytes: number;
  /** Whether it says that it is the last of its connection. */
  readonly closes: boolean;
}

/** A head that is longer is left to the parser. */
const mostHeadBytes = 8192;
const lineEnd = '\r\n';
/** By these who asks is known, and where the body ends; in lower case. */
const kept = new Set([
  'host',
  'content-length',
  'authorization',
  'x-api-key',
  'x-forwarded-for',
  'connection',
]);
/** What changes how a request or its answer is to be read. */
const unusual = new Set(['transfer-encoding', 'expect', 'upgrade', 'te', 'trailer']);
const connections = new Set(['keep-alive', 'close']);
const keptLengths = new Set([...kept, ...unusual].map(({ length }) => length));
const firstLine = /^(?:GET|POST) (\/[!-~]{0,4000}) HTTP\/1\.1$/;
const digits = /^\d{1,7}$/;

/**
 * Reads the head of a request that begins where the bytes do. Null for everything that is not
 * plainly an ordinary request with its whole head there: the parser decides about those. Where this
 * reads a request, the parser would read the same.
 */
export function glimpseRequest(bytes: Buffer): Glimpse | null {
  const text = bytes.toString('latin1', 0, mostHeadBytes);
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const first = text.indexOf(lineEnd);
  const url = firstLine.exec(text.slice(0, first))?.[1];
  if (url === undefined) return null;
  const headers: Record<string, string> = {};
  let lines = 0;
  for (let at = first + 2; at < end + 2;) {
    const next = text.indexOf(lineEnd, at);
    const colon = text.indexOf(':', at);
    if (colon <= at || colon > next || !isPlainName(text, at, colon)) return null;
    if (!isPlainValue(text, colon + 1, next)) return null;
    lines += 1;
    if (keptLengths.has(colon - at)) {
      const name = text.slice(at, colon).toLowerCase();
      if (unusual.has(name)) return null;
      // Said twice it is for the parser to say what holds.
      if (kept.has(name) && headers[name] !== undefined) return null;
      if (kept.has(name)) headers[name] = valueIn(text, colon + 1, next);
    }
    at = next + 2;
  }
  const length = headers['content-length'] ?? '0';
  const connection = (headers['connection'] ?? 'keep-alive').toLowerCase();
  if (!digits.test(length) || headers['host'] === undefined || !connections.has(connection))
    return null;
  const closes = connection === 'close';
  return { url, headers, lines, headBytes: end + 4, bodyBytes: Number(length), closes };
}

/** Heads that are longer are not remembered. */
const mostKnownBytes = 1024;
const mostKnown = 512;

/**
 * The same, remembering heads: a program sends the same ones again and again, but for the length of
 * what follows, and to look one up takes a fifth of reading it.
 */
export function createGlimpses(): (bytes: Buffer) => Glimpse | null {
  const known = new Map<string, Glimpse>();
  return (bytes) => {
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0 || end > mostKnownBytes) return glimpseRequest(bytes);
    const head = bytes.toString('latin1', 0, end);
    const found = known.get(head);
    if (found !== undefined) return found;
    const glimpse = glimpseRequest(bytes);
    if (glimpse === null) return null;
    if (known.size >= mostKnown) known.clear();
    known.set(head, glimpse);
    return glimpse;
  };
}

/** Letters, digits and what else names are made of; no space before the colon, no folded line. */
function isPlainName(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    if (!isLetter && code !== 45 && code !== 95 && !(code >= 48 && code <= 57)) return false;
  }
  return true;
}

/**
 * No bare line end nor any other control character: where a proxy takes one for the end of a line
 * it has read headers nobody here sees, and a body where we see the next request.
 */
function isPlainValue(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if ((code < 32 && code !== tab) || code === 127) return false;
  }
  return true;
}

const tab = 9;
const space = 32;

/** Without spaces and tabs around it; other blanks are a part of it. */
function valueIn(text: string, from: number, to: number): string {
  const isBlank = (at: number): boolean => {
    const code = text.charCodeAt(at);
    return code === space || code === tab;
  };
  let first = from;
  let last = to;
  while (first < last && isBlank(first)) first += 1;
  while (last > first && isBlank(last - 1)) last -= 1;
  return text.slice(first, last);
}
