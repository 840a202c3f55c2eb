import { deniedBy } from '../../domain/privacy/decision-table.js';
import type { PrivacyDecision } from '../../domain/privacy/weigh-signals.js';

const nothing: Record<string, string> = {};

/** What an answer says of the signals it was given; nothing where nothing was said. */
export function privacyHeaders({
  permissions,
  signals,
  problems,
}: PrivacyDecision): Record<string, string> {
  const denied = deniedBy(permissions);
  if (signals.length + denied.length + problems.length === 0) return nothing;
  return {
    ...(signals.length === 0 ? {} : { 'privacy-signals': signals.join(', ') }),
    ...(denied.length === 0 ? {} : { 'privacy-denied': denied.join(', ') }),
    ...(problems.length === 0 ? {} : { 'privacy-problems': problems.join(', ') }),
  };
}
