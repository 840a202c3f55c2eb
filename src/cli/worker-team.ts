import cluster, { type Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { newAdminSecret } from '../platform/auth/admin-token.js';
import { createStartingGate } from '../platform/http/starting-gate.js';
import type { Log } from '../platform/log.js';
import type { SeatNews, WorkerNews } from './worker-seat.js';

/** One that lived shorter than this before it died is started again only after a rest. */
const shortLifeMs = 30_000;
const longestRestMs = 30_000;
/** How often the first process looks who lives; workers tell it as often. */
const tickMs = 500;
/** Not heard of for so many looks: others are given what comes; then another takes its place. */
const silentTicks = 4;
const lostTicks = 120;
/** For the measurements of one that does not answer nobody waits longer. */
const measuringMs = 2_000;
/** A caller that waits for us to start says what it wants within this time. */
const startingCallerMs = 20_000;

interface Member {
  readonly worker: Worker;
  /** Sent to the worker and not confirmed yet; if it dies, another worker gets them. */
  readonly given: Map<number, Socket>;
  /** How often it was given a connection. */
  turns: number;
  takes: boolean;
  readonly seat: number;
  /** What it said of itself last, and how many looks ago. */
  canServe: boolean;
  silent: number;
  /** Asked what they measure. */
  readonly asked: Map<number, (text: string) => void>;
}

const isWell = ({ takes, canServe, silent }: Member): boolean =>
  takes && canServe && silent < silentTicks;

/**
 * The workers of this machine. A connection stays here until a worker has it, so that one that dies
 * takes with it only what it had begun to answer.
 */
export class Team {
  readonly #log: Log;
  readonly #address: string;
  readonly #onLastCall: () => void;
  readonly #adminSecret = newAdminSecret();
  readonly #starting = createStartingGate();
  readonly #members = new Set<Member>();
  readonly #of: number;
  readonly #ticking: NodeJS.Timeout;
  #told = '';
  #connections = 0;
  #isStopping = false;
  #hasServed = false;
  #onEmpty = (): void => undefined;
  #onFailed: (code: number) => void = () => undefined;
  /** Nobody ever served: the exit code of the one that should have. */
  readonly failed: Promise<number>;

  constructor(log: Log, options: { of: number; address: string; onLastCall: () => void }) {
    this.#log = log;
    this.#of = options.of;
    this.#ticking = setInterval(() => this.#tick(), tickMs).unref();
    this.#address = options.address;
    this.#onLastCall = options.onLastCall;
    this.failed = new Promise<number>((resolve) => {
      this.#onFailed = resolve;
    });
  }

  give(socket: Socket): void {
    // One that stands still or cannot do its work gets something only where nobody else is.
    const taking = [...this.#members].filter(({ takes }) => takes);
    const well = taking.filter(isWell);
    const [first, ...others] = well.length > 0 ? well : taking;
    if (first !== undefined) {
      const chosen = others.reduce((a, b) => (b.turns < a.turns ? b : a), first);
      return this.#hand(socket, chosen);
    }
    socket.setTimeout(startingCallerMs, () => socket.destroy());
    this.#starting.server.emit('connection', socket);
    socket.resume();
  }

  #hand(socket: Socket, member: Member): void {
    const id = (this.#connections += 1);
    member.turns += 1;
    member.given.set(id, socket);
    // A caller that hangs up before a worker has the connection is no error.
    socket.on('error', () => undefined);
    member.worker.send({ connection: id } satisfies SeatNews, socket, { keepOpen: true });
  }

  /**
   * Who is silent is passed over, then replaced: it may stand still for ever, and whoever watches
   * this machine is answered by the others. Counted in looks of our own, so that a machine that
   * slept blames nobody.
   */
  #tick(): void {
    for (const member of this.#members) {
      member.silent += 1;
      if (!member.takes || member.silent !== lostTicks) continue;
      const silentMs = lostTicks * tickMs;
      this.#log.warn({ seat: member.seat, silentMs }, 'worker does not answer: killed');
      member.worker.process.kill('SIGKILL');
    }
    this.#tellState();
  }

  #tellState(): void {
    const crew = { ready: [...this.#members].filter(isWell).length, of: this.#of };
    const text = JSON.stringify(crew);
    if (text === this.#told) return;
    this.#told = text;
    for (const member of this.#members) if (member.takes) this.#say(member, { crew });
  }

  #say({ worker }: Member, news: SeatNews): void {
    // One that has just ended is heard of by its exit.
    worker.send(news, () => undefined);
  }

  /** Resolves when somebody in this seat serves; should it die, another one takes the seat. */
  start(seat: number, deaths = 0): Promise<void> {
    return new Promise((resolve) => {
      const worker = cluster.fork();
      const member = newMember(worker, seat);
      const born = performance.now();
      this.#members.add(member);
      worker.on('message', (news: WorkerNews) => {
        this.#hear(member, news);
        if ('ready' in news) resolve();
      });
      const onEnd = (code: number | null, signal: string | null): void => {
        if (!this.#members.has(member)) return;
        this.#lose(member);
        if (this.#isStopping) return;
        if (!this.#hasServed) return this.#onFailed(code ?? 1);
        const quick = performance.now() - born < shortLifeMs ? deaths + 1 : 0;
        const restMs = quick === 0 ? 0 : Math.min(longestRestMs, 250 * 2 ** (quick - 1));
        this.#log.warn({ seat, code, signal, restMs }, 'worker ended; another takes its place');
        setTimeout(() => {
          if (!this.#isStopping) void this.start(seat, quick).then(resolve);
        }, restMs);
      };
      worker.once('exit', onEnd);
      worker.on('error', (error) => {
        this.#log.warn({ seat, error: error.message }, 'worker not told');
        // The system has no room for another process: there is none that could end.
        if (worker.process.pid === undefined) onEnd(1, null);
      });
    });
  }

  #hear(member: Member, news: WorkerNews): void {
    if ('taken' in news) {
      // Closes our end of it only: the worker has its own.
      member.given.get(news.taken)?.destroy();
      member.given.delete(news.taken);
    } else if ('ready' in news) {
      this.#joinIn(member);
      member.takes = this.#hasServed = true;
      // Also to the newcomer, who was not told before.
      this.#told = '';
      this.#tellState();
    } else if ('canServe' in news) {
      const wasWell = isWell(member);
      member.canServe = news.canServe;
      member.silent = 0;
      if (!wasWell) this.#joinIn(member);
      this.#tellState();
    } else if ('waitsFor' in news) this.#starting.waitFor(news.waitsFor);
    else if ('measured' in news) {
      member.asked.get(news.measured)?.(news.text);
      member.asked.delete(news.measured);
    } else this.#answer(member, news.asks);
  }

  /** Takes its turn with the others and is not given all that comes at first. */
  #joinIn(member: Member): void {
    member.turns = Math.max(0, ...[...this.#members].map(({ turns }) => turns));
  }

  #answer(member: Member, asks: 'seat' | 'no more' | 'measurements'): void {
    if (asks === 'seat') {
      const isFirst = !this.#hasServed;
      const { seat } = member;
      this.#say(member, {
        seat,
        adminSecret: this.#adminSecret,
        address: this.#address,
        isFirst,
      });
    } else if (asks === 'measurements')
      void this.#measure().then((measured) => this.#say(member, { measured }));
    else {
      member.takes = false;
      if (this.#isStopping) this.#onLastCall();
      this.#say(member, { last: true });
    }
  }

  /** What every worker measures; one that does not answer in time is left out. */
  async #measure(): Promise<Record<string, string>> {
    const id = (this.#connections += 1);
    const texts: Record<string, string> = {};
    const asked = [...this.#members].filter(isWell).map(
      (member) =>
        new Promise<void>((resolve) => {
          member.asked.set(id, (text) => {
            texts[String(member.seat + 1)] = text;
            resolve();
          });
          this.#say(member, { measure: id });
        }),
    );
    await Promise.race([Promise.all(asked), sleep(measuringMs, undefined, { ref: false })]);
    for (const member of this.#members) member.asked.delete(id);
    return texts;
  }

  #lose(member: Member): void {
    this.#members.delete(member);
    this.#tellState();
    for (const socket of member.given.values()) this.give(socket);
    if (this.#members.size === 0) this.#onEmpty();
  }

  /** Resolves when all have ended. */
  stop(signal: NodeJS.Signals): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#ticking);
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      for (const { worker, takes } of this.#members)
        // One that still starts hears no words.
        if (takes) worker.send({ stop: signal } satisfies SeatNews);
        else worker.process.kill(signal);
      if (this.#members.size === 0) resolve();
    });
  }

  kill(): void {
    this.#isStopping = true;
    for (const { worker } of this.#members) worker.process.kill('SIGKILL');
  }
}

function newMember(worker: Worker, seat: number): Member {
  return {
    worker,
    seat,
    given: new Map(),
    asked: new Map(),
    turns: 0,
    takes: false,
    canServe: true,
    silent: 0,
  };
}
