import { measureLabel, type LabelProof } from './measure-label.js';

/** What the observer needs of an ad. */
export interface Observable {
  impUrl: string;
}

export interface ObserveOptions<T extends Observable = Observable> {
  /** Called once, when half of the ad has come into view. */
  onImpression?: (ad: T) => void;
  /**
   * Called when the ad has been in view for a second in all, and whenever a longer time is
   * reported.
   */
  onViewable?: (ad: T, ms: number) => void;
}

export interface Observation {
  /** Milliseconds in view so far. */
  viewableMs(): number;
  /** Stops watching and reports the time in view. */
  stop(): void;
}

const VIEWABLE_MS = 1000;
const LOOK_AGAIN_MS = 1000;
const MOST_LOOKS = 60;

/**
 * Counts the impression at half visibility and measures the time in view, and whether the label
 * (the element marked `data-sidelight-label`) could be read. Sets no cookies and reads none.
 *
 * @example
 * const observation = observeAd(element, ad, { onImpression: () => console.log('seen') });
 */
export function observeAd<T extends Observable>(
  element: Element,
  ad: T,
  options: ObserveOptions<T> = {},
): Observation {
  const doc = element.ownerDocument;
  const win = doc.defaultView ?? window;
  const clock = createStopwatch(win);
  const { report, resume, pause } = createReporter(element, ad, options, win, clock);
  let counted = false;
  let inView = false;

  function count(): void {
    if (counted) return;
    counted = true;
    sendImpression(ad.impUrl, 0);
    quietly(() => options.onImpression?.(ad));
  }

  function update(): void {
    const active = inView && doc.visibilityState !== 'hidden';
    if (active && !clock.isRunning()) {
      clock.start();
      count();
      resume();
    } else if (!active && clock.isRunning()) {
      clock.stop();
      pause();
    }
  }

  function onVisibility(): void {
    update();
    if (doc.visibilityState === 'hidden') report();
  }

  const unwatch = watchHalf(element, win, (isHalf) => {
    inView = isHalf;
    update();
  });
  doc.addEventListener('visibilitychange', onVisibility);
  win.addEventListener('pagehide', report);

  return {
    viewableMs: clock.elapsed,
    stop() {
      unwatch();
      doc.removeEventListener('visibilitychange', onVisibility);
      win.removeEventListener('pagehide', report);
      inView = false;
      update();
      report();
    },
  };
}

interface Stopwatch {
  isRunning(): boolean;
  start(): void;
  stop(): void;
  /** Milliseconds of all runs that are over. */
  before(): number;
  /** Milliseconds in all, in whole ones. */
  elapsed(): number;
}

function createStopwatch(win: Window): Stopwatch {
  let since: number | null = null;
  let total = 0;
  const running = (): number => (since === null ? 0 : win.performance.now() - since);
  return {
    isRunning: () => since !== null,
    start() {
      since = win.performance.now();
    },
    stop() {
      total += running();
      since = null;
    },
    before: () => total,
    elapsed: () => Math.round(total + running()),
  };
}

/** Tells of the time in view, and again while a better look at the label may come. */
function createReporter<T extends Observable>(
  element: Element,
  ad: T,
  options: ObserveOptions<T>,
  win: Window,
  clock: Stopwatch,
): { report: () => void; resume: () => void; pause: () => void } {
  const label = watchLabel(element);
  let reported = 0;
  let looks = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** A label may come into view, or stop fading in, after the ad has been there for a second. */
  function lookAgain(): void {
    looks += 1;
    label.look();
    if (!label.isDoubtful()) report();
    else if (looks < MOST_LOOKS) timer = setTimeout(lookAgain, LOOK_AGAIN_MS);
  }

  function report(): void {
    if (clock.isRunning()) label.look();
    const ms = clock.elapsed();
    if (ms < VIEWABLE_MS || ms - reported < 1) return;
    reported = ms;
    sendViewable(ad.impUrl, ms, label.proof(), win.navigator);
    quietly(() => options.onViewable?.(ad, ms));
    if (clock.isRunning() && label.isDoubtful()) timer = setTimeout(lookAgain, LOOK_AGAIN_MS);
  }

  function resume(): void {
    if (reported === 0) timer = setTimeout(report, Math.max(0, VIEWABLE_MS - clock.before()) + 20);
    else if (label.isDoubtful()) timer = setTimeout(lookAgain, LOOK_AGAIN_MS);
  }

  return { report, resume, pause: () => clearTimeout(timer) };
}

