/** How much a term counts by where in the ad group it stands. */
export type Field = 'brand' | 'context' | 'adText' | 'landing';
const fieldWeight: Record<Field, number> = { brand: 255, context: 255, adText: 150, landing: 90 };

export type WeightedTerm = { term: string; weight: number };

/**
 * Postings looked at per query before common terms are left out: what bounds the cost when a word
 * is in every ad.
 */
const postingBudget = 6000;

type Entry = { term: string; slots: number[] };

/**
 * Which ad groups hold which terms. Rare terms lead to groups; the exact overlap is then read
 * from the group's own list.
 */
export class TermIndex {
  readonly #entries = new Map<string, number>();
  readonly #byId: Entry[] = [];
  readonly #freeIds: number[] = [];
  /** Per slot, ascending: term id × 256 + weight. */
  readonly #termsOf: (readonly number[] | undefined)[] = [];
  readonly #prior: (term: string) => number;
  /** Zero between searches. */
  #scores = new Float64Array(1024);
  /**
   * Kept from search to search: thousands of slots each time would be most of the garbage of a
   * decision.
   */
  readonly #touched = new Int32Array(postingBudget);
  #size = 0;

  /**
   * `prior` gives the share of ordinary texts that hold a term, so that rarity means something even
   * among ten ad groups.
   */
  constructor(prior: (term: string) => number) {
    this.#prior = prior;
  }

  set(slot: number, fields: Partial<Record<Field, readonly string[]>>): void {
    this.delete(slot);
    const weights = new Map<number, number>();
    for (const field of ['brand', 'context', 'adText', 'landing'] as const) {
      for (const term of fields[field] ?? []) {
        const id = this.#idOf(term);
        if ((weights.get(id) ?? 0) < fieldWeight[field]) weights.set(id, fieldWeight[field]);
      }
    }
    for (const id of weights.keys()) {
      const entry = this.#byId[id]!;
      // Most terms have one holder, and an array that starts empty takes room for seventeen.
      if (entry.slots.length === 0) entry.slots = [slot];
      else entry.slots.push(slot);
    }
    if (slot >= this.#scores.length)
      this.#scores = new Float64Array(Math.max(slot + 1, this.#scores.length * 2));
    // A copy has no spare room at its end, and a plain array is smaller than a typed one of so few.
    this.#termsOf[slot] = Array.from(weights, ([id, weight]) => id * 256 + weight)
      .sort((a, b) => a - b)
      .slice();
    this.#size++;
  }

  delete(slot: number): void {
    const terms = this.#termsOf[slot];
    if (terms === undefined) return;
    for (const packed of terms) {
      const id = Math.floor(packed / 256);
      const { slots, term } = this.#byId[id]!;
      slots[slots.indexOf(slot)] = slots.at(-1)!;
      slots.pop();
      if (slots.length > 0) continue;
      this.#entries.delete(term);
      this.#freeIds.push(id);
    }
    this.#termsOf[slot] = undefined;
    this.#size--;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * The query's terms with how telling each is; terms nobody uses stay, since they say the talk is
   * about something else too.
   */
  weigh(terms: readonly WeightedTerm[]): WeighedQuery {
    let total = 0;
    const known: { id: number; weight: number }[] = [];
    for (const { term, weight } of terms) {
      const id = this.#entries.get(term);
      const share =
        ((id === undefined ? 0 : this.#byId[id]!.slots.length) + this.#prior(term) * 1000 + 0.5) /
        (this.#size + 1000);
      const telling = weight * Math.max(0, -Math.log(Math.min(1, share * 4)));
      total += telling;
      if (id !== undefined) known.push({ id, weight: telling });
    }
    return { total, known };
  }

  /** Slots that share the most telling terms, up to the budget of postings. */
  holding({ known }: WeighedQuery, offer: (slot: number, score: number) => void): void {
    const scores = this.#scores;
    const touched = this.#touched;
    let found = 0;
    let looked = 0;
    for (const { id, weight } of [...known].sort(
      (a, b) => this.#byId[a.id]!.slots.length - this.#byId[b.id]!.slots.length,
    )) {
      const { slots } = this.#byId[id]!;
      if (looked > 0 && looked + slots.length > postingBudget) break;
      const end = Math.min(slots.length, postingBudget);
      for (let at = 0; at < end; at++) {
        const slot = slots[at]!;
        if (scores[slot] === 0) touched[found++] = slot;
        scores[slot] = scores[slot]! + weight + Number.EPSILON;
      }
      looked += end;
    }
    for (let at = 0; at < found; at++) {
      const slot = touched[at]!;
      offer(slot, scores[slot]!);
      scores[slot] = 0;
    }
  }

  /** The telling share of the query that the ad group holds, 0 to 1. */
  overlap(slot: number, { total, known }: WeighedQuery): number {
    const terms = this.#termsOf[slot];
    if (terms === undefined || total === 0) return 0;
    let found = 0;
    for (const { id, weight } of known) found += (weight * weightIn(terms, id)) / 255;
    return Math.min(1, found / total);
  }

  /** Whether the ad group itself, not just its landing page, holds all of the terms. */
  holds(slot: number, terms: readonly string[]): boolean {
    const own = this.#termsOf[slot];
    if (own === undefined || terms.length === 0) return false;
    return terms.every((term) => {
      const id = this.#entries.get(term);
      return id !== undefined && weightIn(own, id) >= fieldWeight.adText;
    });
  }

  #idOf(term: string): number {
    const known = this.#entries.get(term);
    if (known !== undefined) return known;
    const id = this.#freeIds.pop() ?? this.#byId.length;
    this.#byId[id] = { term, slots: [] };
    this.#entries.set(term, id);
    return id;
  }
}

export type WeighedQuery = { total: number; known: readonly { id: number; weight: number }[] };

function weightIn(terms: readonly number[], id: number): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (terms[middle]! < id * 256) low = middle + 1;
    else high = middle;
  }
  const found = terms[low] ?? -1;
  return Math.floor(found / 256) === id ? found % 256 : 0;
}
