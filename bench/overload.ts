import { Agent } from 'node:http';
import { type BuiltServer, startBuiltServer } from './support/built-server.js';
import { watchHealth } from './support/watch-health.js';

export const summary =
  'twice as many ad requests as the server can answer: goodput, what is turned away, /health, memory';

/** An answer that comes later is for nobody. */
const patienceMs = 1000;
const subjects = [
  'a hotel in Berlin near the station',
  'running shoes for wide feet',
  'a CRM for a small team',
  'travel insurance for a week',
  'a standing desk for the office',
];

interface Load {
  /** Answered in time, a second. */
  goodput: number;
  offered: number;
  shed: number;
  late: number;
  broken: number;
}

/**
 * Arguments: seconds of each part (12). First as many at a time as make the most answers, then
 * requests at twice that rate however slow the answers are.
 */
export async function run(args: readonly string[]): Promise<void> {
  const seconds = Number(args[0] ?? 12);
  const server = await startBuiltServer({});
  try {
    const ask = asker(server);
    await closedLoop(ask, 16, 4);
    const before = server.memory();
    const peak = await closedLoop(ask, 48, seconds);
    const quiet = await watchHealth(server, () => closedLoop(ask, 4, 3));
    const double = await watchHealth(server, () => openLoop(ask, 2 * peak.goodput, seconds));
    const after = server.memory();
    print('at its best', peak);
    print('at twice that', double.result);
    const share = double.result.goodput / peak.goodput;
    process.stdout.write(
      `goodput at twice the capacity: ${Math.round(share * 100)} % of the best\n` +
        `/health while little is asked: ${quiet.p99} ms (99 %), ${quiet.longest} ms at most; ` +
        `at twice the capacity: ${double.p99} ms (99 %), ${double.longest} ms at most\n` +
        `memory: ${before ?? '?'} MB before, ${after ?? '?'} MB after\n`,
    );
  } finally {
    await server.stop();
  }
}

function print(name: string, { goodput, offered, shed, late, broken }: Load): void {
  process.stdout.write(
    `${name}: ${Math.round(offered)} asked a second, ${Math.round(goodput)} answered in time, ` +
      `${Math.round(shed)} turned away, ${Math.round(late)} late, ${Math.round(broken)} broken\n`,
  );
}

type Ask = () => Promise<'good' | 'shed' | 'late' | 'broken'>;

function asker(server: BuiltServer): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 2000, scheduling: 'fifo' });
  let asked = 0;
  return async () => {
    asked += 1;
    const payload = JSON.stringify({
      messages: [{ role: 'user', content: `I need ${subjects[asked % subjects.length]}` }],
      sessionId: `s${asked}`,
      placements: [{ placement: 'below_response', placement_id: 'main' }],
    });
    const started = performance.now();
    try {
      const { status } = await server.send('/api/v1/ad', {
        method: 'POST',
        payload,
        headers: {
          authorization: `Bearer ${server.demo.publisher.api_key}`,
          'content-type': 'application/json',
        },
        agent,
      });
      if (status === 503) return 'shed';
      if (status >= 300) return 'broken';
      return performance.now() - started <= patienceMs ? 'good' : 'late';
    } catch {
      return 'broken';
    }
  };
}

/** So many askers, each of whom asks again when answered. */
async function closedLoop(ask: Ask, askers: number, seconds: number): Promise<Load> {
  const until = performance.now() + seconds * 1000;
  const counts = { good: 0, shed: 0, late: 0, broken: 0 };
  const lane = async (): Promise<void> => {
    while (performance.now() < until) counts[await ask()] += 1;
  };
  await Promise.all(Array.from({ length: askers }, lane));
  return perSecond(counts, seconds);
}

/** So many requests a second, whether or not the ones before were answered. */
async function openLoop(ask: Ask, rate: number, seconds: number): Promise<Load> {
  const started = performance.now();
  const counts = { good: 0, shed: 0, late: 0, broken: 0 };
  const open = new Set<Promise<void>>();
  let sent = 0;
  while (performance.now() - started < seconds * 1000) {
    const due = ((performance.now() - started) / 1000) * rate;
    while (sent < due && open.size < 20_000) {
      sent += 1;
      const asking: Promise<void> = ask().then((outcome) => {
        counts[outcome] += 1;
        open.delete(asking);
      });
      open.add(asking);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const load = perSecond({ ...counts }, seconds);
  await Promise.all(open);
  return { ...load, offered: sent / seconds };
}

function perSecond(
  counts: Record<'good' | 'shed' | 'late' | 'broken', number>,
  seconds: number,
): Load {
  const { good, shed, late, broken } = counts;
  return {
    goodput: good / seconds,
    offered: (good + shed + late + broken) / seconds,
    shed: shed / seconds,
    late: late / seconds,
    broken: broken / seconds,
  };
}
