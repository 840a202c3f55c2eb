import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Front } from './create-http-app.js';
import type { EarlyRequest } from './turn-away-early.js';

export interface AdmissionOptions {
  /** How long a request may be expected to wait before another is turned away; 0 admits all. */
  queueMs: number;
  /** Milliseconds that only go forward. */
  now?: () => number;
  onShed?: () => void;
  /** Told of each that was turned away after it was parsed. */
  onParsedShed?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Who is asking, as far as it is known: a made-up key must not be a caller of its own. */
  callerOf: (request: EarlyRequest) => string;
}

export interface Admission {
  /** Counts those it lets in, and turns the others away. */
  readonly front: Front;
  /** Whether one that is not parsed yet is turned away now. */
  refuses(request: EarlyRequest): boolean;
  /** So long one that was let in waited for its turn. */
  waited(ms: number): void;
}

/** Always let in, however slow the answers are: a few slow requests are no overload. */
const alwaysAdmitted = 64;
const sliceMs = 100;
/** The rate is that of half a second, the best of the last four. */
const slices = 5;
const kept = 40;
/** Of what may be expected, how long one may wait in fact before fewer are let in. */
const toleratedWait = 1.5;
const fewer = 0.7;
const more = 1.2;
export const shedBody = JSON.stringify({ detail: 'temporarily_unavailable' });
/** A flat list goes out as it is, where an object would be copied into one each time. */
export const shedHead: string[] = Object.entries({
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(shedBody)),
  'retry-after': '1',
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
}).flat();
const shedText = (head: readonly string[]): string =>
  `HTTP/1.1 503 Service Unavailable\r\n${head
    .map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`))
    .join('')}\r\n${shedBody}`;
/** The same as it goes out, for those that are turned away before they are parsed. */
export const shedAnswer = shedText(shedHead);
/** To a request that says it is the last of its connection. */
export const lastShedAnswer = shedText([...shedHead, 'connection', 'close']);
const probes = new Set(['/health', '/ready']);

/** Answered whatever else is going on. */
export function isProbe({ url }: Pick<IncomingMessage, 'url'>): boolean {
  return probes.has(url ?? '');
}

/** How many are answered a millisecond: in the best half second of the last four. */
class AnswerRate {
  private readonly answered = new Float64Array(kept);
  /** Answered in the best half second that is over, as far back as is looked. */
  private mostBefore = 0;
  private slice: number;
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
    this.slice = Math.floor(now() / sliceMs);
  }

  note(): void {
    this.turn();
    const at = this.slice % kept;
    this.answered[at] = (this.answered[at] ?? 0) + 1;
  }

  best(): number {
    this.turn();
    return Math.max(this.mostBefore, this.until(this.slice)) / (slices * sliceMs);
  }

  private turn(): void {
    const current = Math.floor(this.now() / sliceMs);
    if (current <= this.slice) return;
    for (let at = Math.max(this.slice + 1, current - kept + 1); at <= current; at += 1)
      this.answered[at % kept] = 0;
    this.slice = current;
    this.mostBefore = 0;
    for (let end = current - kept + slices; end <= current; end += 1)
      this.mostBefore = Math.max(this.mostBefore, this.until(end));
  }

  /** Answered in the half second that ends with this slice. */
  private until(end: number): number {
    let total = 0;
    for (let at = end - slices + 1; at <= end; at += 1) total += this.answered[at % kept] ?? 0;
    return total;
  }
}

/**
 * What was answered lately is not what can be answered now: a machine whose cores others took makes
 * a tenth of it for a while. Who waits too long then shows it, and fewer are let in; once nobody
 * does, more are again, up to what the rate allows.
 */
class WaitLimit {
  private readonly now: () => number;
  private readonly mostMs: number;
  private limit = Infinity;
  private longest = 0;
  private slice = 0;

  constructor(now: () => number, mostMs: number) {
    this.now = now;
    this.mostMs = mostMs;
  }

  note(ms: number): void {
    if (ms > this.longest) this.longest = ms;
  }

  of(most: number): number {
    const current = Math.floor(this.now() / sliceMs);
    if (current > this.slice) this.turn(current, most);
    return Math.min(most, this.limit);
  }

  private turn(current: number, most: number): void {
    const grown = this.limit * more ** (current - this.slice);
    if (this.longest > this.mostMs)
      this.limit = Math.max(alwaysAdmitted, Math.min(this.limit, most) * fewer);
    else this.limit = grown < most ? grown : Infinity;
    this.longest = 0;
    this.slice = current;
  }
}

/**
 * Turns requests away before anything is done for them, once those already taken would make them
 * wait too long: work that is answered after its caller gave up is work for nobody, and at twice
 * the capacity that is all of it. What is under way, divided by what was answered lately, is the
 * wait of one more. "Lately" is the best half second of four seconds: by the last alone, few let in
 * would make few answers, and those few let in again. Each caller may have its share of what is
 * admitted, so that one that floods does not take the place of the others.
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { queueMs, now = () => performance.now(), onShed, onParsedShed, callerOf } = options;
  const answers = new AnswerRate(now);
  let underWay = 0;
  const ofCaller = new Map<string, number>();

  const limit = new WaitLimit(now, queueMs * toleratedWait);
  const mostAdmitted = (): number => limit.of(Math.max(alwaysAdmitted, answers.best() * queueMs));

  function isAdmitted(caller: string): boolean {
    if (underWay < alwaysAdmitted) return true;
    const most = mostAdmitted();
    if (underWay < most) return true;
    const share = most / Math.max(1, ofCaller.size);
    return underWay < 2 * most && (ofCaller.get(caller) ?? 0) < share / 2;
  }

  function refuses(request: EarlyRequest): boolean {
    if (queueMs === 0 || underWay < alwaysAdmitted || isProbe(request)) return false;
    if (isAdmitted(callerOf(request))) return false;
    onShed?.();
    return true;
  }

  const front: Front = (request, response) => {
    if (queueMs === 0 || isProbe(request)) return false;
    const caller = callerOf(request);
    if (!isAdmitted(caller)) {
      onShed?.();
      shed(request, response);
      onParsedShed?.(request, response);
      return true;
    }
    let isCounted = false;
    const count = (): void => {
      isCounted = true;
      underWay += 1;
      ofCaller.set(caller, (ofCaller.get(caller) ?? 0) + 1);
    };
    // Who sends slowly, or never ends, is no work yet and must not take the place of others.
    if (hasBody(request)) request.once('end', count);
    else count();
    response.once('close', () => {
      request.removeListener('end', count);
      if (isCounted) {
        underWay -= 1;
        const left = (ofCaller.get(caller) ?? 1) - 1;
        if (left === 0) ofCaller.delete(caller);
        else ofCaller.set(caller, left);
      }
      // Who was turned away later was not answered either: counted, ever more would be let in.
      if (!response.writableFinished || response.statusCode === 503) return;
      answers.note();
    });
    return false;
  };
  return { front, refuses, waited: (ms) => limit.note(ms) };
}

/** Whether more than its head is to come. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function shed(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, shedHead).end(shedBody);
  // What was sent is read and forgotten, so that the connection can be used again.
  request.resume();
}
