import { connect, type Socket } from 'node:net';

/**
 * A caller that costs little: `node:http` as a client takes as much of a core as the server it asks,
 * and on a machine of two cores the server would be measured with what the caller leaves it. Sends
 * one request at a time on a connection, opens another when all are taken, and reads of an answer
 * its status and length alone.
 */
export interface LeanClient {
  /** The status of the answer; rejects when the connection breaks. */
  post(path: string, headers: string, payload: string): Promise<number>;
  close(): void;
}

interface Line {
  readonly socket: Socket;
  settle: { resolve(status: number): void; reject(error: Error): void } | null;
  /** Bytes of the present answer still to come; null while its head is read. */
  left: number | null;
  status: number;
  head: string;
}

export function createLeanClient(address: string): LeanClient {
  const { hostname, port, host } = new URL(address);
  const free: Line[] = [];
  const all = new Set<Line>();

  function open(): Line {
    const socket = connect(Number(port), hostname).setNoDelay(true);
    const line: Line = { socket, settle: null, left: null, status: 0, head: '' };
    all.add(line);
    socket.on('data', (data) => take(line, data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      all.delete(line);
      const at = free.indexOf(line);
      if (at >= 0) free.splice(at, 1);
      line.settle?.reject(new Error('the connection broke'));
      line.settle = null;
    });
    return line;
  }

  function take(line: Line, data: string): void {
    let size = data.length;
    if (line.left === null) {
      line.head += data;
      const end = line.head.indexOf('\r\n\r\n');
      if (end < 0) return;
      line.status = Number(line.head.slice(9, 12));
      line.left = Number(/content-length: (\d+)/i.exec(line.head.slice(0, end))?.[1] ?? 0);
      size = line.head.length - end - 4;
      line.head = '';
    }
    line.left -= size;
    if (line.left > 0) return;
    line.left = null;
    const { settle } = line;
    line.settle = null;
    if (!line.socket.destroyed) free.push(line);
    settle?.resolve(line.status);
  }

  return {
    post: (path, headers, payload) =>
      new Promise((resolve, reject) => {
        const line = free.pop() ?? open();
        line.settle = { resolve, reject };
        line.socket.write(
          `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${headers}content-length: ${Buffer.byteLength(payload)}\r\n\r\n${payload}`,
        );
      }),
    close: () => all.forEach(({ socket }) => socket.destroy()),
  };
}
