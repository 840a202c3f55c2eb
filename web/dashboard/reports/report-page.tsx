import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call, query } from '../core/api.js';
import { count, country } from '../core/format.js';
import { heard, inline, rich, t } from '../core/language.js';
import { useLoad, type Loaded } from '../core/hooks/use-load.js';
import { LineChart } from '../ui/charts/charts.js';
import { CsvButton } from '../ui/tables/csv-button.js';
import type { Column } from '../ui/tables/data-table.js';
import { Check } from '../ui/forms/fields.js';
import { Card, Page, Stat } from '../ui/parts.js';
import { trendColumn, useNetworkTrends } from '../operator/trend-column.js';
import { RangePicker } from '../ui/forms/range-picker.js';
import { Empty, Shown } from '../ui/states.js';
import {
  dimensions,
  filterTitles,
  type Measure,
  measures,
  narrowing,
  type Role,
} from './report-columns.js';
import {
  allRows,
  firstRows,
  reportQuery,
  type ReportState,
  useReportState,
} from './report-state.js';
import {
  inOrder,
  nameOf,
  numberIn,
  type Numbers,
  type ReportRow,
  ReportTable,
} from './report-table.js';
import { SavedViews } from './saved-views.js';

interface Report {
  by: string;
  previous: { start_date: string; end_date: string } | null;
  note: string | null;
  filters: { field: string; name: string }[];
  rows: ReportRow[];
  total: Numbers;
  total_before?: Numbers;
  row_count: number;
}

const doors: Record<Role, string> = {
  advertiser: '/advertiser-dashboard/report',
  publisher: '/publisher-dashboard/report',
  operator: '/operator/report',
};

/** Digging: any numbers by anything, narrowed, compared, charted, saved and taken along. */
export function ReportPage({ role }: { role: Role }): JSX.Element {
  const { state, set } = useReportState(role);
  const pathOf = (by: string, limit: number): string =>
    `${doors[role]}${query(reportQuery(role, state, { by, limit }))}`;
  const [limit, setLimit] = useState(firstRows);
  const days = useLoad<Report>(pathOf('day', limit));
  const other = useLoad<Report>(state.by === 'day' ? null : pathOf(state.by, limit));
  // Broken down by day both are the same, and asked for once.
  const load = state.by === 'day' ? days : other;
  // Another breakdown begins with its first rows again.
  useEffect(() => setLimit(firstRows), [state.by, role]);
  const shown = state.columns.flatMap(
    (id) => measures[role].find((measure) => measure.id === id) ?? [],
  );
  const title = titleOf(role, state.by);
  const charted = measures[role].find((measure) => measure.id === state.chart) ?? measures[role][0];
  const narrow = (row: ReportRow): void => {
    // Until others have come, rows are still those of the breakdown before.
    const to = narrowing[load.data?.by ?? state.by];
    if (to === undefined) return;
    const next = dimensions[role].some(([id]) => id === to.next) ? to.next : 'day';
    set({ by: next, sort: '', filters: { ...state.filters, [to.field]: row.key } });
  };
  return (
    <Page title={t('Reports')} actions={<SavedViews />}>
      <Bar role={role} state={state} set={set} />
      <Chips state={state} named={load.data?.filters ?? []} set={set} />
      <Shown load={load}>{(data) => <Totals shown={shown} data={data} />}</Shown>
      <div class="stack">
        {charted !== undefined && <ChartCard load={days} measure={charted} />}
        <Breakdown
          title={title}
          role={role}
          state={state}
          set={set}
          shown={shown}
          load={load}
          narrow={narrow}
          more={() => setLimit(limit * 10)}
          whole={() => call<Report>(pathOf(state.by, allRows))}
        />
      </div>
    </Page>
  );
}

const titleOf = (role: Role, by: string): string =>
  dimensions[role].find(([id]) => id === by)?.[1] ?? t('Day');

/** The first ones that are counted by what the report is broken down by. */
const counted = (shown: readonly Measure[], { total }: Report): readonly Measure[] =>
  shown.filter((measure) => numberIn(total, measure.id) !== null).slice(0, 6);

