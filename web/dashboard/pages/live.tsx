import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LiveEvents } from '../../../src/surfaces/reports/live-routes.js';
import { useApp } from '../core/boot.js';
import { clock, count, country, words } from '../core/format.js';
import { t } from '../core/language.js';
import { placementName } from '../core/placements.js';
import { useLoad } from '../core/hooks/use-load.js';
import { outcomeWords } from '../reports/report-columns.js';
import { Clip } from '../ui/tables/clip.js';
import { DataTable } from '../ui/tables/data-table.js';
import { Card, Page } from '../ui/parts.js';
import { Empty, Shown } from '../ui/states.js';

type Live = Static<typeof LiveEvents>['events'][number];

const kindWords: Record<string, string> = {
  request: t('Ad request'),
  win: t('Ad returned'),
  impression: t('Impression'),
  click: t('Click'),
  conversion: t('Conversion'),
};
const minutes = 10;

type Role = 'advertiser' | 'publisher' | 'operator';
/** A request is nobody's until an ad is returned. */
const charted: Record<Role, readonly string[]> = {
  advertiser: ['win', 'impression', 'click'],
  publisher: ['request', 'impression', 'click'],
  operator: ['request', 'impression', 'click'],
};

/** What happens, a moment after it did. Newest first, no more than a hundred, nothing of people. */
export function LivePage({ role }: { role: Role }): JSX.Element {
  const [paused, setPaused] = useState(false);
  const path = role === 'operator' ? '/operator/live' : `/${role}-dashboard/live`;
  const load = useLoad<Static<typeof LiveEvents>>(path, paused ? {} : { everyMs: 2000 });
  return (
    <Page
      title={t('Live')}
      lead={
        role === 'advertiser'
          ? t('Ads returned, impressions and clicks of the last ten minutes, as they come in.')
          : t('Requests, impressions and clicks of the last ten minutes, as they come in.')
      }
      actions={
        <button
          type="button"
          class="button small"
          aria-pressed={paused}
          onClick={() => setPaused(!paused)}
        >
          {paused ? t('Resume updates') : t('Pause updates')}
        </button>
      }
    >
      <Shown load={load}>
        {({ events }) => (
          <div class="stack">
            <Card title={t('By minute')}>
              <Minutes events={events} kinds={charted[role]} />
            </Card>
            <Card title={t('Newest')}>
              {events.length === 0 ? (
                <Empty title={t('Quiet right now.')}>
                  <p>
                    {role === 'advertiser'
                      ? t('When one of your ads is returned it appears here within seconds.')
                      : t('Ask for an ad or open the playground: it appears here within seconds.')}
                  </p>
                </Empty>
              ) : (
                <LiveTable events={events} role={role} />
              )}
            </Card>
          </div>
        )}
      </Shown>
    </Page>
  );
}

function LiveTable({ events, role }: { events: readonly Live[]; role: string }): JSX.Element {
  const { zone } = useApp();
  const rows = events.map((event, index) => ({ ...event, key: `${event.at} ${index}` }));
  return (
    <DataTable
      label={t('Newest')}
      rows={rows}
      rowKey={(row) => row.key}
      columns={[
        { id: 'at', title: t('When'), cell: (row) => clock(row.at, zone) },
        {
          id: 'kind',
          title: t('What'),
          cell: (row) => (
            <span class={`live-kind ${row.kind}`}>{kindWords[row.kind] ?? words(row.kind)}</span>
          ),
        },
        {
          id: 'about',
          title: role === 'publisher' ? t('Why no ad') : t('Campaign'),
          cell: (row) => <Clip text={aboutOf(row)} />,
        },
        ...(role === 'publisher'
          ? []
          : [
              {
                id: 'publisher',
                title: t('Publisher'),
                cell: (row: Live) => <Clip text={row.publisher ?? ''} />,
              },
            ]),
        {
          id: 'country',
          title: t('Country'),
          cell: (row) => (row.country === null || row.country === '' ? '' : country(row.country)),
        },
        { id: 'device', title: t('Device'), cell: (row) => words(row.device ?? '') },
        {
          id: 'placement',
          title: t('Placement'),
          cell: (row) => placementName(row.placement ?? ''),
        },
      ]}
    />
  );
}

const aboutOf = ({ campaign, reason }: Live): string =>
  campaign ?? (reason === null ? '' : (outcomeWords[reason] ?? words(reason)));

/** How many of each kind in every one of the last minutes. */
function Minutes({
  events,
  kinds,
}: {
  events: readonly Live[];
  kinds: readonly string[];
}): JSX.Element {
  const now = Date.now();
  const rows = kinds.map((kind) => {
    const counts = Array.from({ length: minutes }, () => 0);
    for (const event of events) {
      const ago = Math.floor((now - Date.parse(`${event.at}Z`)) / 60_000);
      if (event.kind === kind && ago >= 0 && ago < minutes)
        counts[minutes - 1 - ago] = (counts[minutes - 1 - ago] ?? 0) + 1;
    }
    return { kind, counts, total: counts.reduce((sum, one) => sum + one, 0) };
  });
  const top = Math.max(1, ...rows.flatMap(({ counts }) => counts));
  return (
    <div class="live-minutes">
      {rows.map(({ kind, counts, total }) => (
        <figure key={kind} class={`live-row ${kind}`}>
          <figcaption>
            <span>{kindWords[kind]}</span> <b>{count(total)}</b>
          </figcaption>
          <svg viewBox={`0 0 ${minutes * 12} 36`} preserveAspectRatio="none" role="img">
            <title>
              {t('{title} in each of the last {minutes} minutes: {counts}', {
                title: kindWords[kind] ?? kind,
                minutes,
                counts: counts.join(', '),
              })}
            </title>
            {counts.map((value, index) => (
              <rect
                key={index}
                x={index * 12 + 1}
                y={36 - Math.max(1, (value / top) * 34)}
                width="10"
                height={Math.max(1, (value / top) * 34)}
                rx="1.5"
              />
            ))}
          </svg>
        </figure>
      ))}
    </div>
  );
}
