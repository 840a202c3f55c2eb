import pg from 'pg';
import type { Database } from './db.js';

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 10_000;

/**
 * LISTEN on a connection of its own, reconnected for ever. What was notified while it was away is
 * lost, so after a
 * reconnect every handler is called with an empty payload: "something may have changed, look
 * yourself".
 */
export function serverListener(
  connection: pg.ClientConfig,
  onError: (error: Error) => void,
): Pick<Database, 'listen' | 'close'> {
  const handlers = new Map<string, Set<(payload: string) => void>>();
  let client: Promise<pg.Client> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;
  let closed = false;

  const connect = async (): Promise<pg.Client> => {
    const fresh = new pg.Client(connection);
    fresh.on('error', onError);
    fresh.on('notification', ({ channel, payload }) =>
      handlers.get(channel)?.forEach((handle) => handle(payload ?? '')),
    );
    await fresh.connect();
    for (const channel of handlers.keys())
      await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
    fresh.once('end', () => {
      client = undefined;
      scheduleReconnect();
    });
    retryMs = FIRST_RETRY_MS;
    return fresh;
  };

  const reconnect = (): void => {
    client = connect();
    client.then(
      () => handlers.forEach((set) => set.forEach((handle) => handle(''))),
      (error: Error) => {
        client = undefined;
        onError(error);
        scheduleReconnect();
      },
    );
  };

  const scheduleReconnect = (): void => {
    if (closed || handlers.size === 0 || retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      reconnect();
    }, retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  };

  const current = async (): Promise<pg.Client> => {
    client ??= connect().catch((error: unknown) => {
      client = undefined;
      throw error;
    });
    return client;
  };

  return {
    listen: async (channel, onPayload) => {
      const set = handlers.get(channel) ?? new Set();
      // Its own function, so that subscribing the same callback twice gives two independent
      // subscriptions.
      const handle = (payload: string) => onPayload(payload);
      handlers.set(channel, set.add(handle));
      try {
        await (await current()).query(`listen ${pg.escapeIdentifier(channel)}`);
      } catch (error) {
        set.delete(handle);
        throw error;
      }
      return async () => {
        set.delete(handle);
        if (set.size > 0 || closed) return;
        handlers.delete(channel);
        await (await client)?.query(`unlisten ${pg.escapeIdentifier(channel)}`);
      };
    },
    close: async () => {
      closed = true;
      clearTimeout(retry);
      const last = await client?.catch(() => undefined);
      await last?.end();
    },
  };
}
