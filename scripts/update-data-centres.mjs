// `node scripts/update-data-centres.mjs <folder>`: writes catalog/data-centres/ranges.txt from the
// table of networks in <folder>, the unpacked package @ip-location-db/asn (`npm pack` fetches it;
// it is a hundred times the size of what we keep). Data: Route Views and DB-IP, CC BY 4.0.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('name the folder of the unpacked package');
const folder = fileURLToPath(new URL('../catalog/data-centres/', import.meta.url));
const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
const wanted = new Set(
  JSON.parse(readFileSync(join(folder, 'networks.json'), 'utf8')).map(({ asn }) => String(asn)),
);

/** Ranges of the wanted networks, neighbours joined. */
function rangesOf(file, unit) {
  const ranges = [];
  for (const line of readFileSync(join(source, file), 'utf8').split('\n')) {
    const [from, to, asn] = line.split(',', 3);
    if (asn === undefined || !wanted.has(asn)) continue;
    const start = BigInt(from) / unit;
    const end = BigInt(to) / unit;
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end + 1n) last.end = end > last.end ? end : last.end;
    else ranges.push({ start, end });
  }
  return ranges;
}

const hex = (value, digits) => value.toString(16).padStart(digits, '0');
const lines = [
  '# Networks where machines run and no people browse: first and last address of each range in',
  '# hexadecimal, of IPv6 the first 52 bits. Written by scripts/update-data-centres.mjs from',
  `# networks.json and the package @ip-location-db/asn ${version}`,
  '# (Route Views and DB-IP, https://db-ip.com, CC BY 4.0).',
  ...rangesOf('asn-ipv4-num.csv', 1n).map(({ start, end }) => `${hex(start, 8)} ${hex(end, 8)}`),
  // Nobody shares a /52 with a data centre.
  ...rangesOf('asn-ipv6-num.csv', 1n << 76n).map(
    ({ start, end }) => `${hex(start, 13)} ${hex(end, 13)}`,
  ),
];
writeFileSync(join(folder, 'ranges.txt'), `${lines.join('\n')}\n`);
process.stdout.write(`${lines.length - 4} ranges\n`);
