import type { ComponentChildren, JSX } from 'preact';
import type { ApiError } from '../core/api.js';
import type { Loaded } from '../core/hooks/use-load.js';
import { language, rich, t } from '../core/language.js';

export function Loading({ label = t('Loading') }: { label?: string }): JSX.Element {
  return (
    <div class="loading" role="status">
      <span class="bar" />
      <span class="bar short" />
      <span class="bar" />
      <span class="hidden">{label}…</span>
    </div>
  );
}

export function Empty({
  title,
  children,
}: {
  title: string;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Problem({ message, retry }: { message: string; retry?: () => void }): JSX.Element {
  return (
    <div class="problem" role="alert">
      <p>{message}</p>
      {retry !== undefined && (
        <button class="button" type="button" onClick={retry}>
          {t('Try again')}
        </button>
      )}
    </div>
  );
}

/** A problem over what was shown before it came up: old numbers must not pass for new ones. */
function Outdated({
  error,
  since,
  retry,
}: {
  error: ApiError;
  since: number | undefined;
  retry: () => void;
}): JSX.Element {
  return (
    <div class="problem outdated" role="status">
      <p>
        <b>
          {rich('Not up to date{value}.', {
            value:
              since !== undefined &&
              ` ${t('since {value}', { value: new Date(since).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' }) })}`,
          })}
        </b>{' '}
        {error.message}
      </p>
      <button class="button small" type="button" onClick={retry}>
        {t('Try again')}
      </button>
    </div>
  );
}

/**
 * Shows what a load has come to: nothing yet, a problem, or the data (faded while it is replaced).
 * Data that could not be refreshed stays, under a word that it is old.
 */
export function Shown<T>({
  load,
  children,
}: {
  load: Loaded<T>;
  children: (data: T) => ComponentChildren;
}): JSX.Element {
  const { error, data } = load;
  if (error !== undefined && (data === undefined || error.status === 403 || error.status === 404)) {
    return error.status === 403 ? (
      <Problem message={t('No permission. {message}', { message: error.message })} />
    ) : error.status === 404 ? (
      <Problem message={error.message} />
    ) : (
      <Problem message={error.message} retry={load.reload} />
    );
  }
  if (data === undefined) return <Loading />;
  return (
    <>
      {error !== undefined && <Outdated error={error} since={load.at} retry={load.reload} />}
      <div class={load.loading ? 'stale' : undefined} aria-busy={load.loading}>
        {children(data)}
      </div>
    </>
  );
}

/**
 * A list that comes in pages: a problem, nothing yet, the word for none, or what is there with a
 * button for more. Only an answer may say that there is none.
 */
export function Listed<Item>({
  list,
  empty,
  more = t('Load more'),
  children,
}: {
  list: {
    items: Item[];
    loading: boolean;
    error: ApiError | undefined;
    hasMore: boolean;
    at?: number | undefined;
    more: () => void;
    reload: () => void;
  };
  empty: ComponentChildren;
  more?: string;
  children: (items: Item[]) => ComponentChildren;
}): JSX.Element {
  const { items, error } = list;
  if (items.length === 0)
    return error !== undefined ? (
      <Problem message={error.message} retry={list.reload} />
    ) : list.loading ? (
      <Loading />
    ) : (
      <>{empty}</>
    );
  return (
    <>
      {error !== undefined && <Outdated error={error} since={list.at} retry={list.reload} />}
      {children(items)}
      {list.hasMore && (
        <div class="actions">
          <button type="button" class="button" disabled={list.loading} onClick={list.more}>
            {list.loading ? t('Loading…') : more}
          </button>
        </div>
      )}
    </>
  );
}
