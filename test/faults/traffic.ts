import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const browser =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
/** Longer than any caller would wait. */
const patienceMs = 3_000;

/** What servers said that they have taken. */
export interface Acknowledged {
  /** Ids of ad requests. */
  requests: Set<string>;
  /** `impUrl`s of ads whose impression was taken. */
  impressions: Set<string>;
}

export interface Traffic {
  readonly acknowledged: Acknowledged;
  readonly sent: number;
  readonly failed: number;
  readonly ads: number;
  /** How long answered ad requests took, sorted, since this was asked last. */
  takeTimes(): number[];
  /** Failures by what was answered. */
  readonly failures: ReadonlyMap<string, number>;
  /** Something else than an ad or beacon failed at first. */
  note(reason: string): void;
  /** When `from` answered an ad request first, after a moment; null if it has not. */
  firstAnswerAfter(address: string, at: number): number | null;
  /** Nobody begins anything new until `go`; resolves when what was begun is done. */
  hold(): Promise<void>;
  go(): void;
  stop(): Promise<void>;
}

interface Answer {
  status: number;
  requestId: string;
  body: string;
}

/**
 * People who ask for ads, see them and click, `workers` for each server at once. Each beacon goes
 * to the server that is asked next, which need not be the one that served the ad.
 */
export function startTraffic(options: {
  /** Who takes requests at the moment. */
  addresses: () => readonly string[];
  key: string;
  workers: number;
  /** Between two requests of one worker. */
  pauseMs?: number;
  /** Keep no connections. */
  isFresh?: boolean;
}): Traffic {
  const agent = new Agent({ keepAlive: options.isFresh !== true, maxSockets: 256 });
  const acknowledged: Acknowledged = { requests: new Set(), impressions: new Set() };
  const failures = new Map<string, number>();
  const answeredAt = new Map<string, number[]>();
  let times: number[] = [];
  let counts = { sent: 0, failed: 0, ads: 0 };
  let isStopped = false;
  let isHeld = false;
  let busy = 0;
  let turn = 0;

  async function call(url: string, body?: string): Promise<Answer | null> {
    counts.sent += 1;
    try {
      const answer = await send(agent, url, options.key, body);
      if (answer.status < 400) return answer;
      fail(`${answer.status}`);
    } catch (error) {
      fail(error instanceof Error && 'code' in error ? String(error.code) : 'no answer');
    }
    return null;
  }

  function fail(reason: string): void {
    counts.failed += 1;
    failures.set(reason, (failures.get(reason) ?? 0) + 1);
  }

  const nextAddress = (): string | undefined => {
    const all = options.addresses();
    return all[(turn += 1) % Math.max(1, all.length)];
  };

  async function visit(number: number): Promise<void> {
    const address = nextAddress();
    if (address === undefined) return sleep(20);
    const started = performance.now();
    const asked = await call(`${address}/api/v1/ad`, question(number));
    if (asked === null) return;
    times.push(performance.now() - started);
    answeredAt.set(address, [...(answeredAt.get(address) ?? []).slice(-2000), Date.now()]);
    acknowledged.requests.add(asked.requestId);
    const [ad] =
      asked.status === 200
        ? (JSON.parse(asked.body) as { impUrl: string; clickUrl: string }[])
        : [];
    if (ad === undefined) return;
    counts.ads += 1;
    const shown = nextAddress();
    if (shown === undefined) return;
    if ((await call(`${shown}${pathOf(ad.impUrl)}`)) !== null)
      acknowledged.impressions.add(ad.impUrl);
    if (number % 5 === 0) await call(`${shown}${pathOf(ad.clickUrl)}`);
  }

  async function work(first: number): Promise<void> {
    await sleep(first % 50);
    for (let number = first; !isStopped; number += 1000) {
      if (!isHeld) {
        busy += 1;
        await visit(number);
        busy -= 1;
      }
      await sleep(isHeld ? 20 : (options.pauseMs ?? 10));
    }
  }
  const running = Array.from({ length: options.workers }, (_, index) => work(index));
  return {
    acknowledged,
    failures,
    note: fail,
    get sent() {
      return counts.sent;
    },
    get failed() {
      return counts.failed;
    },
    get ads() {
      return counts.ads;
    },
    takeTimes() {
      const taken = times.sort((a, b) => a - b);
      times = [];
      return taken;
    },
    firstAnswerAfter: (address, at) => answeredAt.get(address)?.find((one) => one >= at) ?? null,
    async hold() {
      isHeld = true;
      while (busy > 0) await sleep(10);
    },
    go() {
      isHeld = false;
    },
    async stop() {
      isStopped = true;
      await Promise.all(running);
      agent.destroy();
    },
  };
}

function question(number: number): string {
  return JSON.stringify({
    sessionId: `session-${process.pid}-${number}`,
    placements: [{ placement: 'below_response', placement_id: 'main' }],
    messages: [{ role: 'user', content: 'My flight got cancelled and I am stuck at the airport' }],
  });
}

const pathOf = (url: string): string => url.slice(url.indexOf('/', 8));

function send(agent: Agent, url: string, key: string, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      {
        method: body === undefined ? 'GET' : 'POST',
        agent,
        headers:
          body === undefined
            ? { 'user-agent': browser }
            : {
                authorization: `Bearer ${key}`,
                'content-type': 'application/json',
                'content-length': Buffer.byteLength(body),
              },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => (text += part));
        answer.on('error', reject);
        answer.on('end', () => {
          clearTimeout(patience);
          resolve({
            status: answer.statusCode ?? 0,
            requestId: String(answer.headers['x-ad-request-id'] ?? ''),
            body: text,
          });
        });
      },
    );
    const patience = setTimeout(
      () => sending.destroy(Object.assign(new Error('no answer'), { code: 'no answer' })),
      patienceMs,
    );
    sending.on('error', (error) => {
      clearTimeout(patience);
      reject(error);
    });
    sending.end(body);
  });
}
