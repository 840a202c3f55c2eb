const inner = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa|intranet|corp)$/;

/**
 * Whether an address somebody else named may be shown to people or followed: on the web, by a
 * public name, without credentials. Numbers in place of a name are refused: shops have names, and
 * what hides behind a number is often inside somebody's network.
 */
export function isPublicWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, hostname } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  if (username !== '' || password !== '') return false;
  const host = hostname.replace(/\.$/, '');
  const isNumber = host.startsWith('[') || /^[\d.]+$/.test(host);
  // A name that ends in a dot too many is still read as the name without it somewhere.
  return host.includes('.') && !host.endsWith('.') && !isNumber && !inner.test(host);
}
