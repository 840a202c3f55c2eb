import { readFile } from 'node:fs/promises';
import { open } from 'maxmind';
import type { CountryResponse } from 'maxmind';
import { isPrivate, parseIp } from './ip-address.js';
import type { IpAddress } from './ip-address.js';

export type CountryLookup = {
  /**
   * Two-letter code, or null for private, unknown and unreadable addresses. A best effort: never a
   * reason to refuse anyone.
   */
  countryOf(ip: string): string | null;
};

export const builtCountryTable = new URL('../../../geo.bin', import.meta.url);
const headerBytes = 12;
const codeBytes = 512;

/** The bundled table, or the operator's own `.mmdb` where one is given. */
export async function openCountryLookup(
  options: { mmdbPath?: string | null; table?: URL } = {},
): Promise<CountryLookup> {
  if (options.mmdbPath) return openMmdb(options.mmdbPath);
  const bytes = await readFile(options.table ?? builtCountryTable);
  return readCountryTable(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  );
}

/** See `scripts/build-geo.mjs` for the layout. */
export function readCountryTable(table: ArrayBuffer): CountryLookup {
  const [codeCount = 0, v4Count = 0, v6Count = 0] = new Uint32Array(table, 0, 3);
  const letters = Buffer.from(table, headerBytes, codeCount * 2).toString('latin1');
  const codes = Array.from(
    { length: codeCount },
    (_, at) => letters.slice(at * 2, at * 2 + 2).trim() || null,
  );
  let offset = headerBytes + codeBytes;
  const numbers = (count: number): Uint32Array => {
    const part = new Uint32Array(table, offset, count);
    offset += part.byteLength;
    return part;
  };
  const [v4Starts, v6High, v6Low] = [numbers(v4Count), numbers(v6Count), numbers(v6Count)];
  const v4Countries = new Uint8Array(table, offset, v4Count);
  const v6Countries = new Uint8Array(table, offset + v4Count, v6Count);

  function countryAt(address: IpAddress): string | null {
    if (address.family === 4)
      return (
        codes[v4Countries[lastAtMost(v4Count, (at) => v4Starts[at]! <= address.value)] ?? 0] ?? null
      );
    const { high, low } = address;
    return (
      codes[
        v6Countries[
          lastAtMost(
            v6Count,
            (at) => v6High[at]! < high || (v6High[at] === high && v6Low[at]! <= low),
          )
        ] ?? 0
      ] ?? null
    );
  }
  return {
    countryOf(ip) {
      const address = parseIp(ip);
      return address === null || isPrivate(address) ? null : countryAt(address);
    },
  };
}

/**
 * The last position for which the start is not beyond the address; starts ascend and the first is
 * zero.
 */
function lastAtMost(count: number, isReached: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

async function openMmdb(path: string): Promise<CountryLookup> {
  const reader = await open<CountryResponse>(path, { cache: { max: 10_000 } });
  return {
    countryOf(ip) {
      const address = parseIp(ip);
      if (address === null || isPrivate(address)) return null;
      const found = reader.get(ip.replace(/^\[|\]$/g, '').split('%', 1)[0] ?? '');
      return found?.country?.iso_code ?? found?.registered_country?.iso_code ?? null;
    },
  };
}
