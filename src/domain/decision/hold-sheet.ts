// What is left in every budget of this node, as rows of plain numbers in one piece of memory: a
// request asks for two budgets of each of fifty candidates, and that many objects, each with a box
// for every number in it, are cold by the time they are asked.
import type { Scope } from '../billing/paying-scopes.js';

/** Where each number stands in the row of a hold. */
const availableAt = 0;
const reservedAt = 1;
const dearestAt = 2;
/** How many owners have something they were given and have not shown. */
const ownersAt = 3;
const width = 4;

export class HoldSheet {
  numbers = new Float64Array(256 * width);
  /** Another one whenever a number may have been given to another hold. */
  version = 0;
  private readonly holds: (Hold | undefined)[] = [];
  private readonly free: number[] = [];

  add(scopeId: string, day: string): Hold {
    const number = this.free.pop() ?? this.holds.length;
    const from = number * width;
    if (from + width > this.numbers.length) {
      const { numbers } = this;
      this.numbers = new Float64Array(2 * numbers.length);
      this.numbers.set(numbers);
    }
    this.numbers.fill(0, from, from + width);
    const hold = new Hold(this, number, scopeId, day);
    this.holds[number] = hold;
    return hold;
  }

  drop(hold: Hold): void {
    const { number } = hold;
    this.holds[number] = undefined;
    this.version += 1;
    // Who has yet to show something that costs nothing will write there once more.
    if (!hold.isOwned) this.free.push(number);
  }

  at(number: number): Hold {
    const hold = this.holds[number];
    if (hold === undefined) throw new RangeError(`there is no hold ${number}`);
    return hold;
  }

  /** What is left, where nobody has anything to show yet; otherwise NaN: it depends on who asks. */
  room(number: number, wantedMicros: number): number {
    const { numbers } = this;
    const from = number * width;
    if (wantedMicros > (numbers[from + dearestAt] ?? 0))
      numbers[from + dearestAt] = Math.floor(wantedMicros);
    return numbers[from + ownersAt] === 0 ? (numbers[from + availableAt] ?? 0) : NaN;
  }
}

/** What a node was granted of one scope. */
export class Hold implements Scope {
  readonly scopeId: string;
  readonly day: string;
  readonly number: number;
  /** Reserved or refused in this interval, and a decaying mean of that over past ones. */
  asked = 0;
  need = 0;
  last = 0;
  /** A list of nothing else: of ads that are paid from it alone there are thousands at a time. */
  readonly alone: readonly Hold[];
  private readonly sheet: HoldSheet;
  /** What each owner was given and has not shown. */
  private readonly unshown = new Map<string, { ads: number; micros: number }>();

  constructor(sheet: HoldSheet, number: number, scopeId: string, day: string) {
    this.sheet = sheet;
    this.number = number;
    this.scopeId = scopeId;
    this.day = day;
    this.alone = [this];
  }

  get available(): number {
    return this.read(availableAt);
  }

  set available(micros: number) {
    this.write(availableAt, micros);
  }

  get reserved(): number {
    return this.read(reservedAt);
  }

  set reserved(micros: number) {
    this.write(reservedAt, micros);
  }

  /** The dearest single ad asked for. */
  get dearest(): number {
    return this.read(dearestAt);
  }

  set dearest(micros: number) {
    this.write(dearestAt, micros);
  }

  get isOwned(): boolean {
    return this.read(ownersAt) > 0;
  }

  get owners(): Iterable<string> {
    return this.unshown.keys();
  }

  unshownOf(owner: string): { readonly ads: number; readonly micros: number } | undefined {
    // Of most holds nothing is under way.
    return this.isOwned ? this.unshown.get(owner) : undefined;
  }

  countUnshown(owner: string, ads: number, micros: number): void {
    const own = this.unshown.get(owner);
    if (own === undefined) this.unshown.set(owner, { ads, micros });
    else {
      own.ads += ads;
      own.micros += micros;
      if (own.ads === 0) this.unshown.delete(owner);
    }
    this.write(ownersAt, this.unshown.size);
  }

  private read(at: number): number {
    return this.sheet.numbers[this.number * width + at] ?? 0;
  }

  private write(at: number, value: number): void {
    this.sheet.numbers[this.number * width + at] = value;
  }
}
