import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiError, call } from './api.js';

/** A list that comes in pages behind a cursor; `more` adds the next one. */
export function usePages<Item>(
  path: string,
  itemsOf: (page: Record<string, unknown>) => Item[],
): {
  items: Item[];
  hasMore: boolean;
  loading: boolean;
  error: ApiError | undefined;
  more: () => void;
  reload: () => void;
} {
  const [state, setState] = useState<{
    items: Item[];
    cursor: string | null;
    loading: boolean;
    error: ApiError | undefined;
  }>({ items: [], cursor: null, loading: true, error: undefined });
  const load = useCallback(
    (cursor: string | null, before: readonly Item[]) => {
      setState((old) => ({ ...old, loading: true, error: undefined }));
      const address =
        cursor === null
          ? path
          : `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
      let isOver = false;
      call<Record<string, unknown>>(address).then(
        (page) => {
          if (isOver) return;
          const next = page['next_cursor'];
          setState({
            items: [...before, ...itemsOf(page)],
            cursor: typeof next === 'string' ? next : null,
            loading: false,
            error: undefined,
          });
        },
        (error: unknown) => {
          if (!isOver)
            setState((old) => ({
              ...old,
              loading: false,
              error:
                error instanceof ApiError
                  ? error
                  : new ApiError(0, 'Something went wrong on this page.'),
            }));
        },
      );
      return () => {
        isOver = true;
      };
    },
    [path],
  );
  useEffect(() => load(null, []), [load]);
  return {
    items: state.items,
    hasMore: state.cursor !== null,
    loading: state.loading,
    error: state.error,
    more: () => void load(state.cursor, state.items),
    reload: () => void load(null, []),
  };
}
