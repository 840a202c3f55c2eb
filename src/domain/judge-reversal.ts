export interface ReversalFacts {
  /** Since the conversion was told of. */
  ageMs: number;
  windowMs: number;
  /** Of the advertiser's, in the last thirty days: paid conversions, and those taken back since. */
  charged: number;
  reversed: number;
}

/** So many may always be taken back, and of more this share. */
const fewest = 3;
const share = 0.3;

/**
 * What becomes of money an advertiser's shop asks back for a cancelled order: orders are cancelled,
 * but late, or most of them, is for a person to decide.
 */
export function judgeReversal(facts: ReversalFacts): 'apply' | 'ask' | 'late' {
  if (facts.ageMs > facts.windowMs) return 'late';
  return facts.reversed < Math.max(fewest, facts.charged * share) ? 'apply' : 'ask';
}
