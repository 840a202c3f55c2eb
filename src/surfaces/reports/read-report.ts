import type { DayRange } from '../../domain/time/day-range.js';
import { isUuid, nilUuid } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';
import { AppError, fieldError } from '../../platform/errors.js';
import { previousRange, readRange } from '../../platform/http/report-range.js';
import {
  advertiserMeasuresOf,
  type Counted,
  type Measures,
  operatorMeasuresOf,
  publisherMeasuresOf,
} from './measures.js';
import { findNames } from './queries.js';
import { addSums, type Asked, countedBy, emptySums, type Owner, readSums } from './read-sums.js';
import { type Dimension, type Filters, maxDays, type ReportQuery } from './schema.js';
import { findFirstKeptDay, type Sums } from './sum-queries.js';

const measuresOf: Record<Owner['kind'], (sums: Sums, counted: Counted) => Measures> = {
  advertiser: advertiserMeasuresOf,
  publisher: publisherMeasuresOf,
  operator: operatorMeasuresOf,
};

const mainMeasure: Record<Owner['kind'], string> = {
  advertiser: 'spend',
  publisher: 'revenue',
  operator: 'spend',
};

/** Days of these are UTC days whatever zone was asked for. */
const utcOnly = new Set<Dimension>(['topic', 'no_ad_reason']);

/** Requests are counted by these since a release of their own: before, nothing is known. */
const placed = new Set<Dimension>(['country', 'device']);

type Query = { by: Dimension } & Partial<ReportQuery> & Pick<ReportQuery, 'days' | 'tz' | 'limit'>;
/** Worked out of the lines that are shown, and while they are sorted. */
interface Line {
  key: string;
  now: () => Measures;
  before: () => Measures | null;
}

/** Any numbers of an account, by anything they are counted by, beside those of the days before. */
export async function readReport(db: Db, owner: Owner, query: Query, now: number) {
  const asked: Asked = {
    owner,
    by: query.by,
    filters: filtersOf(owner, query),
    columns: columnsOf(owner, query),
  };
  const tz = utcOnly.has(query.by) ? 'UTC' : query.tz;
  const range = readRange({ ...query, tz }, now, maxDays);
  const before =
    query.compare === undefined ? null : await stillKnown(db, query.by, previousRange(range, tz));
  const found = await readSums(db, asked, range, before);
  const current = found.now;
  const previous = before === null ? null : found.before;
  const possible = countedBy(asked);
  const counted = {
    ...possible,
    requests: possible.requests && (!placed.has(query.by) || totalOf(current).requests > 0),
  };
  const show = (sums: Sums): Measures => measuresOf[owner.kind](sums, counted);
  const lines =
    query.by === 'day'
      ? dayLines(range, before, current, previous, show)
      : sorted(keyLines(current, previous, show), owner, query);
  const shown = lines.slice(0, query.limit);
  const names = await namesOf(db, query.by, shown);
  return {
    by: query.by,
    start_date: range.startDate,
    end_date: range.endDate,
    previous: before === null ? null : { start_date: before.startDate, end_date: before.endDate },
    note: noteFor(asked, counted, query.tz),
    filters: await namedFilters(db, owner, asked.filters),
    rows: shown.map((line) => rowOf(line, names)),
    total: show(totalOf(current)),
    ...(previous === null ? {} : { total_before: show(totalOf(previous)) }),
    row_count: lines.length,
  };
}

/** A period of which a part is forgotten is nothing to compare with. */
async function stillKnown(db: Db, by: Dimension, before: DayRange): Promise<DayRange | null> {
  if (by !== 'topic') return before;
  const kept = await findFirstKeptDay(db);
  return kept !== null && before.startDate >= kept ? before : null;
}

/** What a report is sorted by is wanted too. */
function columnsOf(owner: Owner, { by, columns, sort }: Query): ReadonlySet<string> | null {
  if (columns === undefined) return null;
  const sorted = sort === undefined || sort === 'change' ? mainMeasureOf(owner, by) : sort;
  const named = columns.split(',').filter((name) => name !== '');
  return new Set(by === 'day' ? named : [...named, sorted]);
}

const mainMeasureOf = (owner: Owner, by: Dimension): string =>
  by === 'no_ad_reason' ? 'requests' : mainMeasure[owner.kind];

function rowOf(line: Line, names: (key: string) => string) {
  const before = line.before();
  return {
    key: line.key,
    name: names(line.key),
    ...line.now(),
    ...(before === null ? {} : { before }),
  };
}

function filtersOf(owner: Owner, query: Query): Filters {
  const filters: Filters = {
    campaignId: idIn(query.campaign_id),
    adGroupId: idIn(query.ad_group_id),
    adId: idIn(query.ad_id),
    country: query.country ?? null,
    device: query.device ?? null,
    placement: query.placement ?? null,
    publisherId: idIn(query.publisher_id),
    advertiserId: idIn(query.advertiser_id),
  };
  return owner.kind === 'publisher' ? { ...filters, publisherId: owner.id } : filters;
}

