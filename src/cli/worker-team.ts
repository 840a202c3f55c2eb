import cluster, { type Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import { newAdminSecret } from '../platform/auth/admin-token.js';
import { createStartingGate } from '../platform/http/starting-gate.js';
import type { Log } from '../platform/log.js';
import type { SeatNews, WorkerNews } from './worker-seat.js';

/** One that lived shorter than this before it died is started again only after a rest. */
const shortLifeMs = 30_000;
const longestRestMs = 30_000;
/** A caller that waits for us to start says what it wants within this time. */
const startingCallerMs = 20_000;

interface Member {
  readonly worker: Worker;
  /** Sent to the worker and not confirmed yet; if it dies, another worker gets them. */
  readonly given: Map<number, Socket>;
  /** How often it was given a connection. */
  turns: number;
  takes: boolean;
}

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
  #connections = 0;
  #isStopping = false;
  #hasServed = false;
  #onEmpty = (): void => undefined;
  #onFailed: (code: number) => void = () => undefined;
  /** Nobody ever served: the exit code of the one that should have. */
  readonly failed: Promise<number>;

  constructor(log: Log, options: { address: string; onLastCall: () => void }) {
    this.#log = log;
    this.#address = options.address;
    this.#onLastCall = options.onLastCall;
    this.failed = new Promise<number>((resolve) => {
      this.#onFailed = resolve;
    });
  }

  give(socket: Socket): void {
    let chosen: Member | null = null;
    for (const member of this.#members)
      if (member.takes && (chosen === null || member.turns < chosen.turns)) chosen = member;
    if (chosen !== null) return this.#hand(socket, chosen);
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

  /** Resolves when somebody in this seat serves; should it die, another one takes the seat. */
  start(seat: number, deaths = 0): Promise<void> {
    return new Promise((resolve) => {
      const worker = cluster.fork();
      const member: Member = { worker, given: new Map(), turns: 0, takes: false };
      const born = performance.now();
      this.#members.add(member);
      worker.on('error', (error) =>
        this.#log.warn({ seat, error: error.message }, 'worker not told'),
      );
      worker.on('message', (news: WorkerNews) => {
        this.#hear(member, seat, news);
        if ('ready' in news) resolve();
      });
      worker.once('exit', (code, signal) => {
        this.#lose(member);
        if (this.#isStopping) return;
        if (!this.#hasServed) return this.#onFailed(code ?? 1);
        const quick = performance.now() - born < shortLifeMs ? deaths + 1 : 0;
        const restMs = quick === 0 ? 0 : Math.min(longestRestMs, 250 * 2 ** (quick - 1));
        this.#log.warn({ seat, code, signal, restMs }, 'worker ended; another takes its place');
        setTimeout(() => {
          if (!this.#isStopping) void this.start(seat, quick).then(resolve);
        }, restMs);
      });
    });
  }

  #hear(member: Member, seat: number, news: WorkerNews): void {
    const say = (told: SeatNews): void => void member.worker.send(told);
    if ('taken' in news) {
      // Closes our end of it only: the worker has its own.
      member.given.get(news.taken)?.destroy();
      member.given.delete(news.taken);
    } else if ('ready' in news) {
      // A newcomer takes its turn with the others and is not given all that comes at first.
      member.turns = Math.max(0, ...[...this.#members].map(({ turns }) => turns));
      member.takes = this.#hasServed = true;
    } else if (news.asks === 'seat') {
      const isFirst = !this.#hasServed;
      say({ seat, adminSecret: this.#adminSecret, address: this.#address, isFirst });
    } else {
      member.takes = false;
      if (this.#isStopping) this.#onLastCall();
      say({ last: true });
    }
  }

  #lose(member: Member): void {
    this.#members.delete(member);
    for (const socket of member.given.values()) this.give(socket);
    if (this.#members.size === 0) this.#onEmpty();
  }

  /** Resolves when all have ended. */
  stop(signal: NodeJS.Signals): Promise<void> {
    this.#isStopping = true;
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
