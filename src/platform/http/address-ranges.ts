import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';

/** Adds an address or a CIDR range; throws when it is neither. */
export function addRange(ranges: BlockList, entry: string): void {
  const [network = '', prefix] = entry.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(network) === 0) throw new Error(`${entry} is not an address`);
  ranges.addSubnet(
    network,
    prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix),
    family,
  );
}

/**
 * Tells addresses that a file lists, one address or CIDR range a line, `#` before remarks. Without
 * a file, none.
 */
export function loadAddressRanges(file: string): (address: string) => boolean {
  if (file === '') return () => false;
  const ranges = new BlockList();
  for (const [at, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const entry = line.replace(/#.*/, '').trim();
    if (entry === '') continue;
    try {
      addRange(ranges, entry);
    } catch (error) {
      throw new Error(`${file}, line ${at + 1}: not an address or CIDR range`, { cause: error });
    }
  }
  return (address) => ranges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