function Totals({ shown, data }: { shown: Measure[]; data: Report }): JSX.Element {
  return (
    <dl class="stats">
      {counted(shown, data).map((measure) => {
        const value = numberIn(data.total, measure.id);
        return (
          <Stat
            key={measure.id}
            label={measure.title}
            value={value === null ? '—' : measure.format(value)}
            {...(value === null ? {} : { now: value })}
            before={numberIn(data.total_before, measure.id) ?? undefined}
            plain={measure.tone !== undefined}
          />
        );
      })}
    </dl>
  );
}

function Breakdown({
  title,
  role,
  state,
  set,
  shown,
  load,
  narrow,
  more,
  whole,
}: {
  title: string;
  role: Role;
  state: ReportState;
  set: SetState;
  shown: Measure[];
  load: Loaded<Report>;
  narrow: (row: ReportRow) => void;
  more: () => void;
  /** The same report with every row. */
  whole: () => Promise<Report>;
}): JSX.Element {
  const trend = useTrendOf(role, state, load.data?.rows ?? []);
  return (
    <Card
      title={t('By {title}', { title: inline(title) })}
      actions={
        <>
          <Columns role={role} state={state} set={set} />
          <ReportCsv state={state} title={title} shown={shown} data={load.data} whole={whole} />
        </>
      }
    >
      {load.data?.note != null && <p class="hint">{heard(load.data.note)}</p>}
      <Shown load={load}>
        {(data) =>
          data.rows.length === 0 ? (
            <Empty title={t('Nothing in this range.')}>
              <p>{t('Choose more days or remove a filter.')}</p>
            </Empty>
          ) : (
            <>
              <ReportTable
                title={titleOf(role, data.by)}
                state={data.by === state.by ? state : { ...state, by: data.by }}
                rows={data.rows}
                shown={shown}
                extra={trend}
                onOrder={(sort, down) => set({ sort, down })}
                onNarrow={narrow}
              />
              {isShort(data) && <MoreRows data={data} more={more} />}
            </>
          )
        }
      </Shown>
    </Card>
  );
}

/** Every row, whether the table shows it yet or not. */
function ReportCsv({
  state,
  title,
  shown,
  data,
  whole,
}: {
  state: ReportState;
  title: string;
  shown: readonly Measure[];
  data: Report | undefined;
  whole: () => Promise<Report>;
}): JSX.Element {
  return (
    <CsvButton
      what={t('Report by {title}', { title })}
      from={async () => csvRows(state, title, shown, isShort(data) ? await whole() : data)}
    />
  );
}

const isShort = (data: Report | undefined): boolean =>
  data !== undefined && data.row_count > data.rows.length;

function MoreRows({ data, more }: { data: Report; more: () => void }): JSX.Element {
  const known = { rows: count(data.rows.length), row_count: count(data.row_count) };
  if (data.rows.length >= allRows)
    return (
      <p class="hint">
        {rich('The first {rows} of {row_count}. Narrow the report to see the others.', known)}
      </p>
    );
  return (
    <div class="actions">
      <p class="hint">{rich('The first {rows} of {row_count}, totals of all.', known)}</p>
      <button type="button" class="button" onClick={more}>
        {t('Load more')}
      </button>
    </div>
  );
}

const drawn = ['advertiser', 'publisher', 'campaign'] as const;

/** The last two weeks of each row, where operators see whole accounts or campaigns. */
function useTrendOf(
  role: Role,
  state: ReportState,
  rows: readonly ReportRow[],
): readonly Column<ReportRow>[] {
  const of = drawn.find((one) => one === state.by);
  const isDrawn = role === 'operator' && Object.keys(state.filters).length === 0;
  const trends = useNetworkTrends(
    of ?? 'campaign',
    isDrawn && of !== undefined ? rows.map((row) => row.key) : [],
  );
  return isDrawn && of !== undefined
    ? [
        trendColumn(
          trends,
          (row) => row.key,
          () => (of === 'publisher' ? t('Revenue') : t('Spend')),
        ),
      ]
    : [];
}

type SetState = (change: Partial<ReportState>) => void;

