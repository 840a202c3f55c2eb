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
export function createTeam(
  log: Log,
  { address, onLastCall }: { address: string; onLastCall: () => void },
) {
  const adminSecret = newAdminSecret();
  const starting = createStartingGate();
  const members = new Set<Member>();
  let connections = 0;
  let isStopping = false;
  let hasServed = false;
  let onEmpty = (): void => undefined;
  let onFailed: (code: number) => void;
  /** Nobody ever served: the exit code of the one that should have. */
  const failed = new Promise<number>((resolve) => {
    onFailed = resolve;
  });

  function give(socket: Socket): void {
    let chosen: Member | null = null;
    for (const member of members)
      if (member.takes && (chosen === null || member.turns < chosen.turns)) chosen = member;
    if (chosen !== null) return hand(socket, chosen);
    socket.setTimeout(startingCallerMs, () => socket.destroy());
    starting.server.emit('connection', socket);
    socket.resume();
  }

  function hand(socket: Socket, member: Member): void {
    const id = (connections += 1);
    member.turns += 1;
    member.given.set(id, socket);
    // A caller that hangs up before a worker has the connection is no error.
    socket.on('error', () => undefined);
    member.worker.send({ connection: id } satisfies SeatNews, socket, { keepOpen: true });
  }

  /** Resolves when somebody in this seat serves; should it die, another one takes the seat. */
  function start(seat: number, deaths = 0): Promise<void> {
    return new Promise((resolve) => {
      const worker = cluster.fork();
      const member: Member = { worker, given: new Map(), turns: 0, takes: false };
      const born = performance.now();
      members.add(member);
      const say = (news: SeatNews): void => void worker.send(news);
      worker.on('error', (error) => log.warn({ seat, error: error.message }, 'worker not told'));
      worker.on('message', (news: WorkerNews) => {
        if ('taken' in news) {
          // Closes our end of it only: the worker has its own.
          member.given.get(news.taken)?.destroy();
          member.given.delete(news.taken);
        } else if ('ready' in news) {
          // A newcomer takes its turn with the others and is not given all that comes at first.
          member.turns = Math.max(0, ...[...members].map(({ turns }) => turns));
          member.takes = hasServed = true;
          resolve();
        } else if (news.asks === 'seat') {
          say({ seat, adminSecret, address, isFirst: !hasServed });
        } else {
          member.takes = false;
          if (isStopping) onLastCall();
          say({ last: true });
        }
      });
      worker.once('exit', (code, signal) => {
        members.delete(member);
        for (const socket of member.given.values()) give(socket);
        if (members.size === 0) onEmpty();
        if (isStopping) return;
        if (!hasServed) return onFailed(code ?? 1);
        const quick = performance.now() - born < shortLifeMs ? deaths + 1 : 0;
        const restMs = quick === 0 ? 0 : Math.min(longestRestMs, 250 * 2 ** (quick - 1));
        log.warn({ seat, code, signal, restMs }, 'worker ended; another takes its place');
        setTimeout(() => {
          if (!isStopping) void start(seat, quick).then(resolve);
        }, restMs);
      });
    });
  }

  return {
    start,
    give,
    failed,
    /** Resolves when all have ended. */
    stop(signal: NodeJS.Signals): Promise<void> {
      isStopping = true;
      return new Promise((resolve) => {
        onEmpty = resolve;
        for (const { worker, takes } of members)
          // One that still starts hears no words.
          if (takes) worker.send({ stop: signal } satisfies SeatNews);
          else worker.process.kill(signal);
        if (members.size === 0) resolve();
      });
    },
    kill(): void {
      isStopping = true;
      for (const { worker } of members) worker.process.kill('SIGKILL');
    },
  };
}
