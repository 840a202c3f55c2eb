import type { BuiltServer } from './built-server.js';
import { createLeanClient } from './lean-client.js';

/** An answer that comes later is for nobody. */
const patienceMs = 1000;
/** How long after the last question the last answer is waited for; who has none then gets none. */
const restMs = 15_000;
const subjects = [
  'a hotel in Berlin near the station',
  'running shoes for wide feet',
  'a CRM for a small team',
  'travel insurance for a week',
  'a standing desk for the office',
];

export interface Load {
  /** Answered in time, a second. */
  goodput: number;
  offered: number;
  shed: number;
  late: number;
  broken: number;
}

export type Ask = () => Promise<'good' | 'shed' | 'late' | 'broken'>;

export function asker(server: BuiltServer): Ask {
  const client = createLeanClient(server.address);
  const headers =
    `authorization: Bearer ${server.demo.publisher.api_key}\r\n` +
    'content-type: application/json\r\n';
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
      const status = await client.post('/api/v1/ad', headers, payload);
      if (status === 503) return 'shed';
      if (status >= 300) return 'broken';
      return performance.now() - started <= patienceMs ? 'good' : 'late';
    } catch {
      return 'broken';
    }
  };
}

/** So many askers, each of whom asks again when answered. */
export async function closedLoop(ask: Ask, askers: number, seconds: number): Promise<Load> {
  const until = performance.now() + seconds * 1000;
  const counts = { good: 0, shed: 0, late: 0, broken: 0 };
  const lane = async (): Promise<void> => {
    while (performance.now() < until) counts[await ask()] += 1;
  };
  await Promise.all(Array.from({ length: askers }, lane));
  return perSecond(counts, seconds);
}

/** So many requests a second, whether or not the ones before were answered. */
export async function openLoop(ask: Ask, rate: number, seconds: number): Promise<Load> {
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
  await Promise.race([Promise.all(open), new Promise((resolve) => setTimeout(resolve, restMs))]);
  // Those under way at the end are nobody's answers in time, but who was answered late is told, and
  // who was never: a connection the system has no room for at the door hangs for minutes.
  return {
    ...load,
    late: counts.late / seconds,
    broken: (counts.broken + open.size) / seconds,
    offered: sent / seconds,
  };
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
