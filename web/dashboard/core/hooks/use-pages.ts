import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, callPage } from '../api.js';
import { pageError } from './use-load.js';

type PageOf = Record<string, unknown>;

interface Pages<Item> {
  items: Item[];
  /** The newest page as it came, for what it says beside its items. */
  page: PageOf | undefined;
  cursor: string | null;
  loading: boolean;
  error: ApiError | undefined;
  at: number | undefined;
}

export interface PagedList<Item> extends Omit<Pages<Item>, 'cursor'> {
  hasMore: boolean;
  more: () => void;
  reload: () => void;
  /** Shows a change at once; the next load replaces it. */
  put: (change: (items: Item[]) => Item[]) => void;
}

/**
 * A list that comes in pages behind a cursor; `more` adds the next one, `reload` fetches again as
 * many as are shown.
 */
export function usePages<Item>(
  path: string,
  itemsOf: (page: PageOf) => Item[],
  { everyMs }: { everyMs?: number } = {},
): PagedList<Item> {
  const [state, setState] = useState<Pages<Item>>({
    items: [],
    page: undefined,
    cursor: null,
    loading: true,
    error: undefined,
    at: undefined,
  });
  const pages = useRef(1);
  const turn = useRef(0);

  const load = useCallback(
    async (cursor: string | null, count: number, before: readonly Item[]): Promise<void> => {
      const own = (turn.current += 1);
      setState((old) => ({ ...old, loading: true }));
      try {
        const came = await pagesFrom(path, cursor, count, itemsOf);
        if (turn.current !== own) return;
        const items = [...before, ...came.items];
        setState({ ...came, items, loading: false, error: undefined, at: Date.now() });
      } catch (error) {
        if (turn.current !== own) return;
        setState((old) => ({ ...old, loading: false, error: pageError(error) }));
      }
    },
    [path],
  );
  const reload = useCallback(() => void load(null, pages.current, []), [load]);

  useEffect(() => {
    pages.current = 1;
    void load(null, 1, []);
    return () => {
      turn.current += 1;
    };
  }, [load]);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);

  const { cursor, ...shown } = state;
  return {
    ...shown,
    hasMore: cursor !== null,
    more: () => {
      pages.current += 1;
      void load(cursor, 1, state.items);
    },
    reload,
    put: (change) => setState((old) => ({ ...old, items: change(old.items) })),
  };
}

/** As many pages as asked for, fewer when there are no more. */
async function pagesFrom<Item>(
  path: string,
  cursor: string | null,
  count: number,
  itemsOf: (page: PageOf) => Item[],
): Promise<Pick<Pages<Item>, 'items' | 'page' | 'cursor'>> {
  const items: Item[] = [];
  let page: PageOf = {};
  let next = cursor;
  for (let index = 0; index < count; index += 1) {
    const came = await callPage<PageOf>(addressOf(path, next));
    page = came.answer;
    items.push(...itemsOf(page));
    next = typeof page['next_cursor'] === 'string' ? page['next_cursor'] : came.next;
    if (next === null) break;
  }
  return { items, page, cursor: next };
}

function addressOf(path: string, cursor: string | null): string {
  return cursor === null
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
}
