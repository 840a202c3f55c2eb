import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { change as changeOf, percent } from '../core/format.js';
import { focusHeading, keepFocus } from '../core/keep-focus.js';
import { named, t } from '../core/language.js';
import { hasArrived } from '../core/router.js';

export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  useEffect(() => {
    if (hasArrived()) focusHeading();
  }, []);
  useEffect(() => {
    document.title = `${title} · Sidelight`;
  }, [title]);
  return (
    <>
      <header class="page-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

export function Card({
  title,
  actions,
  children,
  wide,
}: {
  title?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
  wide?: boolean;
}): JSX.Element {
  return (
    <section class={wide === true ? 'card wide' : 'card'} aria-label={title}>
      {title !== undefined && (
        <div class="card-head">
          <h2>{title}</h2>
          {actions !== undefined && <div class="actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/**
 * A number with its change against the period before; more is better, unless it is `plain` neither.
 */
export function Stat({
  label,
  value,
  now,
  before,
  plain = false,
}: {
  label: string;
  value: string;
  now?: number;
  before?: number | undefined;
  plain?: boolean;
}): JSX.Element {
  const delta = now === undefined ? null : changeOf(now, before);
  const direction =
    delta === null || plain || Math.abs(delta) < 0.05 ? 'same' : delta > 0 ? 'good' : 'bad';
  return (
    <div class="stat">
      <dt>{label}</dt>
      <dd>
        <span class={`value ${roomFor(value)}`}>{value}</span>
        {delta !== null && (
          <span class={`delta ${direction}`}>
            {Math.abs(delta) >= 0.05 && (
              <>
                <span aria-hidden="true">{delta > 0 ? '▲' : '▼'} </span>
                <span class="hidden">{delta > 0 ? t('up') : t('down')} </span>
              </>
            )}
            {Math.abs(delta) >= 1000 ? '>999%' : percent(Math.abs(delta))}
          </span>
        )}
      </dd>
    </div>
  );
}

/** An amount in the millions stays on one line of a phone. */
const roomFor = (value: string): string =>
  value.length > 14 ? 'longest' : value.length > 11 ? 'long' : '';

const tones: Record<string, string> = {
  active: 'good',
  approved: 'good',
  deployed: 'good',
  ok: 'good',
  won: 'good',
  paid: 'good',
  live: 'good',
  thumbs_up: 'good',
  test_ok: 'good',
  verified: 'good',
  delivered: 'good',
  paused: 'plain',
  draft: 'plain',
  archived: 'plain',
  not_submitted: 'plain',
  generated: 'plain',
  disconnected: 'plain',
  off: 'plain',
  pending: 'wait',
  pending_review: 'wait',
  open: 'wait',
  issued: 'wait',
  rejected: 'bad',
  blocked: 'bad',
  error: 'bad',
  thumbs_down: 'bad',
  failed: 'bad',
  block: 'bad',
};

export function Badge({ value }: { value: string }): JSX.Element {
  return <span class={`badge ${tones[value] ?? 'plain'}`}>{named(value)}</span>;
}

export function Code({ text, label }: { text: string; label: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  return (
    <figure class="code">
      <figcaption>
        <span>{label}</span>
        <button
          type="button"
          class="button small"
          onClick={() => {
            void navigator.clipboard?.writeText(text).then(() => {
              setCopied(true);
              setTimeout(() => setCopied(false), 1500);
            });
          }}
        >
          {copied ? t('Copied') : t('Copy')}
        </button>
      </figcaption>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** Tabs by the usual keyboard rules: arrows move, the panel belongs to the tab. */
export function Tabs({
  tabs,
  label,
}: {
  tabs: readonly { id: string; title: string; body: () => ComponentChildren }[];
  label: string;
}): JSX.Element {
  const [chosen, setChosen] = useState(tabs[0]?.id ?? '');
  const own = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const index = tabs.findIndex((tab) => tab.id === chosen);
    const next =
      event.key === 'ArrowRight'
        ? index + 1
        : event.key === 'ArrowLeft'
          ? index - 1
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? tabs.length - 1
              : null;
    if (next === null) return;
    event.preventDefault();
    const tab = tabs[(next + tabs.length) % tabs.length];
    if (tab === undefined) return;
    setChosen(tab.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            data-tab={tab.id}
            id={`${own}-${tab.id}`}
            aria-selected={tab.id === chosen}
            aria-controls={`${own}-panel`}
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => setChosen(tab.id)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${own}-panel`} aria-labelledby={`${own}-${chosen}`}>
        {tabs.find((tab) => tab.id === chosen)?.body()}
      </div>
    </div>
  );
}

const answers = ':is(input, select, textarea):not(:disabled, [type="checkbox"], [type="radio"])';

/**
 * A modal dialog of the browser: focus goes to its first field and stays inside, Escape closes, and
 * focus returns to where it came from or next to it.
 */
export function Dialog({
  title,
  onClose,
  children,
  wide,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}): JSX.Element {
  const own = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = own.current;
    const refocus = keepFocus();
    dialog?.showModal();
    // Who is asked for something begins to type; without this the button that closes has the focus.
    dialog?.querySelector<HTMLElement>(answers)?.focus();
    return () => {
      dialog?.close();
      refocus();
    };
  }, []);
  return (
    <dialog
      ref={own}
      class={wide === true ? 'wide' : undefined}
      aria-labelledby={id}
      onCancel={(event) => (event.preventDefault(), onClose())}
    >
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="button small" onClick={onClose}>
          {t('Close')}
        </button>
      </div>
      {children}
    </dialog>
  );
}

/** Asks before something that others will feel; says what it will do, in words. */
export function Confirm({
  title,
  children,
  action,
  danger = false,
  onYes,
  onClose,
}: {
  title: string;
  children: ComponentChildren;
  action: string;
  danger?: boolean;
  onYes: () => void;
  onClose: () => void;
}): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        {children}
        <div class="actions">
          <button
            type="button"
            class={danger ? 'button danger' : 'button primary'}
            onClick={() => {
              onClose();
              onYes();
            }}
          >
            {action}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
