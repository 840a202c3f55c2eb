import { readFileSync } from 'node:fs';
import { type IpAddress, parseIp } from './ip-address.js';

/** The data file beside the code, from where the built file lies. */
const bundledRanges = new URL('../../../../catalog/data-centres/ranges.txt', import.meta.url);

/**
 * Tells addresses of the networks where machines run and no people browse. Thousands of ranges:
 * found by halving, which a list of rules would be walked through for.
 */
export function loadDataCentres(file: URL = bundledRanges): (address: string) => boolean {
  const v4: Range[] = [];
  const v6: Range[] = [];
  for (const line of readFileSync(file, 'latin1').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [from = '', to = ''] = line.split(' ');
    const range = { start: Number.parseInt(from, 16), end: Number.parseInt(to, 16) };
    if (!(range.start <= range.end)) throw new Error(`${file.pathname}: ${line} is no range`);
    (from.length === v4Digits ? v4 : v6).push(range);
  }
  for (const ranges of [v4, v6]) ranges.sort((a, b) => a.start - b.start);
  return (text) => {
    const address = parseIp(text);
    return address !== null && isWithin(address.family === 4 ? v4 : v6, keyOf(address));
  };
}

const v4Digits = 8;

interface Range {
  start: number;
  end: number;
}

/** Of IPv6 the first 52 bits, which a number holds exactly. */
function keyOf(address: IpAddress): number {
  return address.family === 4
    ? address.value
    : address.high * 2 ** 20 + Math.floor(address.low / 2 ** 12);
}

function isWithin(ranges: readonly Range[], key: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.start ?? 0) <= key) low = middle + 1;
    else high = middle;
  }
  const last = ranges[low - 1];
  return last !== undefined && key <= last.end;
}
