import { nameKey } from './product-filters.js';

/**
 * Numbers for names that differ only in case, with the first spelling seen for display. 0 stands
 * for no name.
 */
export class NameTable {
  private readonly byKey = new Map<string, number>();
  readonly names: string[] = [''];

  intern(name: string): number {
    const same = this.byKey.get(name);
    if (same !== undefined) return same;
    const key = nameKey(name);
    if (key === '') return 0;
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    this.byKey.set(key, this.names.length);
    this.names.push(name.trim());
    return this.names.length - 1;
  }

  lookup(name: string): number {
    return this.byKey.get(nameKey(name)) ?? -1;
  }
}
