interface Keyed {
  kind: string;
  id: string;
}

/**
 * A set of events by kind and id. One set a kind: joining both into one key would cost a new string
 * for each look.
 */
export class EventKeys {
  readonly #kinds = new Map<string, Set<string>>();

  /** Whether it was not there before. */
  add({ kind, id }: Keyed): boolean {
    let ids = this.#kinds.get(kind);
    if (ids === undefined) this.#kinds.set(kind, (ids = new Set()));
    const before = ids.size;
    return ids.add(id).size > before;
  }

  /** Takes it out; whether it was there. */
  take({ kind, id }: Keyed): boolean {
    return this.#kinds.get(kind)?.delete(id) ?? false;
  }
}
