import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { createRequestDurations } from './request-durations.js';

export interface MetricSample {
  /** Of a histogram each part has its own. */
  name: string;
  labels: Readonly<Record<string, string | number>>;
  value: number;
}

export interface MetricFamily {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary';
  samples: MetricSample[];
}

export interface AnsweredRequest {
  method: string;
  route: string;
  status: number;
  elapsedMs: number;
  /** What the caller sent for those who trace requests through several services. */
  traceParent?: string | undefined;
}

export interface Metrics {
  httpRequest(
    method: string,
    route: string,
    status: number,
    elapsedMs: number,
    traceParent?: string | string[],
  ): void;
  /** Called with every request that is answered from now on. */
  follow(listener: (request: AnsweredRequest) => void): void;
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  histogram(name: string, help: string, buckets: number[], labels?: readonly string[]): Histogram;
  /** A value read when it is asked for. */
  gauge(name: string, help: string, read: () => number): void;
  text(): Promise<string>;
  families(): Promise<MetricFamily[]>;
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
  let listener: ((request: AnsweredRequest) => void) | null = null;
  return {
    httpRequest(method, route, status, elapsedMs, given) {
      requests.observe(method, route, status, elapsedMs / 1000);
      const traceParent = typeof given === 'string' ? given : undefined;
      listener?.({ method, route, status, elapsedMs, traceParent });
    },
    follow(given) {
      listener = given;
    },
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
    families: async () => [...(await registry.getMetricsAsJSON()).map(familyOf), requests.family()],
  };
}

function familyOf(metric: MetricObjectWithValues<MetricValue<string>>): MetricFamily {
  const { name, help } = metric;
  // The library names its types by an enum of these words, or by their place in it.
  const type = String(metric.type) as MetricFamily['type'];
  return {
    name,
    help,
    type,
    samples: metric.values.map((sample) => ({
      name: 'metricName' in sample ? String(sample.metricName) : name,
      // Labels are texts and numbers; those that are absent are left out.
      labels: sample.labels as MetricSample['labels'],
      value: sample.value,
    })),
  };
}
