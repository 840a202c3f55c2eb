import { useEffect, useState } from 'preact/hooks';

export interface Clicked {
  grclid: string;
  brand: string;
}

const changed = 'sidelight:clicked';
let last: Clicked | null = null;

/**
 * The ad clicked last on this page, so that a conversion can follow it in another tab of the
 * playground.
 */
export function rememberClick(click: Clicked): void {
  last = click;
  dispatchEvent(new Event(changed));
}

export function useLastClick(): Clicked | null {
  const [click, setClick] = useState(last);
  useEffect(() => {
    const update = (): void => setClick(last);
    addEventListener(changed, update);
    return () => removeEventListener(changed, update);
  }, []);
  return click;
}
