import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ExperimentResult } from '../../../src/surfaces/experiments/schema.js';
import { call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { count, moment, words } from '../core/format.js';
import { t } from '../core/language.js';
import { useAct } from '../core/hooks/use-act.js';
import { useLoad } from '../core/hooks/use-load.js';
import { LoadedTable } from '../ui/tables/loaded-table.js';
import { Card, Confirm, Page } from '../ui/parts.js';
import { Shown } from '../ui/states.js';
import type { Column } from '../ui/tables/data-table.js';

type Result = Static<typeof ExperimentResult>;
type Arm = Result['results'][number];
type Lift = NonNullable<Arm['click_lift']>;

/** One experiment: how each arm does against the first, and how sure that is. */
export function ExperimentPage({ id }: { id: string }): JSX.Element {
  const path = `/advertiser-dashboard/experiments/${id}`;
  const { zone } = useApp();
  const load = useLoad<Result>(path, { everyMs: 30_000 });
  const { act, busy } = useAct();
  const [isEnding, setEnding] = useState(false);
  const end = (): Promise<boolean> =>
    act(async () => {
      await call(`${path}/stop`, { method: 'PATCH' });
      load.reload();
      return t('It has ended; its result stays.');
    });
  const isRunning = load.data?.stopped_at === null;
  return (
    <Page
      title={load.data?.name ?? t('Experiment')}
      lead={
        load.data &&
        [
          load.data.kind === 'ab' ? 'A/B' : t('Holdout'),
          t('since {time}', { time: moment(load.data.started_at, zone) }),
          ...(load.data.stopped_at === null
            ? []
            : [t('until {time}', { time: moment(load.data.stopped_at, zone) })]),
        ].join(', ')
      }
      actions={
        isRunning ? (
          <button type="button" class="button" disabled={busy} onClick={() => setEnding(true)}>
            {t('End it')}
          </button>
        ) : undefined
      }
    >
      {isEnding && <EndQuestion setEnding={setEnding} end={end} />}
      <div class="stack">
        <Shown load={load}>{(data) => <Verdict result={data} />}</Shown>
        <LoadedTable
          title={t('Arms')}
          path={path}
          load={load}
          rowsOf={(data) => data.results}
          rowKey={(row) => row.variant}
          empty={t('Nobody is in it yet.')}
          hint={t('Lift is measured against the first arm, with its 95% confidence interval.')}
          columns={armColumns()}
        />
      </div>
    </Page>
  );
}

function EndQuestion({
  setEnding,
  end,
}: {
  setEnding: (value: boolean) => void;
  end: () => Promise<boolean>;
}): JSX.Element {
  return (
    <Confirm
      title={t('End this experiment?')}
      action={t('End it')}
      onClose={() => setEnding(false)}
      onYes={() => void end()}
    >
      <p>{t('Everybody is shown the whole campaign again. It cannot be resumed.')}</p>
    </Confirm>
  );
}

function armColumns(): readonly Column<Arm>[] {
  return [
    { id: 'variant', title: t('Arm'), cell: (row) => words(row.variant) },
    { id: 'units', title: t('People'), numeric: true, cell: (row) => count(row.units) },
    {
      id: 'clicked',
      title: t('Clicked'),
      numeric: true,
      cell: (row) => count(row.clicked),
    },
    {
      id: 'converted',
      title: t('Bought, of those you know'),
      numeric: true,
      cell: (row) => t('{some} of {all}', { some: count(row.converted), all: count(row.matched) }),
    },
    { id: 'clicks', title: t('Lift of clicks'), cell: (row) => shown(row.click_lift) },
    {
      id: 'purchases',
      title: t('Lift of purchases'),
      cell: (row) => shown(row.conversion_lift),
    },
  ];
}

/** In a sentence, because an interval is easily misread. */
function Verdict({ result }: { result: Result }): JSX.Element {
  const [first, ...others] = result.results;
  const told = others.map((arm) => {
    const lift = arm.conversion_lift ?? arm.click_lift;
    const arms = { arm: arm.variant, base: first?.variant ?? '' };
    if (lift === null) return t('Nobody is in {arm} or {base} yet.', arms);
    const { low, high } = lift.difference;
    const figures = { ...arms, low: points(low), high: points(high), p: lift.p_value.toFixed(3) };
    if (low <= 0 && high >= 0)
      return t('No difference between {arm} and {base} can be told yet (p = {p}).', figures);
    if (arm.conversion_lift === null)
      return t(
        '{low} to {high} points more people click in {arm} than in {base} (p = {p}).',
        figures,
      );
    return t('{low} to {high} points more people buy in {arm} than in {base} (p = {p}).', figures);
  });
  return (
    <Card title={t('What it shows')}>
      {told.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Card>
  );
}

function points(share: number): string {
  return (share * 100).toFixed(2);
}

function shown(lift: Lift | null): string {
  if (lift === null) return '–';
  const { value, low, high } = lift.difference;
  const sign = value > 0 ? '+' : '';
  return t('{value} points ({low} to {high})', {
    value: `${sign}${points(value)}`,
    low: points(low),
    high: points(high),
  });
}
