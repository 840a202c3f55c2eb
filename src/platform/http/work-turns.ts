import type { IncomingMessage, RequestListener } from 'node:http';
import { hasBody, isProbe } from './admission.js';
import type { Front } from './create-http-app.js';
import { hostOfPath } from './host-of-path.js';

/** How long one round of the event loop may be spent on requests that just came. */
const sliceMs = 5;
/**
 * The same of what waits in line, at least; and at most, where turning others away took as long. A
 * crowd is turned away before anybody of the line is answered: however large it is, half of the
 * time belongs to those who were let in. Answers that end in between are the line's own time: were
 * they counted, longer rounds would make longer rounds, and probes wait for them.
 */
const lineMs = 8;
const mostLineMs = 40;
/**
 * How many connections are taken one after another while the line stands: about as much work as it
 * does then. With less a crowd is taken more slowly than it comes, and the system, which keeps a
 * bounded number at the door, leaves the rest to knock again after a second. They are counted, not
 * timed: a process that gets a sixth of a core takes a sixth of them in the same time, and those
 * at the door wait six times as long. The clock ends it only where a round takes longer than any
 * work of ours does: those in line have been waiting, too.
 */
const mostTaken = 64;
const mostStoodMs = 250;
/** How long it goes on then: as long as it stood, but those at the door wait again. */
const mostAfterMs = 120;
/**
 * How many of the line may begin in one round, however short they are; and for how many callbacks
 * are made at least. More are made where more began in the last one: each that finds the round over
 * costs a little, and a round with room for twenty had a line of 256.
 */
const mostInRound = 256;
const leastInRound = 32;
/** How many that waited too long are told so at once: little work each. */
const mostExpired = 256;
/** When the line ends of a round in which nobody begins any more. */
const over = -Infinity;

/**
 * Lets work begin in turns. Everything that is ready when the event loop looks would else be done in
 * one go, and a probe that comes a moment later would wait for all of it: hundreds of requests of a
 * millisecond each. What finds the loop free begins at once; the rest waits in line, a few
 * milliseconds' worth a round, so that in between probes are answered and what is too much is turned
 * away. Each of the line begins in a callback of its own: what it promised for later is then done
 * before the next one begins, and counts.
 */
export interface WorkTurns {
  /**
   * Calls at once or when it is its turn, with how long that took. There are two lines, and their
   * heads take turns: whoever edits a campaign does not wait behind a thousand ads.
   */
  run(work: (waitedMs: number) => void, line?: LineName, expires?: Expires): void;
  /**
   * A connection was taken. The event loop takes one a round: with rounds full of work a crowd of
   * new callers would wait at the door for seconds, where nobody sees it. While they come, the line
   * stands for a moment.
   */
  connected(): void;
  /** So long was spent on those who are turned away. */
  turnedAway(ms: number): void;
}

export type LineName = 'traffic' | 'people';

/** Who must not wait longer than `mostWaitMs` is told so as soon as that is over, whoever is first. */
export type Expires = 'expires' | 'waits';

interface Waiting {
  readonly work: (waitedMs: number) => void;
  readonly since: number;
  readonly expires: Expires;
}

export interface TurnOptions {
  now?: () => number;
  nextRound?: (work: () => void) => void;
  mostWaitMs?: number;
  /** Told how long each of the traffic waited. */
  onWaited?: (ms: number) => void;
}

/** Those who wait, first come first. */
class Line {
  private readonly waiting: (Waiting | undefined)[] = [];
  private first = 0;

  get length(): number {
    return this.waiting.length - this.first;
  }

  get head(): Waiting | undefined {
    return this.waiting[this.first];
  }

  push(waiting: Waiting): void {
    this.waiting.push(waiting);
  }

  shift(): Waiting | undefined {
    const head = this.waiting[this.first];
    if (head === undefined) return undefined;
    this.waiting[this.first] = undefined;
    this.first += 1;
    // Cut now and then: taking the head off each time would move all the others.
    if (this.first === this.waiting.length || this.first >= 1024) {
      this.waiting.splice(0, this.first);
      this.first = 0;
    }
    return head;
  }
}

/** How long the line may go on in a round of the loop. */
class LineShare {
  /** Spent on turning others away since the line went on last. */
  private awayMs = 0;
  private hasConnected = false;
  /** How many were taken since the line stands. */
  private taken = 0;
  /** Since when connections were taken in every round, with the line standing. */
  private standsSince: number | null = null;
  /** How long it goes on in the next round, having stood long enough. */
  private afterMs: number | null = null;

  /** Whether nobody of the line began in the last round, nor will where one more connects. */
  get stands(): boolean {
    return this.standsSince !== null;
  }

  /** Whether it stood, and goes on in the next round for as long as that took. */
  get isOwed(): boolean {
    return this.afterMs !== null;
  }

  connected(): void {
    this.hasConnected = true;
  }

  turnedAway(ms: number): void {
    this.awayMs += ms;
  }

