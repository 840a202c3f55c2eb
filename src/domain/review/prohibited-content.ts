// Claims and goods our publishers' users must not be shown without a person deciding. Patterns read
// folded text.
import type { Finding } from './finding.js';
import { foldText } from './fold-text.js';
import { prohibitedRules } from './prohibited-rules.js';

/** At most one finding a rule for each text. */
export function findProhibited(field: string, text: string): Finding[] {
  const folded = foldText(text);
  return prohibitedRules
    .filter(({ patterns }) => patterns.some((pattern) => pattern.test(folded)))
    .map(({ rule, level, message }) => ({ rule, level, field, message }));
}
