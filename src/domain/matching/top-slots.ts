/**
 * The best few of many (slot, score) pairs. Equal scores prefer the lower slot, so the order things
 * were looked at never shows.
 */
export class TopSlots {
  readonly slots: number[] = [];
  readonly scores: number[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(slot: number, score: number): void {
    const { slots, scores } = this;
    let at = slots.length;
    if (at === this.#limit && !before(score, slot, scores[at - 1]!, slots[at - 1]!)) return;
    if (at === this.#limit) at--;
    for (; at > 0 && before(score, slot, scores[at - 1]!, slots[at - 1]!); at--) {
      slots[at] = slots[at - 1]!;
      scores[at] = scores[at - 1]!;
    }
    slots[at] = slot;
    scores[at] = score;
  }
}

function before(score: number, slot: number, otherScore: number, otherSlot: number): boolean {
  return score > otherScore || (score === otherScore && slot < otherSlot);
}
