/** What your user chose, in the words of OpenRTB; pass on what your consent banner gives you. */
export interface Regs {
  /** 1 where the GDPR applies, 0 where it does not. */
  gdpr?: 0 | 1 | boolean;
  /** The TCF string. */
  tcf?: string;
  /** The GPP string, and which of its sections apply. */
  gpp?: string;
  gpp_sid?: readonly number[];
  us_privacy?: string;
  /** 1 for services aimed at children. */
  coppa?: 0 | 1 | boolean;
  /** 1 where the browser sent Global Privacy Control or Do Not Track. */
  gpc?: 0 | 1 | boolean;
  dnt?: 0 | 1 | boolean;
}

/**
 * The ad with your user's choices on both tracking URLs: for a choice made after the ad was
 * requested. The newest one counts.
 *
 * @example
 * const ad = withRegs(served, { gdpr: 1, tcf: consent.tcString });
 */
export function withRegs<T extends { impUrl: string; clickUrl: string }>(ad: T, regs: Regs): T {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(regs)) {
    if (value === undefined || value === null) continue;
    const text = typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
    query.set(name === 'tcf' ? 'gdpr_consent' : name, text);
  }
  if (query.size === 0) return ad;
  const add = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}${query.toString()}`;
  return { ...ad, impUrl: add(ad.impUrl), clickUrl: add(ad.clickUrl) };
}
