import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

const moved = 'sidelight:moved';

let arriving = false;

/** True once after each move to another page: its heading takes the focus. */
export function hasArrived(): boolean {
  const before = arriving;
  arriving = false;
  return before;
}

export function navigate(to: string, options: { replace?: boolean } = {}): void {
  if (to.split(/[?#]/)[0] !== location.pathname) arriving = true;
  if (options.replace === true) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  dispatchEvent(new Event(moved));
}

export function useLocation(): { path: string; search: URLSearchParams } {
  const [at, setAt] = useState(() => location.pathname + location.search);
  // Before any effect of a child, which may move on at once.
  useLayoutEffect(() => {
    const update = (): void => setAt(location.pathname + location.search);
    const back = (): void => {
      arriving = true;
      update();
    };
    addEventListener('popstate', back);
    addEventListener(moved, update);
    return () => {
      removeEventListener('popstate', back);
      removeEventListener(moved, update);
    };
  }, []);
  const [path = '/', search = ''] = at.split('?');
  return { path, search: new URLSearchParams(search) };
}

export function Link({
  to,
  class: style,
  current,
  children,
  onGo,
}: {
  to: string;
  class?: string;
  current?: boolean;
  children: ComponentChildren;
  onGo?: () => void;
}): JSX.Element {
  return (
    <a
      href={to}
      class={style}
      aria-current={current === true ? 'page' : undefined}
      onClick={(event) => {
        if (
          event.defaultPrevented ||
          event.button !== 0 ||
          event.metaKey ||
          event.ctrlKey ||
          event.shiftKey ||
          event.altKey
        )
          return;
        event.preventDefault();
        navigate(to);
        scrollTo(0, 0);
        onGo?.();
      }}
    >
      {children}
    </a>
  );
}
