import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to PostgreSQL that writes down what is asked on it. */
export interface StatementTap {
  readonly url: string;
  readonly statements: ReadonlySet<string>;
  close(): Promise<void>;
}

export async function openStatementTap(url: string): Promise<StatementTap> {
  const target = new URL(url);
  const statements = new Set<string>();
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const read = createReader((text) => statements.add(text));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => from.destroy());
      from.on('close', () => (to.destroy(), sockets.delete(from)));
      from.on('data', (bytes) => to.write(bytes));
    }
    near.on('data', read);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const through = new URL(url);
  through.port = String(address.port);
  return {
    url: through.href,
    statements,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Messages of a client: first one without a type, then a letter and a length each. */
function createReader(onStatement: (text: string) => void): (bytes: Buffer) => void {
  let kept = Buffer.alloc(0);
  let isGreeted = false;
  return (bytes) => {
    kept = Buffer.concat([kept, bytes]);
    for (;;) {
      const head = isGreeted ? 1 : 0;
      if (kept.length < head + 4) return;
      const length = head + kept.readInt32BE(head);
      if (kept.length < length) return;
      const message = kept.subarray(head + 4, length);
      const kind = isGreeted ? String.fromCharCode(kept[0] ?? 0) : '';
      // The version of the protocol; anything else first asks whether the way may be encrypted.
      if (!isGreeted) isGreeted = message.readInt32BE(0) === 196_608;
      if (kind === 'Q') onStatement(textUntilZero(message));
      if (kind === 'P') onStatement(textUntilZero(message.subarray(message.indexOf(0) + 1)));
      kept = kept.subarray(length);
    }
  };
}

function textUntilZero(bytes: Buffer): string {
  return bytes.toString('utf8', 0, bytes.indexOf(0));
}
