/**
 * Where feedback and leads go: a function of yours, or a path on your own backend, which holds the
 * key.
 */
export type Destination<T> = string | ((message: T) => unknown);

/** Resolves to whether it was taken; never rejects, so an ad can never break a page. */
export async function postToPublisher<T>(
  destination: Destination<T>,
  kind: 'feedback' | 'lead',
  message: T,
): Promise<boolean> {
  try {
    if (typeof destination === 'function') return (await destination(message)) !== false;
    const answer = await fetch(destination, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind, ...message }),
      credentials: 'same-origin',
      keepalive: true,
    });
    return answer.ok;
  } catch {
    // shown to the user where it matters (a form), dropped where it does not (a thumb)
    return false;
  }
}
