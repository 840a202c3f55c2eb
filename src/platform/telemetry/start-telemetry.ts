import {
  ROOT_CONTEXT,
  type Context,
  type HrTime,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Metrics } from '../metrics.js';
import { toOtlp } from './otlp-metrics.js';

export interface TelemetryOptions {
  /** Of a collector that speaks OTLP over HTTP. */
  endpoint: string;
  /** `name=value,name=value` */
  headers: string;
  service: string;
  version: string;
  node: string;
  metrics: Metrics;
  /** Of requests that nobody else traces. */
  tracesPercent: number;
  metricsEveryMs: number;
}

export interface Telemetry {
  /** Sends what is waiting. */
  close(): Promise<void>;
}

/**
 * Sends every request as a span and every metric as it is. Loaded only where an endpoint is set. A
 * collector that does not answer costs what it was not sent, and nothing else.
 */
export function startTelemetry(options: TelemetryOptions): Telemetry {
  const base = options.endpoint.replace(/\/$/, '');
  const headers = readHeaders(options.headers);
  const resource = resourceFromAttributes({
    'service.name': options.service,
    'service.version': options.version,
    'service.instance.id': options.node,
  });
  const tracing = traceRequests(options, resource, { url: `${base}/v1/traces`, headers });
  const meters = sendMetrics(options, resource, { url: `${base}/v1/metrics`, headers });
  return {
    async close() {
      // A collector that is away must not keep the server from leaving.
      await Promise.allSettled([tracing.shutdown(), meters.shutdown()]);
    },
  };
}

interface Collector {
  url: string;
  headers: Record<string, string>;
}

function traceRequests(
  { metrics, tracesPercent }: TelemetryOptions,
  resource: Resource,
  collector: Collector,
): BasicTracerProvider {
  const tracing = new BasicTracerProvider({
    resource,
    sampler: new ParentBasedSampler({
      root: new TraceIdRatioBasedSampler(tracesPercent / 100),
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(collector))],
  });
  const tracer = tracing.getTracer('sidelight');
  metrics.follow(({ method, route, status, elapsedMs, traceParent }) => {
    const end = Date.now();
    const span = tracer.startSpan(
      `${method} ${route}`,
      {
        kind: SpanKind.SERVER,
        startTime: end - elapsedMs,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
        },
      },
      contextOf(traceParent),
    );
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(end);
  });
  return tracing;
}

function sendMetrics(
  { metrics, metricsEveryMs }: TelemetryOptions,
  resource: Resource,
  collector: Collector,
): MeterProvider {
  const startTime = hrTime(Date.now());
  return new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(collector),
        exportIntervalMillis: metricsEveryMs,
        exportTimeoutMillis: Math.min(metricsEveryMs, 10_000),
        metricProducers: [
          {
            async collect() {
              const times = { startTime, endTime: hrTime(Date.now()) };
              const found = toOtlp(await metrics.families(), times);
              const scopeMetrics = [{ scope: { name: 'sidelight' }, metrics: found }];
              return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
            },
          },
        ],
      }),
    ],
  });
}

function contextOf(traceParent: string | undefined): Context {
  const found = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceParent ?? '');
  const [, traceId, spanId, flags] = found ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  });
}

function readHeaders(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(',')
      .map((pair) => [
        pair.split('=', 1)[0]?.trim() ?? '',
        pair.slice(pair.indexOf('=') + 1).trim(),
      ])
      .filter(([name]) => name !== ''),
  );
}

function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
}
