import type { FaultNode } from './node.js';
import type { Scene, SceneOptions } from './scene.js';

export interface Fault {
  readonly name: string;
  /** What happens, for the table. */
  readonly what: string;
  readonly scene: SceneOptions;
  /** Lets it happen and pass. Resolves to what is to be told about it beside the counts. */
  run(scene: Scene): Promise<Outcome>;
  /**
   * What must not be lost cannot be asked of a disk that is gone; the number of what was lost is
   * told.
   */
  readonly mayLose?: boolean;
}

export interface Outcome {
  /** When it was over, by this machine’s clock, and who had to come back. */
  over?: { at: number; node: FaultNode };
  /** Did not go as it must. */
  problems: string[];
  note?: string;
}

/** Waits for a fact; false when it does not come. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  mostMs: number,
): Promise<boolean> {
  for (const end = performance.now() + mostMs; performance.now() < end;) {
    if (await isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return false;
}

/** Lets people use the servers until so many more ad requests were answered. */
export function served({ traffic }: Scene, more: number): Promise<boolean> {
  const before = traffic.acknowledged.requests.size;
  return until(() => traffic.acknowledged.requests.size >= before + more, 30_000);
}
