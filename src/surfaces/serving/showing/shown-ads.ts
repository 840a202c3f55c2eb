/** Which share of served ads is seen, so that pacing expects what reservations will really cost. */
export function createShownShare() {
  let served = 100;
  let shown = 80;
  return {
    of: () => Math.min(1, shown / served),
    served(): void {
      served += 1;
      if (served < 20_000) return;
      served /= 2;
      shown /= 2;
    },
    shown: (): void => void (shown += 1),
  };
}

/** Recently served ads: what a beacon's token does not say and the click model wants to know. */
export function createShownFacts() {
  const limit = 200_000;
  const facts = new Map<string, { topic: string; relevance: number; pctr: number }>();
  return {
    of: (serveId: string) => facts.get(serveId),
    remember(serveId: string, topic: string, relevance: number, pctr: number): void {
      facts.set(serveId, { topic, relevance, pctr });
      if (facts.size <= limit) return;
      const oldest = facts.keys().next();
      if (oldest.done !== true) facts.delete(oldest.value);
    },
  };
}
