import { PackedVectors } from './packed-vectors.js';
import { TopSlots } from './top-slots.js';
import { dot, normalise, pack } from './vectors.js';
import type { PackedVector } from './vectors.js';

type Cluster = { centre: Float32Array; members: number[] };

const largestCluster = 256;
/** Few enough to look at all of them; beyond, only the nearest clusters are. */
const scanBudget = 2048;
const splitRounds = 4;

/**
 * Nearest vectors among many. Vectors lie in clusters that split in two when they grow too large, so there is nothing to train, an edit
 * costs well under a millisecond, and a search looks at about two thousand vectors however many there are.
 */
export class VectorClusters {
  /** Made with the first vector: only then is it known how long the model's vectors are. */
  #vectors = new PackedVectors(0);
  readonly #clusters: Cluster[] = [];
  readonly #clusterOf = new Map<number, Cluster>();

  get size(): number {
    return this.#clusterOf.size;
  }

  has(slot: number): boolean {
    return this.#clusterOf.has(slot);
  }

  set(slot: number, vector: Float32Array): void {
    this.delete(slot);
    if (this.size === 0) this.#vectors = new PackedVectors(vector.length);
    this.#vectors.set(slot, vector);
    let nearest = this.#clusters[0];
    let most = -Infinity;
    for (const cluster of this.#clusters) {
      const near = dot(cluster.centre, vector);
      if (near <= most) continue;
      most = near;
      nearest = cluster;
    }
    if (nearest === undefined) {
      nearest = { centre: vector.slice(), members: [] };
      this.#clusters.push(nearest);
    }
    nearest.members.push(slot);
    this.#clusterOf.set(slot, nearest);
    if (nearest.members.length > largestCluster) this.#split(nearest);
  }

  delete(slot: number): void {
    const cluster = this.#clusterOf.get(slot);
    if (cluster === undefined) return;
    this.#clusterOf.delete(slot);
    cluster.members.splice(cluster.members.indexOf(slot), 1);
    if (cluster.members.length === 0) this.#clusters.splice(this.#clusters.indexOf(cluster), 1);
  }

  nearest(vector: Float32Array, limit: number): TopSlots {
    const query = pack(vector);
    const top = new TopSlots(limit);
    const order = this.size <= scanBudget
      ? this.#clusters
      : this.#clusters.map((cluster) => ({ cluster, near: dot(cluster.centre, vector) })).sort((a, b) => b.near - a.near).map(({ cluster }) => cluster);
    let scanned = 0;
    for (const { members } of order) {
      if (scanned >= scanBudget) break;
      for (const slot of members) top.offer(slot, this.#vectors.dot(slot, query));
      scanned += members.length;
    }
    return top;
  }

  nearness(slot: number, query: PackedVector): number | null {
    return this.#clusterOf.has(slot) ? this.#vectors.dot(slot, query) : null;
  }

  #split(cluster: Cluster): void {
    const { members } = cluster;
    let one = this.#read(this.#farthest(members, cluster.centre));
    let other = this.#read(this.#farthest(members, one));
    let halves: [number[], number[]] = [members, []];
    for (let round = 0; round < splitRounds; round++) {
      halves = this.#divide(members, one, other);
      one = this.#centre(halves[0]);
      other = this.#centre(halves[1]);
    }
    const fresh: Cluster = { centre: other, members: halves[1] };
    cluster.centre = one;
    cluster.members = halves[0];
    for (const slot of fresh.members) this.#clusterOf.set(slot, fresh);
    this.#clusters.push(fresh);
  }

  #divide(members: readonly number[], one: Float32Array, other: Float32Array): [number[], number[]] {
    const [a, b] = [pack(one), pack(other)];
    const halves: [number[], number[]] = [[], []];
    for (const slot of members) halves[this.#vectors.dot(slot, a) >= this.#vectors.dot(slot, b) ? 0 : 1].push(slot);
    // Copies of one text lie on one point: cut them anywhere.
    if (halves[0].length === 0 || halves[1].length === 0) return [members.slice(0, members.length >> 1), members.slice(members.length >> 1)];
    return halves;
  }

  #farthest(members: readonly number[], from: Float32Array): number {
    const query = pack(from);
    let farthest = members[0]!;
    let least = Infinity;
    for (const slot of members) {
      const near = this.#vectors.dot(slot, query);
      if (near >= least) continue;
      least = near;
      farthest = slot;
    }
    return farthest;
  }

  #read(slot: number): Float32Array {
    return this.#centre([slot]);
  }

  #centre(members: readonly number[]): Float32Array {
    const sum = new Float32Array(this.#vectors.width);
    for (const slot of members) this.#vectors.addTo(sum, slot);
    return normalise(sum);
  }
}
