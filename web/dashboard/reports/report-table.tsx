import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { change, country, longDay, percent, today, words } from '../core/format.js';
import { heard, inline, t } from '../core/language.js';
import { placementName } from '../core/placements.js';
import { type Column, DataTable } from '../ui/tables/data-table.js';
import { type Measure, narrowing, outcomeWords } from './report-columns.js';
import type { ReportState } from './report-state.js';

export type Numbers = Record<string, number | null>;
export interface ReportRow {
  key: string;
  name: string;
  before?: Numbers;
  [measure: string]: unknown;
}

export function numberIn(row: Record<string, unknown> | undefined, id: string): number | null {
  const value = row?.[id];
  return typeof value === 'number' ? value : null;
}

/** What the server calls a row without a name of its own. */
const nameless = /^(?:Gone|No topic|None|Unknown)$/;

/** What a row is called for people. */
export function nameOf(by: string, row: { key: string; name: string }): string {
  if (by === 'country') return row.key === '' ? t('Unknown') : country(row.key);
  if (by === 'no_ad_reason') return outcomeWords[row.key] ?? words(row.key);
  if (by === 'placement') return placementName(row.name);
  if (by === 'device') return words(row.name);
  if (by === 'day') return longDay(row.key);
  return nameless.test(row.name) ? heard(row.name) : row.name;
}

/** As a table shows them: the day people ask about is the last one. */
export const inOrder = (by: string, rows: readonly ReportRow[]): readonly ReportRow[] =>
  by === 'day' ? rows.toReversed() : rows;

export function ReportTable({
  title,
  state,
  rows,
  shown,
  extra,
  onOrder,
  onNarrow,
}: {
  title: string;
  state: ReportState;
  rows: readonly ReportRow[];
  shown: readonly Measure[];
  extra: readonly Column<ReportRow>[];
  onOrder: (sort: string, down: boolean) => void;
  onNarrow: (row: ReportRow) => void;
}): JSX.Element {
  const listed = useMemo(() => inOrder(state.by, rows), [state.by, rows]);
  // A day that is not over has nothing to be compared with.
  const open = state.by === 'day' ? today(state.zone) : undefined;
  const columns: Column<ReportRow>[] = [
    nameColumn(title, state.by, open, onNarrow),
    ...extra,
    ...shown.map((measure): Column<ReportRow> => ({
      id: measure.id,
      title: measure.title,
      numeric: true,
      sort: state.by === 'day' ? (row) => numberIn(row, measure.id) ?? 0 : 'server',
      cell: (row) => <Figure row={row} measure={measure} isOpen={row.key === open} />,
    })),
  ];
  return (
    <DataTable
      label={t('Report by {title}', { title: inline(title) })}
      rows={listed}
      rowKey={(row) => row.key}
      columns={columns}
      {...(state.by === 'day' || state.sort === '' || state.sort === 'change'
        ? {}
        : { order: { id: state.sort, down: state.down } })}
      onOrder={({ id, down }) => onOrder(id, down)}
    />
  );
}

function nameColumn(
  title: string,
  by: string,
  open: string | undefined,
  onNarrow: (row: ReportRow) => void,
): Column<ReportRow> {
  const canNarrow = narrowing[by] !== undefined;
  return {
    id: 'name',
    title,
    cell: (row) => {
      const name = <span class={by === 'topic' ? 'clip long' : 'clip'}>{nameOf(by, row)}</span>;
      if (row.key === open)
        return (
          <>
            {name} <small>{t('today so far')}</small>
          </>
        );
      return canNarrow && row.key !== '' ? (
        <button type="button" class="row-name" onClick={() => onNarrow(row)}>
          {name}
        </button>
      ) : (
        name
      );
    },
  };
}

/** The number and, where there is a period before, how it changed. */
function Figure({
  row,
  measure,
  isOpen,
}: {
  row: ReportRow;
  measure: Measure;
  isOpen: boolean;
}): JSX.Element {
  const value = numberIn(row, measure.id);
  if (value === null) return <span class="quiet">—</span>;
  const before = numberIn(row.before, measure.id);
  const delta = before === null || isOpen ? null : change(value, before);
  return (
    <>
      {measure.format(value)}
      {delta !== null && Math.abs(delta) >= 0.05 && (
        <span class={`was ${toneOf(delta, measure)}`}>
          <span class="hidden">{delta > 0 ? t('up') : t('down')} </span>
          {delta > 0 ? '+' : '−'}
          {Math.abs(delta) >= 1000 ? '>999%' : percent(Math.abs(delta))}
        </span>
      )}
    </>
  );
}

function toneOf(delta: number, { tone }: Measure): string {
  if (tone === 'plain') return '';
  return delta > 0 === (tone !== 'less') ? 'good' : 'bad';
}
