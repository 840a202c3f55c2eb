import { BlockList, isIP } from 'node:net';

const special = new BlockList();
/** Apart: one list would check IPv4 addresses against the mapped range as well. */
const special6 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  // Unspecified, loopback, and IPv4 written as IPv6 in the old way.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  special6.addSubnet(network, prefix, 'ipv6');

/**
 * Whether an address is loopback, private, link-local or otherwise not on the public internet. Text
 * that is no address counts as such.
 */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').split('%')[0] ?? '';
  const family = isIP(plain);
  if (family === 4) return special.check(plain, 'ipv4');
  if (family === 0) return true;
  const mapped = mappedAddress(plain);
  return mapped === null ? special6.check(plain, 'ipv6') : special.check(mapped, 'ipv4');
}

/** The IPv4 address inside `::ffff:a.b.c.d`, also where its end is written in hexadecimal. */
function mappedAddress(address: string): string | null {
  const { hostname } = new URL(`http://[${address}]/`);
  const found = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname);
  if (found === null) return null;
  const [high, low] = [Number.parseInt(found[1] ?? '', 16), Number.parseInt(found[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
