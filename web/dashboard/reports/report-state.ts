import { useApp } from '../core/boot.js';
import { navigate, useLocation } from '../core/router.js';
import { isZone, saidRange } from '../ui/forms/range-picker.js';
import { dimensions, filterTitles, firstColumns, measures, type Role } from './report-columns.js';

/** Everything a report shows, as it stands in the address: back, reload and sharing keep it. */
export interface ReportState {
  by: string;
  days: number;
  start: string;
  end: string;
  zone: string;
  compare: boolean;
  sort: string;
  down: boolean;
  columns: readonly string[];
  chart: string;
  filters: Readonly<Record<string, string>>;
}

export function useReportState(role: Role): {
  state: ReportState;
  set: (change: Partial<ReportState>) => void;
} {
  const { path, search } = useLocation();
  const { zone, setZone } = useApp();
  const said = (name: string): string => search.get(name) ?? '';
  const shown = measures[role].map(({ id }) => id);
  const columns = said('columns')
    .split(',')
    .filter((name) => shown.includes(name));
  const state: ReportState = {
    by:
      known(
        search.get('by'),
        dimensions[role].map(([id]) => id),
      ) ?? (role === 'publisher' ? 'day' : role === 'operator' ? 'publisher' : 'campaign'),
    ...saidRange({ days: said('days'), start: said('start'), end: said('end') }, 30),
    zone: isZone(said('tz')) ? said('tz') : zone,
    compare: search.get('compare') !== '0',
    sort: known(search.get('sort'), [...shown, 'change']) ?? '',
    down: search.get('order') !== 'asc',
    columns: columns.length === 0 ? firstColumns[role] : columns,
    chart: known(search.get('chart'), shown) ?? firstColumns[role][0] ?? '',
    filters: Object.fromEntries(
      Object.keys(filterTitles).flatMap((name) => {
        const value = search.get(name);
        return value === null ? [] : [[name, value]];
      }),
    ),
  };
  return {
    state,
    set(change) {
      if (change.zone !== undefined) setZone(change.zone);
      navigate(`${path}${addressOf({ ...state, ...change }, role)}`);
    },
  };
}

/** Addresses are typed and old ones are kept: what no choice offers is as if it was not said. */
const known = (said: string | null, offered: readonly string[]): string | undefined =>
  offered.find((one) => one === said);

/** Only what differs from how the page opens. */
function addressOf(state: ReportState, role: Role): string {
  const said = new URLSearchParams();
  said.set('by', state.by);
  if (state.days === 0) {
    said.set('start', state.start);
    said.set('end', state.end);
  } else if (state.days !== 30) said.set('days', String(state.days));
  said.set('tz', state.zone);
  if (!state.compare) said.set('compare', '0');
  if (state.sort !== '') said.set('sort', state.sort);
  if (!state.down) said.set('order', 'asc');
  if (state.columns.join() !== firstColumns[role].join()) said.set('columns', state.columns.join());
  if (state.chart !== firstColumns[role][0]) said.set('chart', state.chart);
  for (const [name, value] of Object.entries(state.filters)) said.set(name, value);
  return `?${said.toString()}`;
}

/** The most the report route answers at once. */
export const allRows = 10_000;
/** Rows a table begins with: enough to read, and soon there. */
export const firstRows = 100;
const allDays = 400;

/** Parameters of the report route. */
export function reportQuery(
  role: Role,
  state: ReportState,
  { by, limit }: { by: string; limit: number },
): Record<string, string | number | undefined> {
  return {
    by,
    ...(state.days === 0 ? { start_date: state.start, end_date: state.end } : { days: state.days }),
    tz: state.zone,
    compare: state.compare ? 'previous' : undefined,
    ...(by === 'day'
      ? {}
      : { sort: state.sort || undefined, order: state.down ? undefined : 'asc' }),
    limit: by === 'day' ? allDays : limit,
    // Operators are not made to wait for what nobody looks at.
    columns: role === 'operator' ? [...state.columns, state.chart].join() : undefined,
    ...state.filters,
  };
}
