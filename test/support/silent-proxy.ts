import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that can go silent: nothing is closed and nothing arrives any more. */
export interface SilentProxy {
  /** The address given, through this way. */
  readonly url: string;
  silence(): void;
  /** Only the connections there are fall silent; new ones work. */
  cutAll(): void;
  /** New connections are closed at once, as where no server runs. */
  refuse(): void;
  /** New connections work again; those that fell silent never do. */
  restore(): void;
  close(): Promise<void>;
}

export async function startSilentProxy(url: string): Promise<SilentProxy> {
  const target = new URL(url);
  const pairs = new Set<{ near: Socket; far: Socket; isCut: boolean }>();
  const silenced = new Set<Socket>();
  let isSilent = false;
  let isRefusing = false;
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (isRefusing) return void near.destroy();
    if (isSilent) {
      // Taken by the kernel and read by nobody.
      silenced.add(near.pause());
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    far.on('error', () => far.destroy());
    const pair = { near, far, isCut: false };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => !pair.isCut && to.write(bytes));
      from.on('close', () => !pair.isCut && to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const through = new URL(url);
  through.port = String(address.port);
  const cutAll = (): void => {
    for (const pair of pairs) pair.isCut = true;
  };
  return {
    url: through.href,
    cutAll,
    silence() {
      isSilent = true;
      cutAll();
    },
    refuse() {
      isRefusing = true;
    },
    restore() {
      isSilent = false;
      isRefusing = false;
      for (const pair of pairs) if (pair.isCut) pair.far.destroy();
    },
    async close() {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
      for (const socket of silenced) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
