/** Who handed an ad request on, from the publisher to whoever buys: the trade's `schain` object. */
export interface SupplyChain {
  ver: '1.0';
  /** 1: every step from the publisher on is named. */
  complete: 1;
  nodes: { asi: string; sid: string; hp: 1; rid: string }[];
}

/** We buy from publishers and nobody else, so there is one step: ours. */
export function supplyChainOf(
  systemDomain: string,
  publisherId: string,
  requestId: string,
): SupplyChain {
  return {
    ver: '1.0',
    complete: 1,
    nodes: [{ asi: systemDomain, sid: publisherId, hp: 1, rid: requestId }],
  };
}

/** The domain other systems know somebody by, from the address of their site; null without one. */
export function domainOf(address: string): string | null {
  try {
    const { hostname } = new URL(address.includes('://') ? address : `https://${address}`);
    return hostname === '' ? null : hostname.replace(/^www\./, '');
  } catch {
    return null;
  }
}