  at(now: number): number {
    const after = this.afterMs;
    this.afterMs = null;
    if (after === null && this.hasConnected) return this.whileTheyCome(now);
    const stood = after === null && this.stands;
    this.hasConnected = false;
    this.standsSince = null;
    this.taken = 0;
    const share = after ?? Math.min(Math.max(lineMs, this.awayMs), mostLineMs);
    this.awayMs = 0;
    if (!stood) return share;
    // It has one callback in this round. It goes on in the next, whoever connects then: with one
    // who does in every second round the line would else have one callback in two.
    this.afterMs = share;
    return 0;
  }

  private whileTheyCome(now: number): number {
    this.hasConnected = false;
    this.standsSince ??= now;
    this.taken += 1;
    const stood = now - this.standsSince;
    if (this.taken < mostTaken && stood < mostStoodMs) return 0;
    this.standsSince = null;
    this.taken = 0;
    this.afterMs = Math.min(Math.max(lineMs, stood), mostAfterMs);
    return 0;
  }
}

/** Both lines, whose heads take turns. */
class Lines {
  private readonly lines: Record<LineName, Line> = { traffic: new Line(), people: new Line() };
  /** Whose head goes next, if anybody stands there. */
  private turn: LineName = 'people';
  private readonly options: TurnOptions;

  constructor(options: TurnOptions) {
    this.options = options;
  }

  get length(): number {
    return this.lines.traffic.length + this.lines.people.length;
  }

  push(line: LineName, waiting: Waiting): void {
    this.lines[line].push(waiting);
  }

  /** Before anybody begins: in their turn each would take the place of one that is still waited for. */
  expire(at: number): void {
    const { traffic } = this.lines;
    const { mostWaitMs = Infinity, onWaited } = this.options;
    for (let count = 0; count < mostExpired; count += 1) {
      const { head } = traffic;
      if (head === undefined || head.expires === 'waits' || at - head.since <= mostWaitMs) return;
      traffic.shift();
      onWaited?.(at - head.since);
      head.work(at - head.since);
    }
  }

  begin(at: number): void {
    const { turn, lines } = this;
    const other = turn === 'people' ? 'traffic' : 'people';
    const own = lines[turn].shift();
    const head = own ?? lines[other].shift();
    if (head === undefined) return;
    const isTraffic = (turn === 'traffic') === (own !== undefined);
    this.turn = other;
    if (isTraffic) this.options.onWaited?.(at - head.since);
    head.work(at - head.since);
  }
}

export function createWorkTurns(options: TurnOptions = {}): WorkTurns {
  const { now = () => performance.now(), nextRound = setImmediate } = options;
  const lines = new Lines(options);
  const share = new LineShare();
  /** When work began in this round of the loop; null before any did. */
  let began: number | null = null;
  /** Until when the line may go on in this round; null before it began. */
  let lineEnds: number | null = null;
  /** Callbacks of the line still to come. */
  let planned = 0;
  /** How many began in this round, and in the last in which any did. */
  let begun = 0;
  let lastBegun = 0;

  function plan(at: number): void {
    began = at;
    const usual = Math.min(mostInRound, Math.max(leastInRound, 2 * lastBegun));
    const most = share.isOwed ? mostInRound : usual;
    // One look says whether the line still stands. A callback for each who waits made every
    // connection that is taken dearer than its refusal.
    planned = share.stands ? 1 : Math.max(1, Math.min(lines.length, most));
    for (let count = 0; count < planned; count += 1) nextRound(step);
  }

  function step(): void {
    planned -= 1;
    lineEnds ??= openRound();
    if (lineEnds !== over && lines.length > 0) {
      const at = now();
      if (at >= lineEnds) lineEnds = over;
      else {
        begun += 1;
        lines.begin(at);
      }
    }
    if (planned === 0) endRound();
  }

  function openRound(): number {
    lines.expire(now());
    const at = now();
    const ms = share.at(at);
    return ms === 0 ? over : at + ms;
  }

  function endRound(): void {
    if (begun > 0) lastBegun = begun;
    begun = 0;
    began = null;
    lineEnds = null;
    if (lines.length > 0) plan(now());
  }

  return {
    run(work, line = 'traffic', expires = 'waits') {
      const at = now();
      if (began === null) plan(at);
      if (lines.length === 0 && at - (began ?? at) < sliceMs) work(0);
      else lines.push(line, { work, since: at, expires });
    },
    connected: () => share.connected(),
    turnedAway: (ms) => share.turnedAway(ms),
  };
}

/** People and their programs, who manage something, or the traffic they manage it for. */
export function lineOf({ url }: Pick<IncomingMessage, 'url'>): LineName {
  return hostOfPath(url ?? '') === 'platform' ? 'people' : 'traffic';
}

/**
 * Hands requests on in turns, but for probes, and for those whose body is still to be read: their
 * work begins when it is there.
 */
export function inTurns(
  turns: WorkTurns,
  before: readonly Front[],
  answer: RequestListener,
): RequestListener {
  return (request, response) => {
    if (before.some((refuses) => refuses(request, response))) return;
    if (isProbe(request) || hasBody(request)) return answer(request, response);
    turns.run(() => {
      // Who left meanwhile waits for nothing.
      if (!response.destroyed) answer(request, response);
    }, lineOf(request));
  };
}
