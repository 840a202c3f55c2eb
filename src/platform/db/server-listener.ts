import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { measureAhead } from '../clock.js';
import { type ConnectionWatch, cutConnection, processOf } from './connection-watch.js';
import type { Contact, Database } from './db.js';
import { sqlState } from './session-db.js';

export interface ListenerOptions {
  connection: pg.ClientConfig;
  /** As measured when the database was opened. */
  clockAheadMs: number;
  /** After so long without an answer the database is away; may change while it runs. */
  silenceMs: () => number;
  watch: ConnectionWatch;
  onError: (error: Error) => void;
  onAway: (reason: Error) => void;
  /** Told once for each subscription that has to wait for an answer. */
  onLate: (reason: Error) => void;
}

const reconnectMs = 200;
const mostBeatMs = 1_000;

type Listener = Pick<Database, 'listen' | 'close'> & { contact: Contact };

/**
 * LISTEN on a connection of its own, which is also how we know that the database is there: it is
 * asked all the time, and what does not answer twice is away, whether or not anybody closed a
 * connection. Reconnected for ever. What was notified meanwhile is lost, so after a reconnect every
 * handler is called with an empty payload: "something may have changed, look yourself".
 */
export function serverListener(options: ListenerOptions): Listener {
  const { connection, silenceMs, watch, onError } = options;
  // Asked, not answered, connected again, not answered: together less than `silenceMs`.
  const beatMs = (): number => Math.min(mostBeatMs, silenceMs() * 0.2);
  const answerMs = (): number => silenceMs() * 0.3;
  const handlers = new Map<string, Set<(payload: string) => void>>();
  const contact = {
    isAway: false,
    heardAt: performance.now(),
    epoch: 0,
    clockAheadMs: options.clockAheadMs,
  };
  let client: Promise<pg.Client> | undefined;
  let newest: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> | undefined;
  let suspects = new Set<number>();
  let closed = false;

  const ask = (asked: pg.Client, text: string, values: unknown[] = []): Promise<pg.QueryResult> =>
    inTime(asked.query(text, values), answerMs()).catch((error: unknown) => {
      cutConnection(asked);
      if (newest === asked) client = undefined;
      throw error;
    });

  const connect = async (): Promise<pg.Client> => {
    // Not the driver's own time limit, which ends what a busy process has only not read yet.
    const fresh = new pg.Client({ ...connection, connectionTimeoutMillis: 0 });
    newest = fresh;
    fresh.on('error', onError);
    fresh.on('notification', ({ channel, payload }) =>
      handlers.get(channel)?.forEach((handle) => handle(payload ?? '')),
    );
    await inTime(fresh.connect(), answerMs()).catch((error: unknown) => {
      cutConnection(fresh);
      throw error;
    });
    for (const channel of handlers.keys())
      await ask(fresh, `listen ${pg.escapeIdentifier(channel)}`);
    fresh.once('end', () => {
      // One that was cut may say so after the next one is there.
      if (newest !== fresh) return;
      client = undefined;
      beatLater(Math.min(reconnectMs, beatMs()));
    });
    contact.epoch += 1;
    heard();
    if (contact.epoch > 1) handlers.forEach((set) => set.forEach((handle) => handle('')));
    return fresh;
  };

  const current = (): Promise<pg.Client> => {
    if (client !== undefined) return client;
    const connecting: Promise<pg.Client> = connect().catch((error: unknown) => {
      if (client === connecting) client = undefined;
      throw error;
    });
    return (client = connecting);
  };

  function heard(): void {
    contact.heardAt = performance.now();
    contact.isAway = false;
  }

  async function askOnce(): Promise<void> {
    const asked = await current();
    const owing = watch.owing(silenceMs() / 2);
    const sent = Date.now();
    const { rows } = await ask(asked, PULSE, [owing]);
    const [answer] = rows as [{ now: number; self: number; idle: number[] }];
    contact.clockAheadMs = measureAhead(contact.clockAheadMs, sent, answer.now, Date.now());
    heard();
    // A pooler in between makes up numbers of processes; then only silence of all is told.
    const idle = new Set(answer.self === processOf(asked) ? answer.idle : []);
    // Twice, because an answer may be on its way.
    watch.sever(new Set([...idle].filter((process) => suspects.has(process))));
    suspects = idle;
  }

  async function beat(): Promise<void> {
    try {
      await askOnce().catch(askOnce);
    } catch (cause) {
      if (closed) return;
      const reason = cause instanceof Error ? cause : new Error(String(cause));
      onError(reason);
      contact.isAway = true;
      options.onAway(reason);
    }
  }

  /** A server that is slow to answer is waited for; one that refuses is not. */
  async function subscribe(channel: string): Promise<void> {
    for (let isTold = false; ; isTold = true)
      try {
        await ask(await current(), `listen ${pg.escapeIdentifier(channel)}`);
        return;
      } catch (error) {
        if (closed || sqlState(error) !== undefined) throw error;
        const reason = error instanceof Error ? error : new Error(String(error));
        if (isTold) onError(reason);
        else options.onLate(reason);
        await sleep(reconnectMs);
      }
  }

  function beatLater(ms: number): void {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(() => {
      beating ??= beat().finally(() => {
        beating = undefined;
        beatLater(beatMs());
      });
    }, ms);
    // Whoever listens wants to be reconnected; nobody else is kept waiting.
    if (handlers.size === 0) timer.unref();
  }
  beatLater(beatMs());

  return {
    contact,
    listen: async (channel, onPayload) => {
      const set = handlers.get(channel) ?? new Set();
      // Its own function, so that subscribing the same callback twice gives two independent
      // subscriptions.
      const handle = (payload: string) => onPayload(payload);
      handlers.set(channel, set.add(handle));
      try {
        await subscribe(channel);
      } catch (error) {
        set.delete(handle);
        throw error;
      }
      return async () => {
        set.delete(handle);
        if (set.size > 0 || closed) return;
        handlers.delete(channel);
        const listening = await client?.catch(() => undefined);
        // Without a connection there is nothing to take back.
        if (listening !== undefined)
          await ask(listening, `unlisten ${pg.escapeIdentifier(channel)}`).catch(onError);
      };
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      const last = await client?.catch(() => undefined);
      if (last !== undefined) await inTime(last.end(), answerMs()).catch(() => cutConnection(last));
      else if (newest !== undefined) cutConnection(newest);
      await beating;
    },
  };
}

/** Its clock, and which of the processes that owe us an answer have nothing to do. */
const PULSE = `
  select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
    pg_backend_pid() as self,
    array(
      select owing
      from unnest($1::int[]) owing
      left join pg_stat_activity activity on activity.pid = owing
      where activity.pid is null or activity.state like 'idle%'
    ) as idle`;

/** Fails when the work takes longer. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(new Error(`no answer within ${ms} ms`));
    // What arrived while this process was busy is read first.
    timer = setTimeout(() => setImmediate(() => setImmediate(fail)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
