/** Which groups of a campaign changed; null: perhaps all of it. */
export type Changes = Map<string, Set<string> | null>;

const stepGroups = 500;

/**
 * Everything there is, in steps small enough that no request waits long for one: what could serve
 * now, and what is known
 * although it no longer can. Campaigns with ad units are read whole.
 */
export function planSweep(
  servable: readonly { campaignId: string; groupId: string | null }[],
  known: ReadonlyMap<string, Iterable<string> | null>,
): Changes[] {
  const groups: Changes = new Map(
    [...known].map(([campaignId, keys]) => [campaignId, keys === null ? null : new Set(keys)]),
  );
  for (const { campaignId, groupId } of servable) {
    const own = groups.get(campaignId);
    if (groupId === null || own === null) groups.set(campaignId, null);
    else groups.set(campaignId, (own ?? new Set<string>()).add(groupId));
  }
  const steps: Changes[] = [];
  let step: Changes = new Map();
  let size = 0;
  const next = (): void => {
    if (step.size > 0) steps.push(step);
    step = new Map();
    size = 0;
  };
  for (const [campaignId, own] of groups) {
    // Known without any group: whether it is still there is all there is to see.
    const ids = own === null || own.size === 0 ? null : [...own];
    for (let at = 0; at === 0 || at < (ids?.length ?? 0); at += stepGroups) {
      const part = ids?.slice(at, at + stepGroups) ?? null;
      if (size + (part?.length ?? 1) > stepGroups) next();
      step.set(campaignId, part === null ? null : new Set(part));
      size += part?.length ?? 1;
    }
  }
  next();
  return steps;
}
