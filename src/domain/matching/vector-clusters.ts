import { PackedVectors } from './packed-vectors.js';
import { TopSlots } from './top-slots.js';
import { normalise } from './vectors.js';

type Cluster = { id: number; members: number[] };

const largestCluster = 256;
/** Few enough to look at all of them; beyond, only the nearest clusters are. */
const scanBudget = 2048;
const splitRounds = 4;

/**
 * Nearest vectors among many. Vectors lie in clusters that split in two when they grow too large,
 * so there is nothing to train, an edit
 * costs well under a millisecond, and a search looks at about two thousand vectors however many
 * there are.
 */
export class VectorClusters {
  /** Made with the first vector: only then is it known how long the model's vectors are. */
  #vectors = new PackedVectors(0);
  #centres = new PackedVectors(0);
  readonly #clusters: Cluster[] = [];
  readonly #clusterOf = new Map<number, Cluster>();
  /** Every slot, kept from one search to the next while there are few. */
  #everySlot: number[] | null = null;

  get size(): number {
    return this.#clusterOf.size;
  }

  set(slot: number, vector: Float32Array): void {
    this.delete(slot);
    this.#everySlot = null;
    if (this.size === 0) {
      this.#vectors = new PackedVectors(vector.length);
      this.#centres = new PackedVectors(vector.length);
    }
    this.#vectors.set(slot, vector);
    const cluster = this.#clusters[this.#nearestCentre(vector)] ?? this.#addCluster(vector, []);
    cluster.members.push(slot);
    this.#clusterOf.set(slot, cluster);
    if (cluster.members.length > largestCluster) this.#split(cluster);
  }

  delete(slot: number): void {
    const cluster = this.#clusterOf.get(slot);
    if (cluster === undefined) return;
    this.#clusterOf.delete(slot);
    this.#everySlot = null;
    cluster.members.splice(cluster.members.indexOf(slot), 1);
    if (cluster.members.length === 0) this.#removeCluster(cluster);
  }

  nearest(vector: Float32Array, limit: number): TopSlots {
    const top = new TopSlots(limit);
    const slots = this.#worthLooking(vector);
    const products = this.#vectors.products(slots, vector);
    for (let at = 0; at < slots.length; at++) top.offer(slots[at]!, products[at]!);
    return top;
  }

  /** How near each slot's vector is; null where there is none. */
  nearness(slots: readonly number[], vector: Float32Array): (number | null)[] {
    const known = slots.filter((slot) => this.#clusterOf.has(slot));
    const products =
      known.length === 0 ? new Float32Array() : this.#vectors.products(known, vector);
    const found = new Map(known.map((slot, at) => [slot, products[at]!]));
    return slots.map((slot) => found.get(slot) ?? null);
  }

  #worthLooking(vector: Float32Array): number[] {
    if (this.size <= scanBudget) return (this.#everySlot ??= [...this.#clusterOf.keys()]);
    const near = this.#centres.products(
      this.#clusters.map(({ id }) => id),
      vector,
    );
    const order = this.#clusters.map(({ id }) => id).sort((a, b) => near[b]! - near[a]! || a - b);
    const slots: number[] = [];
    for (const id of order) {
      if (slots.length >= scanBudget) break;
      for (const slot of this.#clusters[id]!.members) slots.push(slot);
    }
    return slots;
  }

  #nearestCentre(vector: Float32Array): number {
    if (this.#clusters.length <= 1) return 0;
    const near = this.#centres.products(
      this.#clusters.map(({ id }) => id),
      vector,
    );
    let nearest = 0;
    for (let id = 1; id < near.length; id++) if (near[id]! > near[nearest]!) nearest = id;
    return nearest;
  }

  #addCluster(centre: Float32Array, members: number[]): Cluster {
    const cluster = { id: this.#clusters.length, members };
    this.#clusters.push(cluster);
    this.#centres.set(cluster.id, centre);
    for (const slot of members) this.#clusterOf.set(slot, cluster);
    return cluster;
  }

  #removeCluster(cluster: Cluster): void {
    const last = this.#clusters.pop()!;
    if (last === cluster) return;
    const centre = centreOf(this.#centres, [last.id]);
    last.id = cluster.id;
    this.#clusters[last.id] = last;
    this.#centres.set(last.id, centre);
  }

  #split(cluster: Cluster): void {
    const { members } = cluster;
    let one = centreOf(this.#vectors, [
      this.#farthest(members, centreOf(this.#centres, [cluster.id])),
    ]);
    let other = centreOf(this.#vectors, [this.#farthest(members, one)]);
    let halves: [number[], number[]] = [members, []];
    for (let round = 0; round < splitRounds; round++) {
      halves = this.#divide(members, one, other);
      one = centreOf(this.#vectors, halves[0]);
      other = centreOf(this.#vectors, halves[1]);
    }
    cluster.members = halves[0];
    this.#centres.set(cluster.id, one);
    this.#addCluster(other, halves[1]);
  }

  #divide(
    members: readonly number[],
    one: Float32Array,
    other: Float32Array,
  ): [number[], number[]] {
    const [toOne, toOther] = [
      this.#vectors.products(members, one),
      this.#vectors.products(members, other),
    ];
    const halves: [number[], number[]] = [[], []];
    members.forEach((slot, at) => halves[toOne[at]! >= toOther[at]! ? 0 : 1].push(slot));
    // Copies of one text lie on one point: cut them anywhere.
    if (halves[0].length === 0 || halves[1].length === 0)
      return [members.slice(0, members.length >> 1), members.slice(members.length >> 1)];
    return halves;
  }

  #farthest(members: readonly number[], from: Float32Array): number {
    const near = this.#vectors.products(members, from);
    let farthest = 0;
    for (let at = 1; at < near.length; at++) if (near[at]! < near[farthest]!) farthest = at;
    return members[farthest]!;
  }
}

function centreOf(vectors: PackedVectors, slots: readonly number[]): Float32Array {
  const sum = new Float32Array(vectors.width);
  for (const slot of slots) vectors.addTo(sum, slot);
  return normalise(sum);
}
