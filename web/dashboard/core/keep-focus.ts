/**
 * Call it before a change that may take away what has the focus, and the returned function after
 * it: somebody with a keyboard goes on nearby, not at the top of the document.
 */
export function keepFocus(): () => void {
  const held = document.activeElement;
  const places: { own: Element; next: Element | null }[] = [];
  for (let at = held; at !== null && at !== document.body; at = at.parentElement)
    places.push({ own: at, next: at.nextElementSibling ?? at.previousElementSibling });
  return () =>
    afterDrawing(() => {
      if (!isLost()) return;
      for (const { own, next } of places) {
        if (own.isConnected && focusInside(own)) return;
        if (next?.isConnected === true && focusInside(next)) return;
        if (own.id === 'main') break;
      }
      focusHeading();
    });
}

/** The page's heading, for want of anything better. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true });
}

const isLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

function focusInside(place: Element): boolean {
  if (place.id === 'main' || place.contains(document.querySelector('#main'))) return false;
  const targets = [
    ...(place.matches(reachable) ? [place] : []),
    ...place.querySelectorAll(reachable),
  ];
  for (const target of targets) {
    if (target instanceof HTMLElement) target.focus();
    if (!isLost()) return true;
  }
  return false;
}

const reachable = 'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled)';

function afterDrawing(work: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(work));
}