function Bar({ role, state, set }: { role: Role; state: ReportState; set: SetState }): JSX.Element {
  return (
    <div class="report-bar">
      <label>
        {t('Break down by')}
        <select
          value={state.by}
          onChange={(event) => set({ by: event.currentTarget.value, sort: '', down: true })}
        >
          {dimensions[role].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('Chart')}
        <select value={state.chart} onChange={(event) => set({ chart: event.currentTarget.value })}>
          {measures[role].map((measure) => (
            <option key={measure.id} value={measure.id}>
              {measure.title}
            </option>
          ))}
        </select>
      </label>
      {state.by !== 'day' && state.compare && <OrderChoice state={state} set={set} />}
      <RangePicker
        range={{
          days: state.days,
          start: state.start,
          end: state.end,
          compare: state.compare,
        }}
        onChange={set}
        zone={state.zone}
        onZone={(zone) => set({ zone })}
        choices={[1, 7, 14, 30, 90, 365]}
      />
    </div>
  );
}

function OrderChoice({ state, set }: { state: ReportState; set: SetState }): JSX.Element {
  return (
    <label>
      {t('Sort by')}
      <select
        value={state.sort === 'change' ? (state.down ? 'up' : 'down') : 'value'}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          set(
            chosen === 'value'
              ? { sort: '', down: true }
              : { sort: 'change', down: chosen === 'up' },
          );
        }}
      >
        <option value="value">{t('Largest first')}</option>
        <option value="up">{t('Grew most')}</option>
        <option value="down">{t('Fell most')}</option>
      </select>
    </label>
  );
}

function Chips({
  state,
  named,
  set,
}: {
  state: ReportState;
  named: readonly { field: string; name: string }[];
  set: SetState;
}): JSX.Element | null {
  const entries = Object.entries(state.filters);
  if (entries.length === 0) return null;
  return (
    <ul class="chips" aria-label={t('Only')}>
      {entries.map(([field, value]) => {
        const known = named.find((one) => one.field === field)?.name;
        const name = `${filterTitles[field] ?? field}: ${known ?? (field === 'country' ? country(value) : value)}`;
        return (
          <li key={field} class="chip">
            {name}
            <button
              type="button"
              aria-label={t('Remove {name}', { name })}
              onClick={() =>
                set({
                  filters: Object.fromEntries(entries.filter(([other]) => other !== field)),
                })
              }
            >
              ×
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Columns({
  role,
  state,
  set,
}: {
  role: Role;
  state: ReportState;
  set: SetState;
}): JSX.Element {
  return (
    <details class="drop">
      <summary class="button small">{t('Columns')}</summary>
      <div class="drop-body">
        {measures[role].map((measure) => (
          <Check
            key={measure.id}
            label={measure.title}
            checked={state.columns.includes(measure.id)}
            onChange={(on) => {
              // In the order they are listed, whatever the order they were chosen in.
              const columns = measures[role]
                .map(({ id }) => id)
                .filter((id) => (id === measure.id ? on : state.columns.includes(id)));
              if (columns.length > 0) set({ columns });
            }}
          />
        ))}
      </div>
    </details>
  );
}

function ChartCard({
  load,
  measure,
}: {
  load: ReturnType<typeof useLoad<Report>>;
  measure: Measure;
}): JSX.Element {
  return (
    <Card title={t('{title} by day', { title: measure.title })}>
      <Shown load={load}>
        {(data) => (
          <LineChart
            title={measure.title}
            format={measure.format}
            points={data.rows.map((row) => ({
              date: row.key,
              value: numberIn(row, measure.id) ?? 0,
            }))}
            before={
              data.previous === null
                ? undefined
                : data.rows.map((row) => ({
                    date: row.key,
                    value: numberIn(row.before, measure.id) ?? 0,
                  }))
            }
          />
        )}
      </Shown>
    </Card>
  );
}

/** What the table shows: its rows in their order, to the last one, its columns, the period before. */
function csvRows(
  state: ReportState,
  title: string,
  shown: readonly Measure[],
  data: Report | undefined,
): (string | number | null)[][] {
  const compared = data?.previous != null;
  return [
    [
      title,
      ...shown.flatMap((measure) =>
        compared ? [measure.title, t('{title} before', { title: measure.title })] : [measure.title],
      ),
    ],
    ...inOrder(state.by, data?.rows ?? []).map((row) => [
      // A day as programs read it.
      state.by === 'day' ? row.key : nameOf(state.by, row),
      ...shown.flatMap((measure) =>
        compared
          ? [numberIn(row, measure.id), numberIn(row.before, measure.id)]
          : [numberIn(row, measure.id)],
      ),
    ]),
  ];
}
