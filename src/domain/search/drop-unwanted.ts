// What a query refuses: "without leather", "not clear".
import type { ProductState } from './product-state.js';
import type { QueryPlan } from './query-plan.js';
import { zone } from './scored.js';
import { isSubstance } from './substances.js';

/**
 * What may be shown, without listings of a refused thing; and a mark for those that only mention a
 * refused part in running text.
 */
export function dropUnwanted(
  { engine, columns }: ProductState,
  plan: QueryPlan,
): { eligible: Uint8Array; mentioned: Uint8Array | null } {
  if (plan.unwanted.length === 0) return { eligible: columns.showable, mentioned: null };
  const eligible = columns.showable.slice(0, columns.count);
  const mentioned = new Uint8Array(columns.count);
  for (const [index, terms] of plan.unwanted.entries()) {
    const ruling = (plan.excluded[index] ?? '').split(' ').some(isSubstance)
      ? zone.name | zone.facts | zone.text
      : zone.name | zone.facts;
    // How many of the phrase's words a listing has had so far, where they rule it out and at all.
    const ruled = terms.length > 1 ? new Uint8Array(columns.count) : null;
    const seen = terms.length > 1 ? new Uint8Array(columns.count) : null;
    for (const [order, term] of terms.entries()) {
      engine.visit(term, (doc, zones) => {
        const isRuled = (zones & ruling) !== 0 && (ruled === null || ruled[doc] === order);
        const isSeen = (zones & ~zone.category) !== 0 && (seen === null || seen[doc] === order);
        if (isRuled && ruled !== null) ruled[doc] = order + 1;
        if (isSeen && seen !== null) seen[doc] = order + 1;
        if (order < terms.length - 1) return;
        if (isRuled) eligible[doc] = 0;
        else if (isSeen) mentioned[doc] = 1;
      });
    }
  }
  return { eligible, mentioned };
}
