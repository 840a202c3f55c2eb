import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, call } from '../api.js';
import { t } from '../language.js';

export interface Loaded<T> {
  data: T | undefined;
  error: ApiError | undefined;
  loading: boolean;
  /** When the data came. */
  at?: number | undefined;
  reload: () => void;
  /** Shows a value at once; the next load replaces it. */
  put: (change: (data: T) => T) => void;
}

/** What a page shows of whatever went wrong. */
export const pageError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(0, t('Something went wrong on this page.'));

/**
 * Loads JSON and keeps showing the old answer while a new one is under way. A null path loads
 * nothing.
 */
export function useLoad<T>(path: string | null, options: { everyMs?: number } = {}): Loaded<T> {
  const [state, setState] = useState<{
    data: T | undefined;
    error: ApiError | undefined;
    loading: boolean;
    at?: number | undefined;
  }>({ data: undefined, error: undefined, loading: path !== null });
  const [turn, setTurn] = useState(0);
  const { everyMs } = options;
  const shown = useRef<string | null>(null);

  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    setState((before) => ({
      data: shown.current?.split('?')[0] === path.split('?')[0] ? before.data : undefined,
      // Asked again for the same: it is old until an answer comes.
      error: shown.current === path ? before.error : undefined,
      at: before.at,
      loading: true,
    }));
    call<T>(path, { signal: abort.signal }).then(
      (data) => {
        shown.current = path;
        setState({ data, error: undefined, loading: false, at: Date.now() });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setState((before) => ({
          ...before,
          error: pageError(error),
          loading: false,
        }));
      },
    );
    return () => abort.abort();
  }, [path, turn]);

  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(
      () => document.visibilityState === 'visible' && setTurn((value) => value + 1),
      everyMs,
    );
    return () => clearInterval(timer);
  }, [everyMs]);

  const reload = useCallback(() => setTurn((value) => value + 1), []);
  const put = useCallback(
    (change: (data: T) => T) =>
      setState((before) =>
        before.data === undefined ? before : { ...before, data: change(before.data) },
      ),
    [],
  );
  return { ...state, reload, put };
}
