import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.js';
import type { AdminToken } from '../platform/auth/admin-token.js';
import { type CommandStore, UsageError } from './command.js';
import { commands } from './commands.js';
import { describeFailure } from './describe-failure.js';
import type { Errand, ErrandLine } from './find-server.js';

const mostBytes = 1024 * 1024;

export interface Door {
  readonly address: string;
  close(): void;
}

/**
 * Where the command line of this machine has the running server do what it would else need the
 * store for. Only this machine reaches it, and of its users only those who can read the secret in
 * the data folder are answered.
 */
export async function openDoor(deps: {
  config: Config;
  adminToken: AdminToken;
  /** What the server has open; closing it is the server’s business. */
  store: Pick<CommandStore, 'db' | 'nodeDir' | 'settle'>;
  /** What this process remembers of accounts is as the command left it. */
  refresh: () => Promise<void>;
}): Promise<Door> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(204).end();
    const token = request.headers.authorization?.replace(/^Bearer /, '');
    if (!deps.adminToken.matches(token)) return void response.writeHead(401).end();
    readErrand(request).then(
      (errand) =>
        errand === null ? void response.writeHead(400).end() : runErrand(deps, errand, response),
      () => response.destroy(),
    );
  });
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Of several workers each has its own.
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve);
  });
  server.unref();
  // A TCP server that listens has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readErrand(request: IncomingMessage): Promise<Errand | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostBytes) return null;
    parts.push(part);
  }
  try {
    // Sent by who can read our secret: the command line of the same release.
    return JSON.parse(Buffer.concat(parts).toString()) as Errand;
  } catch {
    return null;
  }
}

async function runErrand(
  deps: Parameters<typeof openDoor>[0],
  { name, args, cwd, passphrase }: Errand,
  response: ServerResponse,
): Promise<void> {
  const tell = (line: ErrandLine): void => void response.write(`${JSON.stringify(line)}\n`);
  response.writeHead(200, { 'content-type': 'application/jsonl' });
  const { config, store } = deps;
  try {
    const listed = commands.find((one) => one.name === name && one.isErrand);
    if (listed === undefined) throw new UsageError(`a running server does not know "${name}"`);
    const command = await listed.load();
    const code = await command.run({
      args,
      environment: {},
      config: passphrase === '' ? config : { ...config, BACKUP_PASSPHRASE: passphrase },
      cwd,
      showProgress: null,
      print: (line) => tell({ line }),
      openStore: async () => ({ ...store, close: async () => undefined }),
    });
    await deps.refresh();
    tell({ code });
  } catch (error) {
    tell({ code: error instanceof UsageError ? 2 : 1, failure: describeFailure(error) });
  }
  response.end();
}
