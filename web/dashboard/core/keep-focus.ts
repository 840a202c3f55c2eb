/**
 * Call it before a change that may take away what has the focus, and the returned function after
 * it: somebody with a keyboard goes on nearby, not at the top of the document.
 */
export function keepFocus(): () => void {
  const places = isLost() ? last : placesOf(document.activeElement);
  const held = places[0]?.own;
  const restore = (patience: number): void =>
    afterDrawing(() => {
      if (!isLost()) return;
      // Its work is still being done: it is switched on again in a moment.
      if (patience > 0 && held?.isConnected === true && held.matches(':disabled'))
        return restore(patience - 1);
      for (const { own, next } of places) {
        // What stands beside the page is the menu, which is nowhere near.
        if (own.id === 'main') break;
        if (own.isConnected && focusInside(own)) return;
        if (next?.isConnected === true && focusInside(next)) return;
      }
      focusHeading();
    });
  return () => restore(frames);
}

/** How often to look for what was switched off: some seconds, two frames a look. */
const frames = 100;

/** The page's heading, for want of anything better. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true });
}

interface Place {
  own: Element;
  next: Element | null;
}

/** Where something stands, from itself outwards. */
function placesOf(held: Element | null): Place[] {
  const places: Place[] = [];
  for (let at = held; at !== null && at !== document.body; at = at.parentElement)
    places.push({ own: at, next: at.nextElementSibling ?? at.previousElementSibling });
  return places;
}

/**
 * A button that is switched off while its work is done, or a field that makes way for what it
 * changed, loses the focus before the work is over.
 */
let last: Place[] = [];
document.addEventListener('focusin', (event) => {
  last = placesOf(event.target instanceof Element ? event.target : null);
});

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
