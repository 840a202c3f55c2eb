import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../core/boot.js';
import { count, fixed, moment } from '../core/format.js';
import { t } from '../core/language.js';
import { useLoad, type Loaded } from '../core/hooks/use-load.js';
import { CsvButton } from '../ui/tables/csv-button.js';
import { DataTable, type Column } from '../ui/tables/data-table.js';
import { Badge, Card, Page, Stat } from '../ui/parts.js';
import { Empty, Loading, Problem, Shown } from '../ui/states.js';

interface Node {
  number: number;
  id: string;
  host: string;
  started_at: string;
  seen_at: string;
  is_live: boolean;
  stats: Record<string, number>;
}

interface RouteTimes {
  route: string;
  requests: number;
  seconds: number;
  /** Upper bound in seconds → requests at or below it. */
  buckets: Map<number, number>;
}

/** Times by route from the text the measurements endpoint gives. */
function readTimes(text: string): RouteTimes[] {
  const routes = new Map<string, RouteTimes>();
  for (const line of text.split('\n')) {
    const found = /^sidelight_http_request_seconds_(bucket|sum|count)\{(.*)\} ([\d.e+-]+)$/.exec(
      line,
    );
    if (found === null) continue;
    const labels = Object.fromEntries(
      [...(found[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map((pair) => [
        pair[1],
        pair[2],
      ]),
    );
    const route = `${labels['method'] ?? ''} ${labels['route'] ?? ''}`;
    const times = routes.get(route) ?? {
      route,
      requests: 0,
      seconds: 0,
      buckets: new Map<number, number>(),
    };
    routes.set(route, times);
    const value = Number(found[3]);
    if (found[1] === 'count') times.requests += value;
    else if (found[1] === 'sum') times.seconds += value;
    else if (labels['le'] !== '+Inf')
      times.buckets.set(
        Number(labels['le']),
        (times.buckets.get(Number(labels['le'])) ?? 0) + value,
      );
  }
  return [...routes.values()];
}

function quantile(times: RouteTimes, share: number): string {
  const bounds = [...times.buckets].sort((a, b) => a[0] - b[0]);
  const found = bounds.find(([, below]) => below >= times.requests * share);
  return found === undefined
    ? '> 5 s'
    : `≤ ${fixed(found[0] * 1000, found[0] * 1000 < 10 ? 1 : 0)} ms`;
}

function useMeasurements(): {
  times: RouteTimes[];
  perSecond: number | null;
  missing: boolean;
  failed: boolean;
  known: boolean;
} {
  const [state, setState] = useState<{
    times: RouteTimes[];
    perSecond: number | null;
    missing: boolean;
    failed: boolean;
    known: boolean;
  }>({ times: [], perSecond: null, missing: false, failed: false, known: false });
  const last = useRef<{ at: number; requests: number } | null>(null);
  useEffect(() => {
    // What was read before stays, marked as old.
    const failed = (): void => setState((before) => ({ ...before, perSecond: null, failed: true }));
    const read = (): void => {
      fetch('/metrics').then(async (response) => {
        if (response.status >= 500) return failed();
        if (!response.ok)
          return setState({
            times: [],
            perSecond: null,
            missing: true,
            failed: false,
            known: true,
          });
        const times = readTimes(await response.text());
        const requests = times.reduce((sum, one) => sum + one.requests, 0);
        const at = performance.now();
        const before = last.current;
        last.current = { at, requests };
        setState({
          times,
          perSecond:
            before === null ? null : ((requests - before.requests) / (at - before.at)) * 1000,
          missing: false,
          failed: false,
          known: true,
        });
      }, failed);
    };
    read();
    const timer = setInterval(read, 5000);
    return () => clearInterval(timer);
  }, []);
  return state;
}

export function HealthPage(): JSX.Element {
  const { zone } = useApp();
  const nodes = useLoad<{ nodes: Node[] }>('/operator/nodes', { everyMs: 5000 });
  const { times, perSecond, missing, failed, known } = useMeasurements();
  const live = (nodes.data?.nodes ?? []).filter((node) => node.is_live);
  const ads = times.find((one) => one.route === 'POST /api/v1/ad');
  const sum = (name: string): number =>
    live.reduce((total, node) => total + (node.stats[name] ?? 0), 0);
  return (
    <Page title={t('Health')} lead={t('Refreshed every five seconds.')}>
      <HealthFigures nodes={nodes} live={live} perSecond={perSecond} sum={sum} ads={ads} />
      <div class="stack">
        <NodesCard nodes={nodes} zone={zone} />
        <AnswerTimesCard times={times} failed={failed} known={known} missing={missing} />
      </div>
    </Page>
  );
}

function HealthFigures({
  nodes,
  live,
  perSecond,
  sum,
  ads,
}: {
  nodes: Loaded<{ nodes: Node[] }>;
  live: Node[];
  perSecond: number | null;
  sum: (name: string) => number;
  ads: RouteTimes | undefined;
}): JSX.Element {
  return (
    <dl class="stats">
      <Stat label={t('Live nodes')} value={nodes.data === undefined ? '…' : count(live.length)} />
      <Stat
        label={t('Requests per second')}
        value={perSecond === null ? '…' : fixed(perSecond, 1)}
      />
      <Stat
        label={t('Events waiting')}
        value={nodes.data === undefined ? '…' : count(sum('queued'))}
      />
      <Stat
        label={t('Journal behind by')}
        value={`${Math.round(Math.max(0, ...live.map((node) => node.stats['lagMs'] ?? 0)))} ms`}
      />
      <Stat
        label={t('Damaged journal entries')}
        value={nodes.data === undefined ? '…' : count(sum('damaged'))}
      />
      <Stat
        label={t('Ad answers, 99th percentile')}
        value={ads === undefined ? '—' : quantile(ads, 0.99)}
      />
      <Stat
        label={t('Last commit')}
        value={
          live.length === 0
            ? '—'
            : `${Math.round(Math.max(...live.map((node) => node.stats['lastFlushMs'] ?? 0)))} ms`
        }
      />
    </dl>
  );
}

function NodesCard({
  nodes,
  zone,
}: {
  nodes: Loaded<{ nodes: Node[] }>;
  zone: string;
}): JSX.Element {
  return (
    <Card title={t('Nodes')}>
      <Shown load={nodes}>
        {(data) => (
          <DataTable
            label={t('Nodes')}
            rows={data.nodes}
            rowKey={(node) => node.id}
            columns={[
              { id: 'number', title: t('Node'), cell: (node) => node.number },
              { id: 'host', title: t('Host'), cell: (node) => node.host },
              {
                id: 'state',
                title: t('State'),
                cell: (node) => <Badge value={node.is_live ? 'live' : 'gone'} />,
              },
              {
                id: 'started',
                title: t('Started'),
                cell: (node) => moment(node.started_at, zone),
              },
              { id: 'seen', title: t('Last seen'), cell: (node) => moment(node.seen_at, zone) },
              {
                id: 'flushed',
                title: t('Events stored'),
                numeric: true,
                cell: (node) => count(node.stats['flushed'] ?? 0),
              },
            ]}
          />
        )}
      </Shown>
    </Card>
  );
}

function AnswerTimesCard({
  times,
  failed,
  known,
  missing,
}: {
  times: RouteTimes[];
  failed: boolean;
  known: boolean;
  missing: boolean;
}): JSX.Element {
  return (
    <Card
      title={t('Answer times of this node')}
      actions={
        <CsvButton
          what={t('Answer times')}
          from={() => [
            ['route', 'requests', 'mean_ms', 'p50', 'p99'],
            ...times.map((row) => [
              row.route,
              row.requests,
              ((row.seconds / Math.max(1, row.requests)) * 1000).toFixed(2),
              quantile(row, 0.5),
              quantile(row, 0.99),
            ]),
          ]}
        />
      }
    >
      {failed && (
        <Problem message={t('The metrics could not be loaded. Trying again every five seconds.')} />
      )}
      {!known ? (
        !failed && <Loading />
      ) : missing ? (
        <Empty title={t('Metrics are served on another port of this node.')} />
      ) : times.length === 0 ? (
        <Empty title={t('No requests yet.')} />
      ) : (
        <DataTable
          label={t('Answer times')}
          rows={[...times].sort((a, b) => b.requests - a.requests)}
          rowKey={(row) => row.route}
          columns={timeColumns()}
        />
      )}
    </Card>
  );
}

function timeColumns(): readonly Column<RouteTimes>[] {
  return [
    {
      id: 'route',
      title: t('Route'),
      cell: (row) => <code>{row.route}</code>,
      sort: (row) => row.route,
    },
    {
      id: 'requests',
      title: t('Requests'),
      numeric: true,
      cell: (row) => count(row.requests),
      sort: (row) => row.requests,
    },
    {
      id: 'mean',
      title: t('Mean'),
      numeric: true,
      cell: (row) =>
        t('{seconds} ms', {
          seconds: fixed((row.seconds / Math.max(1, row.requests)) * 1000, 1),
        }),
      sort: (row) => row.seconds / Math.max(1, row.requests),
    },
    { id: 'p50', title: t('Median'), numeric: true, cell: (row) => quantile(row, 0.5) },
    {
      id: 'p99',
      title: t('99th percentile'),
      numeric: true,
      cell: (row) => quantile(row, 0.99),
    },
  ];
}
