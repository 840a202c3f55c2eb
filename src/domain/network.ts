/**
 * Who shares an address: itself for IPv4, the first 64 bits for IPv6, which one subscriber has all
 * of. Takes an address without zone; anything else is itself.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::', 2);
  const parts = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const front = parts(head);
  // An embedded IPv4 address stands for two groups.
  const back = parts(tail ?? '').flatMap((part) => (part.includes('.') ? [part, part] : [part]));
  const missing = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  return `${[...front, ...Array<string>(missing).fill('0'), ...back]
    .slice(0, 4)
    .map((group) => group.replace(/^0{1,3}(?=.)/, ''))
    .join(':')}::/64`;
}
