import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a database that can be silent, lossy, closed, or lead elsewhere. */
export interface Way {
  readonly url: string;
  /** Nothing is closed and nothing arrives any more. */
  silence(): void;
  /**
   * So many of a hundred pieces come late by as long as TCP takes to send them again, and hold up
   * what follows: what packet loss looks like from above.
   */
  lose(percent: number): void;
  /** New connections work; those that fell silent never do. */
  restore(): void;
  leadTo(url: string): void;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
  isCut: boolean;
}

export async function openWay(url: string): Promise<Way> {
  let target = new URL(url);
  let isSilent = false;
  let percent = 0;
  const pairs = new Set<Pair>();
  const ignored = new Set<Socket>();

  function forward(pair: Pair, from: Socket, to: Socket): void {
    // In a line: a timer that fires late on a busy machine must not let later pieces pass.
    const held: { bytes: Buffer; due: number }[] = [];
    const release = (): void => {
      for (let next = held[0]; next !== undefined; next = held[0]) {
        const wait = next.due - performance.now();
        if (wait > 0) return void setTimeout(release, wait);
        held.shift();
        if (!pair.isCut && to.writable) to.write(next.bytes);
      }
    };
    from.on('data', (bytes: Buffer) => {
      if (pair.isCut) return;
      // Retransmission begins after 200 ms and doubles.
      let late = 0;
      for (let wait = 200; Math.random() * 100 < percent && late < 2000; wait *= 2) late += wait;
      held.push({ bytes, due: performance.now() + late });
      if (held.length === 1) release();
    });
    from.on('close', () => !pair.isCut && to.destroy());
  }

  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (isSilent) return void ignored.add(near.pause());
    const far = connect(Number(target.port), target.hostname);
    far.on('error', () => far.destroy());
    const pair = { near, far, isCut: false };
    pairs.add(pair);
    forward(pair, near, far);
    forward(pair, far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const through = new URL(url);
  through.port = String(address.port);
  return {
    url: through.href,
    silence() {
      isSilent = true;
      for (const pair of pairs) pair.isCut = true;
    },
    lose(given) {
      percent = given;
    },
    restore() {
      isSilent = false;
      percent = 0;
      for (const pair of pairs) if (pair.isCut) pair.far.destroy();
    },
    leadTo(other) {
      target = new URL(other);
      for (const { far } of pairs) far.destroy();
    },
    async close() {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
      for (const socket of ignored) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
