// The last clicks of a budget. An ad that is paid by the click keeps the price of one aside until
// it is clicked or not, and few are: with many nodes the last prices lie where nobody comes, and
// the day ends before they are spent. So once a budget that is paid by clicks alone runs short,
// nobody holds anything of it: all nodes serve while the store has room for a click, and a click is
// charged if there is room when it comes. The more ads are out, the more may be clicked at once; so
// each node has a few out at a time.

export type UnheldClicks = {
  /** Somebody was refused: from now on nothing is held of the budget. */
  begin(key: string): void;
  has(key: string): boolean;
  /** What the store had left at the last look; with plenty the budget is held again as before. */
  looked(key: string, roomMicros: number, plentyMicros: number): void;
  /** What an ad of that price may still be served for; nothing while enough of them are out. */
  room(key: string, priceMicros: number, nodes: number, now: number): number;
  /** One more is out. */
  served(key: string, now: number): void;
  /** Forgets budgets that are not live any more. */
  keepOnly(live: { has(key: string): boolean }): void;
};

type Unheld = { roomMicros: number; out: number[] };

/** Ads all nodes together have out for every click there is room for; far fewer are clicked. */
const OUT_A_CLICK = 4;

export function createUnheldClicks(outMs: number): UnheldClicks {
  const known = new Map<string, Unheld>();

  function room(key: string, priceMicros: number, nodes: number, now: number): number {
    const unheld = known.get(key);
    if (unheld === undefined || unheld.roomMicros < priceMicros) return 0;
    const { out, roomMicros } = unheld;
    while ((out[0] ?? now) < now - outMs) out.shift();
    const clicks = Math.floor(roomMicros / Math.max(1, priceMicros));
    const most = Math.max(1, Math.floor((OUT_A_CLICK * clicks) / nodes));
    return out.length < most ? roomMicros : 0;
  }

  return {
    room,
    begin(key) {
      if (!known.has(key)) known.set(key, { roomMicros: 0, out: [] });
    },
    has: (key) => known.has(key),
    looked(key, roomMicros, plentyMicros) {
      const unheld = known.get(key);
      if (unheld === undefined) return;
      if (roomMicros > plentyMicros) known.delete(key);
      else unheld.roomMicros = roomMicros;
    },
    served: (key, now) => void known.get(key)?.out.push(now),
    keepOnly(live) {
      for (const key of known.keys()) if (!live.has(key)) known.delete(key);
    },
  };
}
