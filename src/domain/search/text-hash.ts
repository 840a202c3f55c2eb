/**
 * Two 32-bit numbers that change when the text does: enough to know that a listing's words stayed
 * the same.
 */
export function textHash(text: string): [number, number] {
  let one = 0x811c9dc5;
  let two = 0x1b873593;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two + code, 0x85ebca6b) ^ (two >>> 13);
  }
  return [one >>> 0, two >>> 0];
}
