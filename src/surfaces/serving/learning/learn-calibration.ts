import { type AdSignal, stepOf, withinBounds } from '../../../domain/reading/learn-offset.js';
import { nilUuid } from '../../../domain/uuid.js';
import type { Db } from '../../../platform/db/db.js';
import { addToOffsets, loadOffsets, type OffsetRow } from './reading-queries.js';

type Learned = Pick<OffsetRow, 'publisherId' | 'placement' | 'value' | 'signals'>;

/** An ad served by another node: what most ads that are served are stated as. */
const usualRelevance = 0.7;

/**
 * What people do with ads moves how sure we say to be at a publisher and each of its places:
 * slowly, within bounds, summed over nodes, and not where an operator froze it.
 */
export function createCalibrationLearning(db: Db, clock: () => number) {
  let known = new Map<string, OffsetRow>();
  let learned = new Map<string, Learned>();

  function offsetAt(publisherId: string, placement: string): number {
    const key = keyOf(publisherId, placement);
    const row = known.get(key);
    return (row?.value ?? 0) + (row?.frozen === true ? 0 : (learned.get(key)?.value ?? 0));
  }

  function isFrozen(publisherId: string, placement: string): boolean {
    return [keyOf(nilUuid, ''), keyOf(publisherId, ''), keyOf(publisherId, placement)].some(
      (key) => known.get(key)?.frozen === true,
    );
  }

  return {
    /** The least sure of the places asked for decides. */
    offset(publisherId: string, placements: readonly string[]): number {
      const whole = offsetAt(publisherId, '');
      let least = Infinity;
      for (const placement of placements)
        least = Math.min(least, withinBounds(whole + offsetAt(publisherId, placement)));
      return least === Infinity ? 0 : least;
    },
    teach(publisherId: string, place: string, signal: AdSignal, stated = usualRelevance): void {
      if (isFrozen(publisherId, place)) return;
      const step = stepOf(signal, stated) / 2;
      for (const placement of ['', place]) {
        const key = keyOf(publisherId, placement);
        const row = learned.get(key) ?? { publisherId, placement, value: 0, signals: 0 };
        learned.set(key, { ...row, value: row.value + step, signals: row.signals + 1 });
      }
    },
    async load(): Promise<void> {
      const rows = await loadOffsets(db);
      known = new Map(rows.map((row) => [keyOf(row.publisherId, row.placement), row]));
    },
    async save(): Promise<void> {
      const rows = learned;
      learned = new Map();
      try {
        await addToOffsets(db, [...rows.values()], new Date(clock()));
      } catch (error) {
        // Kept for the next round.
        for (const [key, row] of rows) {
          const newer = learned.get(key);
          learned.set(key, {
            ...row,
            value: row.value + (newer?.value ?? 0),
            signals: row.signals + (newer?.signals ?? 0),
          });
        }
        throw error;
      }
      await this.load();
    },
  };
}

export type CalibrationLearning = ReturnType<typeof createCalibrationLearning>;

function keyOf(publisherId: string, placement: string): string {
  return `${publisherId} ${placement}`;
}
