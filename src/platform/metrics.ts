import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createRequestDurations } from './request-durations.js';

export interface Metrics {
  httpRequest(method: string, route: string, status: number, elapsedMs: number): void;
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  histogram(name: string, help: string, buckets: number[], labels?: readonly string[]): Histogram;
  /** A value read when it is asked for. */
  gauge(name: string, help: string, read: () => number): void;
  text(): Promise<string>;
}

/** One registry a process, passed in, so that tests can run several apps side by side. */
export function createMetrics(options: { processMetrics: boolean }): Metrics {
  const registry = new Registry();
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  const requests = createRequestDurations(
    'sidelight_http_request_seconds',
    'Time to answer by route',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  );
  return {
    httpRequest: (method, route, status, elapsedMs) =>
      requests.observe(method, route, status, elapsedMs / 1000),
    counter: (name, help, labels = []) =>
      new Counter({ name, help, labelNames: [...labels], registers: [registry] }),
    histogram: (name, help, buckets, labels = []) =>
      new Histogram({ name, help, buckets, labelNames: [...labels], registers: [registry] }),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    text: async () => `${await registry.metrics()}${requests.text()}`,
  };
}
