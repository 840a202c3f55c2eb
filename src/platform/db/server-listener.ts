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

/**
 * LISTEN on a connection of its own, which is also how we know that the database is there: it is
 * asked all the time, and what does not answer twice is away, whether or not anybody closed a
 * connection. Reconnected for ever. What was notified meanwhile is lost, so after a reconnect every
 * handler is called with an empty payload: "something may have changed, look yourself".
 */
export class ServerListener implements Pick<Database, 'listen' | 'close'> {
  readonly contact: { -readonly [Fact in keyof Contact]: Contact[Fact] };
  private readonly options: ListenerOptions;
  private readonly handlers = new Map<string, Set<(payload: string) => void>>();
  private client: Promise<pg.Client> | undefined;
  private newest: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> | undefined;
  /** Processes that owed us an answer and had nothing to do when last asked. */
  private suspects = new Set<number>();
  private isClosed = false;

  constructor(options: ListenerOptions) {
    this.options = options;
    this.contact = {
      isAway: false,
      heardAt: performance.now(),
      epoch: 0,
      clockAheadMs: options.clockAheadMs,
    };
    this.beatLater(this.beatMs());
  }

  async listen(channel: string, onPayload: (payload: string) => void) {
    const set = this.handlers.get(channel) ?? new Set();
    // Its own function, so that subscribing the same callback twice gives two independent
    // subscriptions.
    const handle = (payload: string): void => onPayload(payload);
    this.handlers.set(channel, set.add(handle));
    try {
      await this.subscribe(channel);
    } catch (error) {
      set.delete(handle);
      throw error;
    }
    return async (): Promise<void> => {
      set.delete(handle);
      if (set.size === 0 && !this.isClosed) await this.unsubscribe(channel);
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    const last = await this.client?.catch(() => undefined);
    if (last !== undefined)
      await inTime(last.end(), this.answerMs()).catch(() => cutConnection(last));
    else if (this.newest !== undefined) cutConnection(this.newest);
    await this.beating;
  }

  // Asked, not answered, connected again, not answered: together less than `silenceMs`.
  private beatMs(): number {
    return Math.min(mostBeatMs, this.options.silenceMs() * 0.2);
  }

  private answerMs(): number {
    return this.options.silenceMs() * 0.3;
  }

  /** A server that is slow to answer is waited for; one that refuses is not. */
  private async subscribe(channel: string): Promise<void> {
    for (let isTold = false; ; isTold = true)
      try {
        await this.ask(await this.current(), `listen ${pg.escapeIdentifier(channel)}`);
        return;
      } catch (error) {
        if (this.isClosed || sqlState(error) !== undefined) throw error;
        const reason = error instanceof Error ? error : new Error(String(error));
        if (isTold) this.options.onError(reason);
        else this.options.onLate(reason);
        await sleep(reconnectMs);
      }
  }

  private async unsubscribe(channel: string): Promise<void> {
    this.handlers.delete(channel);
    const listening = await this.client?.catch(() => undefined);
    // Without a connection there is nothing to take back.
    if (listening !== undefined)
      await this.ask(listening, `unlisten ${pg.escapeIdentifier(channel)}`).catch(
        this.options.onError,
      );
  }

  private current(): Promise<pg.Client> {
    if (this.client !== undefined) return this.client;
    const connecting: Promise<pg.Client> = this.connect().catch((error: unknown) => {
      if (this.client === connecting) this.client = undefined;
      throw error;
    });
    return (this.client = connecting);
  }

  private async connect(): Promise<pg.Client> {
    // Not the driver's own time limit, which ends what a busy process has only not read yet.
    const fresh = new pg.Client({ ...this.options.connection, connectionTimeoutMillis: 0 });
    this.newest = fresh;
    fresh.on('error', this.options.onError);
    fresh.on('notification', ({ channel, payload }) =>
      this.handlers.get(channel)?.forEach((handle) => handle(payload ?? '')),
    );
    await inTime(fresh.connect(), this.answerMs()).catch((error: unknown) => {
      cutConnection(fresh);
      throw error;
    });
    for (const channel of this.handlers.keys())
      await this.ask(fresh, `listen ${pg.escapeIdentifier(channel)}`);
    fresh.once('end', () => {
      // One that was cut may say so after the next one is there.
      if (this.newest !== fresh) return;
      this.client = undefined;
      this.beatLater(Math.min(reconnectMs, this.beatMs()));
    });
    this.contact.epoch += 1;
    this.heard();
    if (this.contact.epoch > 1) this.handlers.forEach((set) => set.forEach((handle) => handle('')));
    return fresh;
  }

  private async ask(
    asked: pg.Client,
    text: string,
    values: unknown[] = [],
  ): Promise<pg.QueryResult> {
    try {
      return await inTime(asked.query(text, values), this.answerMs());
    } catch (error) {
      cutConnection(asked);
      if (this.newest === asked) this.client = undefined;
      throw error;
    }
  }

  private heard(): void {
    this.contact.heardAt = performance.now();
    this.contact.isAway = false;
  }

  private beatLater(ms: number): void {
    clearTimeout(this.timer);
    if (this.isClosed) return;
    this.timer = setTimeout(() => {
      this.beating ??= this.beat().finally(() => {
        this.beating = undefined;
        this.beatLater(this.beatMs());
      });
    }, ms);
    // Whoever listens wants to be reconnected; nobody else is kept waiting.
    if (this.handlers.size === 0) this.timer.unref();
  }

  private async beat(): Promise<void> {
    try {
      await this.askOnce().catch((error: unknown) => {
        // Closed meanwhile: a new connection would be nobody's to end.
        if (this.isClosed) throw error;
        return this.askOnce();
      });
    } catch (cause) {
      if (this.isClosed) return;
      const reason = cause instanceof Error ? cause : new Error(String(cause));
      this.options.onError(reason);
      this.contact.isAway = true;
      this.options.onAway(reason);
    }
  }

  private async askOnce(): Promise<void> {
    const { watch, silenceMs } = this.options;
    const asked = await this.current();
    const owing = watch.owing(silenceMs() / 2);
    const sent = Date.now();
    const { rows } = await this.ask(asked, PULSE, [owing]);
    const [answer] = rows as [{ now: number; self: number; idle: number[] }];
    const { contact } = this;
    contact.clockAheadMs = measureAhead(contact.clockAheadMs, sent, answer.now, Date.now());
    this.heard();
    // A pooler in between makes up numbers of processes; then only silence of all is told.
    const idle = new Set(answer.self === processOf(asked) ? answer.idle : []);
    // Twice, because an answer may be on its way.
    watch.sever(new Set([...idle].filter((process) => this.suspects.has(process))));
    this.suspects = idle;
  }
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
