import { type Constraints, failedBy, noConstraints } from './constraints.js';
import type { Tool } from './tool.js';
import type { ToolReading } from './tool-reading.js';
import { unheard, wishNames } from './weigh-wishes.js';

/** The wishes of the model that leave tools out, as the conditions they set. */
const conditions: readonly [string, Partial<Constraints>][] = [
  ...wishNames.map(([wish, name]): [string, Partial<Constraints>] => [name, { [wish]: true }]),
  ...(['eu', 'us', 'apac'] as const).map((region): [string, Partial<Constraints>] => [
    region,
    { region },
  ]),
];
/** So far behind, as a logarithm, what meets a wish may be without casting doubt on it. */
const near = 1;
/** From these odds on the model may have heard a wish. */
export const maybeHeard = 0;
/** How much each step further behind counts against it. */
const doubt = 0.5;

/**
 * Tools and wishes are read by one model from one message, and one says something about the other:
 * where whatever meets a wish is far from answering the message ("pictures stay in our own bucket,
 * resize them on the way"), that was hardly a wish about the tool. What is said outright has odds
 * that outweigh this, and a phrase that the model hears as well stands whatever there is.
 */
export function createWishDoubts(tools: readonly Tool[]): (reading: ToolReading) => ToolReading {
  const meeting = conditions.map(([name, condition]) => {
    const wanted = { ...noConstraints, ...condition };
    const places = tools.flatMap((tool, place) =>
      failedBy(tool, wanted).length === 0 ? [place] : [],
    );
    return [name, places] as const;
  });
  return (reading) => {
    const wishes = new Map(reading.wishes);
    for (const [name, places] of meeting) {
      const odds = wishes.get(name);
      if (odds === undefined) continue;
      let best = -Infinity;
      for (const place of places) best = Math.max(best, reading.likeness[place] ?? -Infinity);
      const doubted = odds - doubt * Math.max(0, -best - near);
      wishes.set(name, odds >= maybeHeard ? Math.max(unheard, doubted) : doubted);
    }
    return { ...reading, wishes };
  };
}
