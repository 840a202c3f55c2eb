import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { count } from '../../core/format.js';
import { rich, t } from '../../core/language.js';
import { Confirm } from '../../ui/parts.js';
import { BulkGroupEdit } from './bulk-group-edit.js';

interface Results {
  changed: number;
  results: { id: string; ok: boolean; error?: string }[];
}

const refusals: Record<string, string> = {
  conflict: t('it changed in the meantime or is generated automatically'),
  validation_failed: t('that value is not allowed here'),
  not_found: t('it is gone'),
};

/** The server takes so many at once. */
const mostAtOnce = 200;

export function ChangeBar({
  kind,
  chosen,
  onDone,
}: {
  kind: 'ads' | 'ad_groups';
  chosen: ReadonlySet<string>;
  onDone: () => void;
}): JSX.Element | null {
  const { say } = useApp();
  const [asking, setAsking] = useState<'edit' | 'archive' | null>(null);
  const [busy, setBusy] = useState(false);
  if (chosen.size === 0) return null;
  const change = changerOf({ setBusy, setAsking, kind, chosen, say, onDone });
  const button = (title: string, onClick: () => void, danger = false): JSX.Element => (
    <button
      type="button"
      class={danger ? 'button small danger' : 'button small'}
      disabled={busy}
      onClick={onClick}
    >
      {title}
    </button>
  );
  return (
    <div class="bulk" role="group" aria-label={t('Change what is chosen')}>
      <b>{rich('{chosen} chosen', { chosen: count(chosen.size) })}</b>
      {button(t('Pause'), () => void change({ status: 'paused' }))}
      {button(t('Activate'), () => void change({ status: 'active' }))}
      {kind === 'ad_groups' && button(t('Budget, bid…'), () => setAsking('edit'))}
      {button(t('Archive'), () => setAsking('archive'), true)}
      {asking === 'edit' && (
        <BulkGroupEdit
          size={chosen.size}
          onClose={() => setAsking(null)}
          onSave={(changes) => void change(changes)}
        />
      )}
      {asking === 'archive' && (
        <ArchiveQuestion kind={kind} chosen={chosen} change={change} setAsking={setAsking} />
      )}
    </div>
  );
}

function ArchiveQuestion({
  kind,
  chosen,
  change,
  setAsking,
}: {
  kind: 'ads' | 'ad_groups';
  chosen: ReadonlySet<string>;
  change: (changes: Record<string, unknown>) => Promise<void>;
  setAsking: (value: 'edit' | 'archive' | null) => void;
}): JSX.Element {
  return (
    <Confirm
      title={
        kind === 'ads'
          ? t('Archive {count} ads?', { count: count(chosen.size) })
          : t('Archive {count} ad groups?', { count: count(chosen.size) })
      }
      action={t('Archive')}
      danger
      onYes={() => void change({ status: 'archived' })}
      onClose={() => setAsking(null)}
    >
      <p>{t('They stop showing with the next request.')}</p>
    </Confirm>
  );
}

function changerOf({
  setBusy,
  setAsking,
  kind,
  chosen,
  say,
  onDone,
}: {
  setBusy: (value: boolean) => void;
  setAsking: (value: 'edit' | 'archive' | null) => void;
  kind: 'ads' | 'ad_groups';
  chosen: ReadonlySet<string>;
  say: (message: string, kind?: 'good' | 'bad') => void;
  onDone: () => void;
}): (changes: Record<string, unknown>) => Promise<void> {
  const change = async (changes: Record<string, unknown>): Promise<void> => {
    setBusy(true);
    setAsking(null);
    try {
      const { changed, refused } = await changeAll(kind, [...chosen], changes);
      const why = [...new Set(refused.map((error) => refusals[error] ?? error))].join(', ');
      say(
        refused.length === 0
          ? t('{changed} changed.', { changed: count(changed) })
          : t('{changed} changed, {refused} not: {why}.', {
              changed: count(changed),
              refused: count(refused.length),
              why,
            }),
        refused.length === 0 ? 'good' : 'bad',
      );
      onDone();
    } catch (error) {
      say(error instanceof ApiError ? error.message : t('Nothing was changed.'), 'bad');
    } finally {
      setBusy(false);
    }
  };
  return change;
}

async function changeAll(
  kind: 'ads' | 'ad_groups',
  ids: readonly string[],
  changes: Record<string, unknown>,
): Promise<{ changed: number; refused: string[] }> {
  let changed = 0;
  const refused: string[] = [];
  for (let at = 0; at < ids.length; at += mostAtOnce) {
    const answer = await call<Results>(`/advertiser-dashboard/${kind.replace('_', '-')}/bulk`, {
      method: 'POST',
      body: {
        [kind === 'ads' ? 'ad_ids' : 'ad_group_ids']: ids.slice(at, at + mostAtOnce),
        changes,
      },
    });
    changed += answer.changed;
    refused.push(...answer.results.filter(({ ok }) => !ok).map(({ error = '' }) => error));
  }
  return { changed, refused };
}
