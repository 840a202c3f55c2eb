import { BlockList, isIP, isIPv4 } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { remember } from '../bounded-cache.js';
import { addRange } from './address-ranges.js';

/**
 * Finds the end user's address: the last hop of X-Forwarded-For that no trusted proxy wrote, or the
 * peer itself.
 */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string | null;

const loopback = [
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
] as const;
const privateRanges = [
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const;

/** `trusted` is the TRUST_PROXY list: loopback, private, all, none, addresses or CIDR ranges. */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const all = trusted.includes('all');
  const ranges = new BlockList();
  for (const entry of trusted) {
    if (entry === 'loopback')
      for (const [network, prefix, family] of loopback) ranges.addSubnet(network, prefix, family);
    else if (entry === 'private')
      for (const [network, prefix, family] of privateRanges)
        ranges.addSubnet(network, prefix, family);
    else if (entry !== 'all' && entry !== 'none') addRange(ranges, entry);
  }
  const isTrusted = (address: string): boolean =>
    all || ranges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  // The same peers call again and again: a visitor's browser, and above all the publisher's own
  // proxy.
  const peerOf = remember((remote: string) => {
    const peer = cleanAddress(remote);
    return { peer, isProxy: peer !== null && isTrusted(peer) };
  }, 5000);

  return (request) => {
    const { peer, isProxy } = peerOf(request.socket.remoteAddress ?? '');
    const header = request.headers['x-forwarded-for'];
    if (peer === null || !isProxy || header === undefined) return peer;
    const hops = (Array.isArray(header) ? header.join(',') : header)
      .split(',')
      .map((hop) => cleanAddress(hop))
      .filter((hop) => hop !== null);
    if (all) return hops[0] ?? peer;
    for (let index = hops.length - 1; index >= 0; index -= 1) {
      const hop = hops[index];
      if (hop !== undefined && (!isTrusted(hop) || index === 0)) return hop;
    }
    return peer;
  };
}

/** An address without port, brackets, zone or IPv4 mapping; null when it is none. */
export function cleanAddress(text: string): string | null {
  // How most come, and asked for every request.
  if (isIPv4(text)) return text;
  let address = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1];
  if (bracketed !== undefined) address = bracketed;
  else if (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(address)) address = address.split(':')[0] ?? '';
  address = address.split('%')[0] ?? '';
  address = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return isIP(address) === 0 ? null : address;
}

/** Whether a word of the TRUST_PROXY list can be understood. */
export function isTrustEntry(entry: string): boolean {
  if (['loopback', 'private', 'all', 'none'].includes(entry)) return true;
  try {
    addRange(new BlockList(), entry);
    return true;
  } catch {
    return false;
  }
}
