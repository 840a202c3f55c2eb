import type { CatalogNews } from '../../../platform/channels.js';
import type { Database } from '../../../platform/db/db.js';
import { loadProducts, type ProductRow } from '../queries.js';
import { KeptRows } from './kept-rows.js';

/**
 * Rows of listings as the database has them now, mostly without asking it.
 *
 * On the embedded engine nobody writes but this process, and the engine's news of a change comes
 * before the answer to the commit: whoever was told that a listing changed finds it changed. On a
 * server others write, and their news may be late or lost: there every row is read.
 */
export class CurrentRows {
  private readonly db: Database;
  private readonly kept: KeptRows | null;
  /** What changed while rows are being read: those of before are not kept. */
  private readonly readings = new Set<{ ids: Set<string>; all: boolean }>();

  constructor(db: Database, bytes: number) {
    this.db = db;
    this.kept = db.engine === 'embedded' && bytes > 0 ? new KeptRows(bytes) : null;
  }

  /** How many are kept, and in how many bytes. */
  get stats(): { rows: number; bytes: number } {
    return { rows: this.kept?.size ?? 0, bytes: this.kept?.bytes ?? 0 };
  }

  /** By id; without those that are not there. */
  async find(ids: readonly string[]): Promise<Map<string, ProductRow>> {
    const found = new Map<string, ProductRow>();
    for (const id of ids) {
      const row = this.kept?.get(id);
      if (row !== undefined) found.set(id, row);
    }
    const missing = found.size === 0 ? ids : ids.filter((id) => !found.has(id));
    if (missing.length > 0)
      for (const row of await this.read(() => loadProducts(this.db, missing)))
        found.set(row.id, row);
    return found;
  }

  /** Keeps what is read for another purpose, too. */
  async read(load: () => Promise<ProductRow[]>): Promise<ProductRow[]> {
    const { kept } = this;
    if (kept === null) return load();
    const changed = { ids: new Set<string>(), all: false };
    this.readings.add(changed);
    try {
      const rows = await load();
      for (const row of rows) {
        if (changed.all || changed.ids.has(row.id)) continue;
        if (row.removed || !row.inStock || row.imageUrl === '') kept.forget(row.id);
        else kept.put(row);
      }
      return rows;
    } finally {
      this.readings.delete(changed);
    }
  }

  /** Before anybody else hears it. Without names, anything may have changed. */
  onNews(news: CatalogNews | null): void {
    if (news === 'merchants') return;
    const ids = news?.productIds ?? null;
    if (ids === null) this.kept?.forgetAll();
    else for (const id of ids) this.kept?.forget(id);
    for (const reading of this.readings)
      if (ids === null) reading.all = true;
      else for (const id of ids) reading.ids.add(id);
  }
}
