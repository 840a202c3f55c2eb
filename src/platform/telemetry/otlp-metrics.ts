import type { Attributes, HrTime } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  type HistogramMetricData,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { MetricFamily, MetricSample } from '../metrics.js';

interface Times {
  startTime: HrTime;
  endTime: HrTime;
}

/** `ValueType.DOUBLE`, as numbers of Prometheus are. */
const doubles = 1;

/** What `/metrics` tells, in the form OpenTelemetry sends: same names, same labels. */
export function toOtlp(families: readonly MetricFamily[], times: Times): MetricData[] {
  return families.flatMap((family): MetricData[] => {
    const shared = {
      descriptor: {
        name: family.name,
        description: family.help,
        unit: family.name.endsWith('_seconds') ? 's' : family.name.endsWith('_bytes') ? 'By' : '',
        valueType: doubles,
      },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    if (family.type === 'histogram')
      return [
        {
          ...shared,
          dataPointType: DataPointType.HISTOGRAM,
          dataPoints: histograms(family, times),
        },
      ];
    const dataPoints = family.samples.map(({ labels, value }) => ({
      ...times,
      attributes: { ...labels },
      value,
    }));
    return family.type === 'counter'
      ? [{ ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }]
      : [{ ...shared, dataPointType: DataPointType.GAUGE, dataPoints }];
  });
}

/** Prometheus counts everything below a bound, OpenTelemetry what lies between two. */
function histograms(
  { name, samples }: MetricFamily,
  times: Times,
): HistogramMetricData['dataPoints'] {
  const byLabels = new Map<string, { attributes: Attributes; samples: MetricSample[] }>();
  for (const sample of samples) {
    const { le: _, ...attributes } = sample.labels;
    const key = JSON.stringify(Object.entries(attributes).sort());
    const known = byLabels.get(key) ?? { attributes, samples: [] };
    known.samples.push(sample);
    byLabels.set(key, known);
  }
  return [...byLabels.values()].map((group) => {
    const valueOf = (part: string): number =>
      group.samples.find((sample) => sample.name === `${name}_${part}`)?.value ?? 0;
    const below = group.samples
      .filter((sample) => sample.name === `${name}_bucket`)
      .map(({ labels, value }) => ({ bound: Number(labels['le']), value }))
      .filter(({ bound }) => Number.isFinite(bound))
      .sort((a, b) => a.bound - b.bound);
    const counts = below.map(({ value }, at) => value - (below[at - 1]?.value ?? 0));
    const count = valueOf('count');
    return {
      ...times,
      attributes: group.attributes,
      value: {
        buckets: {
          boundaries: below.map(({ bound }) => bound),
          counts: [...counts, count - (below.at(-1)?.value ?? 0)],
        },
        sum: valueOf('sum'),
        count,
      },
    };
  });
}
