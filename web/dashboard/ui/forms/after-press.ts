let isPressed = false;
addEventListener('pointerdown', () => (isPressed = true), true);
for (const end of ['pointerup', 'pointercancel'] as const)
  addEventListener(end, () => (isPressed = false), true);

/**
 * Runs it once the click that is under way is over, or at once where none is: what somebody presses
 * must not move away before they let go, however long they hold it. Returns what calls it off.
 */
export function afterPress(run: () => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The click follows the release in the same turn.
  const wait = (): void => {
    over.abort();
    timer = setTimeout(run);
  };
  if (isPressed)
    for (const end of ['pointerup', 'pointercancel'] as const)
      addEventListener(end, wait, { signal });
  else wait();
  return () => {
    over.abort();
    clearTimeout(timer);
  };
}
