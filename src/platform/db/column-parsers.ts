import pg from 'pg';

const INT8 = 20;
const DATE = 1082;
const TIMESTAMP = 1114;
const INT8_ARRAY = 1016;
const DATE_ARRAY = 1182;
const TEXT_ARRAY = 1009;
type KnownOid = Parameters<typeof pg.types.getTypeParser>[0];

function parseInt8(text: string): number {
  const value = Number(text);
  // Money and counters are numbers everywhere: a silently rounded one would be a wrong invoice.
  if (!Number.isSafeInteger(value))
    throw new RangeError(`bigint ${text} does not fit a JavaScript number`);
  return value;
}

const parseTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(
  // The driver's typings list scalar types only; it parses arrays all the same.
  TEXT_ARRAY as KnownOid,
);

const parsers = new Map<number, (text: string) => unknown>([
  [INT8, parseInt8],
  [
    INT8_ARRAY,
    (text) => parseTextArray(text).map((item) => (item === null ? null : parseInt8(item))),
  ],
  [DATE, (text) => text],
  [DATE_ARRAY, parseTextArray],
  // Without a zone the driver would assume the zone of the machine; every session runs in UTC.
  [TIMESTAMP, (text) => new Date(`${text.replace(' ', 'T')}Z`)],
]);

/**
 * How column text becomes JavaScript on both engines; what is not listed keeps the driver's
 * default.
 */
export const columnParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    const own = format === 'binary' ? undefined : parsers.get(oid);
    // The driver types this function as overloads per format; each branch returns what that
    // overload promises.
    return own ?? (pg.types.getTypeParser(oid, format as 'text') as (text: string) => unknown);
  },
};