/** The best look at the label there was: the last one is often at an ad that is leaving. */
function watchLabel(element: Element): {
  look: () => void;
  proof: () => LabelProof | null;
  isDoubtful: () => boolean;
} {
  let best: LabelProof | null = null;
  return {
    look() {
      const found = measured(element);
      if (found !== null && (best === null || worth(found) >= worth(best))) best = found;
    },
    proof: () => best,
    isDoubtful: () => best !== null && worth(best) < 0.99,
  };
}

/** Says whether half of the element is in view, now and whenever that may have changed. */
function watchHalf(
  element: Element,
  win: Window & typeof globalThis,
  say: (isHalf: boolean) => void,
): () => void {
  if (typeof win.IntersectionObserver === 'function') {
    const watcher = new win.IntersectionObserver(
      (entries) => {
        const last = entries[entries.length - 1];
        say(last !== undefined && last.isIntersecting && last.intersectionRatio >= 0.5);
      },
      { threshold: [0, 0.5] },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }
  // Old web views: by geometry, whenever something scrolls or is resized.
  const look = (): void => {
    const { top, left, width, height } = element.getBoundingClientRect();
    const shown = (from: number, size: number, room: number): number =>
      Math.max(0, Math.min(from + size, room) - Math.max(from, 0));
    const seen = shown(left, width, win.innerWidth) * shown(top, height, win.innerHeight);
    say(seen > 0 && seen >= (width * height) / 2);
  };
  const timer = setTimeout(look, 0);
  win.addEventListener('scroll', look, true);
  win.addEventListener('resize', look);
  return () => {
    clearTimeout(timer);
    win.removeEventListener('scroll', look, true);
    win.removeEventListener('resize', look);
  };
}

/**
 * Without credentials, so no cookie travels; tried three times, then once as an image for pages
 * that allow only those.
 */
function sendImpression(url: string, attempt: number): void {
  if (typeof fetch !== 'function') {
    new Image().src = url;
    return;
  }
  fetch(url, { mode: 'no-cors', credentials: 'omit', keepalive: true, cache: 'no-store' }).catch(
    () => {
      if (attempt < 2) setTimeout(() => sendImpression(url, attempt + 1), 500 * 2 ** attempt);
      else new Image().src = url;
    },
  );
}

/**
 * Lands beside the impression URL, so a publisher's proxy carries it too. Plain text needs no
 * preflight.
 */
function sendViewable(impUrl: string, ms: number, label: LabelProof | null, nav: Navigator): void {
  quietly(() => {
    const url = new URL(impUrl, location.href);
    const p = url.searchParams.get('p');
    if (p === null) return;
    url.pathname = url.pathname.replace(/\/(?:ack|track\/imp)$/, '/track/viewable');
    url.search = '';
    const body = JSON.stringify({ p, ms, ...(label === null ? {} : { label }) });
    const isSent = typeof nav.sendBeacon === 'function' && nav.sendBeacon(url.href, body);
    if (!isSent && typeof fetch === 'function')
      void fetch(url.href, {
        method: 'POST',
        body,
        mode: 'no-cors',
        credentials: 'omit',
        keepalive: true,
      }).catch(() => undefined);
  });
}

function worth({ uncovered, opacity }: LabelProof): number {
  return uncovered * opacity;
}

/** Nothing about a page may keep its ad from being counted. */
function measured(element: Element): LabelProof | null {
  try {
    return measureLabel(element);
  } catch {
    return null;
  }
}

/** A publisher's callback or a blocked network must not break the page. */
export function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    setTimeout(() => {
      throw error;
    }, 0); // reported as usual, but outside our own work
  }
}
