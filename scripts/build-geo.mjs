// Merges the country tables of two packages into build/geo.bin: sorted starts of ranges and one
// country each, ready to be searched as loaded. Data: ip-location-db, from the Number Resource
// Organization's records, CC BY 4.0.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const table = (name) => join(dirname(require.resolve(`@ip-location-db/${name}/package.json`)));
const sources = {
  v4: join(table('geo-whois-asn-country'), 'geo-whois-asn-country-ipv4-num.csv'),
  v6: join(table('asn-country'), 'asn-country-ipv6-num.csv'),
};

/**
 * Starts of ranges with the country that begins there, '' where nobody is recorded. Ranges come
 * sorted by start; a range inside another
 * is the more exact one and wins. Neighbours of one country become one range.
 */
function boundaries(file, bits, toKey) {
  const starts = [];
  const countries = [];
  const begin = (start, country) => {
    if (start >> bits > 0n) return;
    if (starts.at(-1) === start) {
      starts.pop();
      countries.pop();
    }
    if (countries.at(-1) === country) return;
    starts.push(start);
    countries.push(country);
  };
  const open = [];
  const closeBefore = (start) => {
    while (open.length > 0 && open.at(-1).end < start) {
      const { end } = open.pop();
      while (open.length > 0 && open.at(-1).end <= end) open.pop();
      begin(end + 1n, open.at(-1)?.country ?? '');
    }
  };
  begin(0n, '');
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const [from, to, country] = line.trim().split(',');
    const start = toKey(BigInt(from));
    closeBefore(start);
    begin(start, country);
    open.push({ end: toKey(BigInt(to)), country });
  }
  closeBefore(1n << 128n);
  return { starts, countries };
}

/**
 * Layout, all little-endian: the lengths of the three tables, country codes, IPv4 starts, upper and
 * lower halves of the first 64 bits of IPv6 starts, then a country number each.
 */
export function buildGeo(target = join(root, 'build/geo.bin')) {
  const newest = Math.max(
    ...[...Object.values(sources), fileURLToPath(import.meta.url)].map(
      (file) => statSync(file).mtimeMs,
    ),
  );
  if (existsSync(target) && statSync(target).mtimeMs >= newest) return false;
  const v4 = boundaries(sources.v4, 32n, (address) => address);
  // Nobody is given less than a 64-bit prefix.
  const v6 = boundaries(sources.v6, 64n, (address) => address >> 64n);
  const codes = [...new Set([...v4.countries, ...v6.countries])].sort();
  if (codes[0] !== '' || codes.length > 256) throw new Error('country codes do not fit one byte');
  const numberOf = new Map(codes.map((code, at) => [code, at]));
  const parts = [
    Uint32Array.of(codes.length, v4.starts.length, v6.starts.length),
    Buffer.from(
      codes
        .map((code) => code.padEnd(2, ' '))
        .join('')
        .padEnd(512, ' '),
      'latin1',
    ),
    Uint32Array.from(v4.starts, Number),
    Uint32Array.from(v6.starts, (start) => Number(start >> 32n)),
    Uint32Array.from(v6.starts, (start) => Number(start & 0xffffffffn)),
    Uint8Array.from(v4.countries, (code) => numberOf.get(code)),
    Uint8Array.from(v6.countries, (code) => numberOf.get(code)),
  ];
  mkdirSync(dirname(target), { recursive: true });
  const partial = `${target}.${process.pid}`;
  writeFileSync(
    partial,
    Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))),
  );
  renameSync(partial, target);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(buildGeo() ? 'built build/geo.bin\n' : 'build/geo.bin is up to date\n');
