const parts = 256;

/**
 * A map of many texts. A plain one moves all its entries when it grows, which takes a fifth of a
 * second at a million; this one moves a 256th of them.
 */
export class SplitMap {
  private readonly maps = Array.from({ length: parts }, () => new Map<string, number>());
  private count = 0;

  get size(): number {
    return this.count;
  }

  get(key: string): number | undefined {
    return this.partOf(key).get(key);
  }

  has(key: string): boolean {
    return this.partOf(key).has(key);
  }

  set(key: string, value: number): void {
    const part = this.partOf(key);
    const before = part.size;
    part.set(key, value);
    this.count += part.size - before;
  }

  delete(key: string): boolean {
    const isGone = this.partOf(key).delete(key);
    if (isGone) this.count -= 1;
    return isGone;
  }

  private partOf(key: string): Map<string, number> {
    const { length } = key;
    // The ends differ most: ids share their beginnings, words share their endings.
    const mixed =
      length * 31 +
      (key.charCodeAt(length - 1) | 0) * 17 +
      (key.charCodeAt(length - 2) | 0) * 101 +
      (key.charCodeAt(0) | 0) * 7 +
      (key.charCodeAt(length >> 1) | 0) * 59;
    return this.maps[mixed & (parts - 1)] as Map<string, number>; // below parts
  }
}
