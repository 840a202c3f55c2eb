'use client';
import { observeAd, type Ad, type ObserveOptions } from '@sidelight/sdk/browser';
import { useEffect, useRef, useState, type RefCallback } from 'react';

/**
 * Counts the impression of an ad you draw yourself: put the returned ref on its outermost element.
 *
 * @example
 * const ref = useImpression(ad, { onImpression: () => log('seen') });
 * return <aside ref={ref}>…</aside>;
 */
export function useImpression<E extends Element = HTMLElement>(
  ad: Ad | null | undefined,
  options: ObserveOptions<Ad> = {},
): RefCallback<E> {
  const [element, setElement] = useState<E | null>(null);
  // Callbacks change with every render; the observation must not start anew with them.
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const impUrl = ad?.impUrl;
  const shown = useRef(ad);
  useEffect(() => {
    shown.current = ad;
  });
  useEffect(() => {
    if (element === null || impUrl === undefined) return undefined;
    const tell = (call: (current: Ad) => void): void => {
      if (shown.current !== null && shown.current !== undefined) call(shown.current);
    };
    const observation = observeAd(
      element,
      { impUrl },
      {
        onImpression: () => tell((current) => latest.current.onImpression?.(current)),
        onViewable: (_ad, ms) => tell((current) => latest.current.onViewable?.(current, ms)),
      },
    );
    return () => observation.stop();
  }, [element, impUrl]);
  return setElement;
}