function idIn(given: string | undefined): string | null {
  if (given === undefined || given === '') return null;
  if (!isUuid(given)) throw new AppError('not_found');
  return given;
}

function totalOf(sums: ReadonlyMap<string, Sums>): Sums {
  const total = emptySums('');
  for (const row of sums.values()) addSums(total, row);
  return total;
}

/** Every day of the range, set against the day as many days before. */
function dayLines(
  range: DayRange,
  before: DayRange | null,
  current: ReadonlyMap<string, Sums>,
  previous: ReadonlyMap<string, Sums> | null,
  show: (sums: Sums) => Measures,
): Line[] {
  return range.dates.map((date, index) => {
    const past = before?.dates[index] ?? '';
    return {
      key: date,
      now: () => show(current.get(date) ?? emptySums(date)),
      before: () => (previous === null ? null : show(previous.get(past) ?? emptySums(past))),
    };
  });
}

/** What was there before and is gone is a line too: it may be the one that explains a fall. */
function keyLines(
  current: ReadonlyMap<string, Sums>,
  previous: ReadonlyMap<string, Sums> | null,
  show: (sums: Sums) => Measures,
): Line[] {
  const keys = new Set([...current.keys(), ...(previous?.keys() ?? [])]);
  return [...keys].map((key) => ({
    key,
    now: () => show(current.get(key) ?? emptySums(key)),
    before: () => (previous === null ? null : show(previous.get(key) ?? emptySums(key))),
  }));
}

function sorted(lines: Line[], owner: Owner, query: Query): Line[] {
  const main = mainMeasureOf(owner, query.by);
  const column = query.sort === undefined || query.sort === 'change' ? main : query.sort;
  const known = lines[0]?.now() ?? { [column]: 0 };
  if (!(column in known))
    throw fieldError(['query', 'sort'], `Must be change, ${Object.keys(known).join(', ')}`);
  const sign = query.order === 'asc' ? 1 : -1;
  const valueOf = ({ now, before }: Line): number =>
    (now()[column] ?? 0) - (query.sort === 'change' ? (before()?.[column] ?? 0) : 0);
  return lines
    .map((line) => ({ line, value: sign * valueOf(line) }))
    .sort((a, b) => a.value - b.value || (a.line.key < b.line.key ? -1 : 1))
    .map(({ line }) => line);
}

const named = new Set<Dimension>(['campaign', 'ad_group', 'ad', 'publisher', 'advertiser']);
const unknown: Partial<Record<Dimension, string>> = {
  topic: 'No topic',
  country: 'Unknown',
  device: 'Unknown',
  placement: 'Unknown',
};

async function namesOf(
  db: Db,
  by: Dimension,
  lines: readonly Line[],
): Promise<(key: string) => string> {
  if (!named.has(by)) return (key) => (key === '' ? (unknown[by] ?? '') : key);
  // What has a name is one of these five.
  const kind = by as Parameters<typeof findNames>[1];
  const found = await findNames(
    db,
    kind,
    lines.map((line) => line.key).filter((key) => key !== nilUuid),
    null,
  );
  return (key) => found.get(key) ?? (key === nilUuid ? 'None' : 'Gone');
}

/** What the report is narrowed to, by name; of others' things nothing is told. */
async function namedFilters(
  db: Db,
  owner: Owner,
  filters: Filters,
): Promise<{ field: string; name: string }[]> {
  const asked = [
    ['campaign_id', 'campaign', filters.campaignId],
    ['ad_group_id', 'ad_group', filters.adGroupId],
    ['ad_id', 'ad', filters.adId],
    ['publisher_id', 'publisher', owner.kind === 'publisher' ? null : filters.publisherId],
    ['advertiser_id', 'advertiser', filters.advertiserId],
  ] as const;
  const advertiserId = owner.kind === 'advertiser' ? owner.id : null;
  const found: { field: string; name: string }[] = [];
  for (const [field, kind, id] of asked)
    if (id !== null)
      found.push({
        field,
        name: (await findNames(db, kind, [id], advertiserId)).get(id) ?? 'Gone',
      });
  return found;
}

function noteFor({ by, owner }: Asked, counted: Counted, tz: string): string | null {
  if (by === 'topic')
    return owner.kind === 'operator'
      ? 'By the UTC day an ad was served on, of the topic talked about. Only ads whose single events are still kept are counted. Requests and conversions are not split by topic.'
      : 'By the UTC day an ad was served on, of the topic talked about. Only ads whose single events are still kept are counted. Conversions are not split by topic.';
  if (by === 'no_ad_reason')
    return tz === 'UTC' ? null : 'Reasons are counted by UTC day, whatever zone was chosen.';
  if (owner.kind !== 'advertiser' && !counted.requests)
    return placed.has(by)
      ? 'Requests by country and device are not known for these days, or not together with this filter.'
      : 'Requests and fill are counted by publisher, country, device and day only.';
  if (owner.kind !== 'advertiser' && placed.has(by))
    return 'Requests and fill are counted by UTC day, a minute late.';
  return null;
}
