/** An address as numbers: IPv4 in one, the first 64 bits of IPv6 in two. */
export type IpAddress = { family: 4; value: number } | { family: 6; high: number; low: number };

/**
 * Reads an address as sockets and proxies write it. IPv4 wrapped into IPv6 comes out as IPv4. Null
 * when it is none.
 */
export function parseIp(text: string): IpAddress | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (!bare.includes(':')) {
    const value = parseV4(bare);
    return value === null ? null : { family: 4, value };
  }
  const words = parseV6(bare.split('%', 1)[0] ?? '');
  if (words === null) return null;
  const joined = (at: number): number => words[at]! * 65536 + words[at + 1]!;
  const onlyZeros = words.slice(0, 5).every((word) => word === 0);
  if (onlyZeros && words[5] === 0xffff) return { family: 4, value: joined(6) };
  // NAT64 and 6to4 carry the IPv4 address that says where someone is.
  if (words[0] === 0x64 && words[1] === 0xff9b && words.slice(2, 6).every((word) => word === 0))
    return { family: 4, value: joined(6) };
  if (words[0] === 0x2002) return { family: 4, value: joined(1) };
  return { family: 6, high: joined(0), low: joined(2) };
}

function parseV4(text: string): number | null {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (parts === null) return null;
  let value = 0;
  for (const part of parts.slice(1)) {
    const byte = Number(part);
    if (byte > 255) return null;
    value = value * 256 + byte;
  }
  return value;
}

function parseV6(text: string): number[] | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [before, after] = halves.map(wordsOf);
  if (before === undefined || before === null || after === null) return null;
  if (after === undefined) return before.length === 8 ? before : null;
  const gap = 8 - before.length - after.length;
  return gap < 1 ? null : [...before, ...Array<number>(gap).fill(0), ...after];
}

function wordsOf(text: string): number[] | null {
  if (text === '') return [];
  const words: number[] = [];
  const parts = text.split(':');
  for (const [at, part] of parts.entries()) {
    if (part.includes('.') && at === parts.length - 1) {
      const value = parseV4(part);
      if (value === null) return null;
      words.push(Math.floor(value / 65536), value % 65536);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) words.push(Number.parseInt(part, 16));
    else return null;
  }
  return words;
}

const privateV4: readonly (readonly [number, number])[] = [
  [0x00000000, 0x00ffffff],
  [0x0a000000, 0x0affffff],
  [0x64400000, 0x647fffff],
  [0x7f000000, 0x7fffffff],
  [0xa9fe0000, 0xa9feffff],
  [0xac100000, 0xac1fffff],
  [0xc0a80000, 0xc0a8ffff],
  [0xe0000000, 0xffffffff],
];

/** Addresses that belong to nobody in particular: own machine, local networks, multicast. */
export function isPrivate(address: IpAddress): boolean {
  if (address.family === 4)
    return privateV4.some(([from, to]) => address.value >= from && address.value <= to);
  const first = Math.floor(address.high / 65536);
  return (
    (address.high === 0 && address.low === 0) ||
    (first & 0xfe00) === 0xfc00 ||
    (first & 0xffc0) === 0xfe80 ||
    (first & 0xff00) === 0xff00
  );
}
