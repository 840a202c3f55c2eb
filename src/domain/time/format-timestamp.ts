/**
 * `2026-11-15T09:30:00`: UTC, whole seconds, no offset: the shape of every timestamp that leaves
 * the service.
 */
export function formatTimestamp(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19);
}
