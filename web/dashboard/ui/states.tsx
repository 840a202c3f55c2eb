import type { ComponentChildren, JSX } from 'preact';
import type { Loaded } from '../core/use-load.js';

export function Loading({ label = 'Loading' }: { label?: string }): JSX.Element {
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
          Try again
        </button>
      )}
    </div>
  );
}

/**
 * Shows what a load has come to: nothing yet, a problem, or the data (faded while it is replaced).
 */
export function Shown<T>({
  load,
  children,
}: {
  load: Loaded<T>;
  children: (data: T) => ComponentChildren;
}): JSX.Element {
  if (load.error !== undefined && (load.data === undefined || load.error.status !== 0)) {
    return load.error.status === 403 ? (
      <Problem message={`No permission. ${load.error.message}`} />
    ) : (
      <Problem message={load.error.message} retry={load.reload} />
    );
  }
  if (load.data === undefined) return <Loading />;
  return (
    <div class={load.loading ? 'stale' : undefined} aria-busy={load.loading}>
      {children(load.data)}
    </div>
  );
}
