import type { MetricFamily, MetricSample } from './metrics.js';

/**
 * How long answers took, by method, route and status. Every request passes here, so it counts by
 * itself: the library hashes its labels each time.
 */
export interface RequestDurations {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** In the text format of Prometheus. */
  text(): string;
  family(): MetricFamily;
}

interface Tally {
  method: string;
  route: string;
  status: number;
  /** Not cumulative; the last one is for what is slower than every bound. */
  buckets: number[];
  sum: number;
}

export function createRequestDurations(
  name: string,
  help: string,
  bounds: readonly number[],
): RequestDurations {
  // Routes are patterns and so a fixed set; looked up before anything is put together.
  const routes = new Map<string, Tally[]>();

  function tallyOf(method: string, route: string, status: number): Tally {
    let tallies = routes.get(route);
    if (tallies === undefined) routes.set(route, (tallies = []));
    let tally = tallies.find((each) => each.status === status && each.method === method);
    if (tally === undefined)
      tallies.push(
        (tally = {
          method,
          route,
          status,
          buckets: Array.from({ length: bounds.length + 1 }, () => 0),
          sum: 0,
        }),
      );
    return tally;
  }

  return {
    observe(method, route, status, seconds) {
      const tally = tallyOf(method, route, status);
      const at = bounds.findIndex((bound) => seconds <= bound);
      const bucket = at === -1 ? bounds.length : at;
      tally.buckets[bucket] = (tally.buckets[bucket] ?? 0) + 1;
      tally.sum += seconds;
    },
    text: () =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} histogram`,
        ...[...routes.values()].flat().flatMap((tally) => lines(name, tally, bounds)),
        '',
      ].join('\n'),
    family: () => ({
      name,
      help,
      type: 'histogram',
      samples: [...routes.values()].flat().flatMap((tally) => samples(name, tally, bounds)),
    }),
  };
}

function lines(
  name: string,
  { method, route, status, buckets, sum }: Tally,
  bounds: readonly number[],
): string[] {
  const labels = `method="${escaped(method)}",route="${escaped(route)}",status="${status}"`;
  let count = 0;
  const cumulative = buckets.map((value, at) => {
    count += value;
    return `${name}_bucket{le="${bounds[at] ?? '+Inf'}",${labels}} ${count}`;
  });
  return [...cumulative, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`];
}

function samples(
  name: string,
  { method, route, status, buckets, sum }: Tally,
  bounds: readonly number[],
): MetricSample[] {
  const labels = { method, route, status };
  let count = 0;
  const cumulative = buckets.map((value, at) => {
    count += value;
    return {
      name: `${name}_bucket`,
      labels: { ...labels, le: bounds[at] ?? '+Inf' },
      value: count,
    };
  });
  return [
    ...cumulative,
    { name: `${name}_sum`, labels, value: sum },
    { name: `${name}_count`, labels, value: count },
  ];
}

function escaped(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"');
}
