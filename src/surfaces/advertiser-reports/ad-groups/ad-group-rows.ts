import { csvLine } from '../../../domain/csv.js';
import { toDollars } from '../../../domain/money.js';
import {
  type Piece,
  pieceOf,
  slack,
  writeDecimal,
  writeInteger,
  writePiece,
} from '../../../fast/number-bytes.js';
import { costPerMicros, cpmMicros, percentMicros } from '../../../domain/report-ratios.js';
import type { AdGroupSeries } from './ad-group-series.js';
import type { AdGroupHead } from './ad-group-queries.js';

/**
 * Turns one group after another into bytes, in a buffer of its own: nothing of a group outlives it.
 */
export interface RowWriter {
  /** Before the first group. */
  head: Buffer;
  group(group: AdGroupHead, series: AdGroupSeries, isFirst: boolean): Buffer;
}

/** What stands before each number of a row. */
interface RowFormat {
  before: readonly Piece[];
  after: Piece;
}

const columns = [
  'date',
  'impressions',
  'clicks',
  'spend',
  'conversions',
  'ctr',
  'cpc',
  'cpm',
  'conversion_rate',
  'cpa',
] as const;
/** A date, four counts and six decimals at their longest. */
const longestNumbers = 10 + 4 * 17 + 6 * 20;

const jsonRow: RowFormat = {
  before: columns.map((name, index) =>
    pieceOf(index === 0 ? ',{"date":"' : `${index === 1 ? '"' : ''},"${name}":`),
  ),
  after: pieceOf('}'),
};

export function jsonWriter(dates: readonly string[]): RowWriter {
  const write = rowsWriter(dates);
  return {
    head: Buffer.from('{"ad_groups":['),
    group: (group, series, isFirst) => {
      const head = {
        ad_group_id: group.id,
        campaign_id: group.campaignId,
        name: group.name,
        group_type: group.groupType,
        status: group.status,
      };
      const total = {
        total_impressions: series.sum('impressions'),
        total_clicks: series.sum('clicks'),
        total_spend: toDollars(series.sum('spendMicros')),
        total_conversions: series.sum('conversions'),
      };
      // Every row begins with a comma; the first has nothing before it.
      return Buffer.concat([
        Buffer.from(
          `${isFirst ? '' : ','}${JSON.stringify({ ...head, ...total }).slice(0, -1)},"data":[`,
        ),
        write(series, jsonRow).subarray(1),
        Buffer.from(']}'),
      ]);
    },
  };
}

export function csvWriter(dates: readonly string[]): RowWriter {
  const write = rowsWriter(dates);
  const comma = pieceOf(',');
  const after = pieceOf('\r\n');
  return {
    head: Buffer.from(
      csvLine(['ad_group_id', 'campaign_id', 'name', 'group_type', 'status', ...columns]),
    ),
    group: (group, series) => {
      const head = pieceOf(
        `${csvLine([group.id, group.campaignId, group.name, group.groupType, group.status]).trimEnd()},`,
      );
      return Buffer.from(
        write(series, { before: columns.map((_, index) => (index === 0 ? head : comma)), after }),
      );
    },
  };
}

/** Writes the rows of a series into a buffer that the next one overwrites. */
function rowsWriter(
  dates: readonly string[],
): (series: AdGroupSeries, format: RowFormat) => Buffer {
  const datePieces = dates.map(pieceOf);
  let buffer = Buffer.alloc(0);
  let view = new DataView(buffer.buffer);
  return (series, format) => {
    const longest = format.before.reduce(
      (length, piece) => length + piece.length,
      format.after.length + longestNumbers,
    );
    if (buffer.length < longest * dates.length + slack) {
      buffer = Buffer.allocUnsafeSlow(longest * dates.length + slack);
      view = new DataView(buffer.buffer);
    }
    let at = 0;
    for (let day = 0; day < dates.length; day += 1)
      if (series.isListed(day))
        at = writeRow(view, at, series, day, datePieces[day] ?? format.after, format);
    return buffer.subarray(0, at);
  };
}

function writeRow(
  to: DataView,
  from: number,
  series: AdGroupSeries,
  day: number,
  date: Piece,
  { before, after }: RowFormat,
): number {
  const impressions = series.impressions[day] ?? 0;
  const clicks = series.clicks[day] ?? 0;
  const conversions = series.conversions[day] ?? 0;
  const spendMicros = series.spendMicros[day] ?? 0;
  let at = writePiece(to, writePiece(to, from, before[0] ?? after), date);
  at = writeInteger(to, writePiece(to, at, before[1] ?? after), impressions);
  at = writeInteger(to, writePiece(to, at, before[2] ?? after), clicks);
  at = writeDecimal(to, writePiece(to, at, before[3] ?? after), spendMicros);
  at = writeInteger(to, writePiece(to, at, before[4] ?? after), conversions);
  at = writeDecimal(to, writePiece(to, at, before[5] ?? after), percentMicros(clicks, impressions));
  at = writeDecimal(to, writePiece(to, at, before[6] ?? after), costPerMicros(spendMicros, clicks));
  at = writeDecimal(
    to,
    writePiece(to, at, before[7] ?? after),
    cpmMicros(spendMicros, impressions),
  );
  at = writeDecimal(to, writePiece(to, at, before[8] ?? after), percentMicros(conversions, clicks));
  at = writeDecimal(
    to,
    writePiece(to, at, before[9] ?? after),
    costPerMicros(spendMicros, conversions),
  );
  return writePiece(to, at, after);
}
