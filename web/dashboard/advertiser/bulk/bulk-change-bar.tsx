import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { count } from '../../core/format.js';
import { t } from '../../core/language.js';
import { Confirm } from '../../ui/parts.js';
import { bulkState, type Changes, useBulkChange } from './bulk-change.js';
import { BulkGroupEdit } from './bulk-group-edit.js';

const refusals: Record<string, string> = {
  conflict: t('it changed in the meantime or is generated automatically'),
  validation_failed: t('that value is not allowed here'),
  not_found: t('it is gone'),
};

export function ChangeBar({
  kind,
  chosen,
  onDone,
}: {
  kind: 'ads' | 'ad_groups';
  chosen: ReadonlySet<string>;
  onDone: () => void;
}): JSX.Element | null {
  const [asking, setAsking] = useState<'edit' | 'archive' | null>(null);
  const { progress, change: changeAll } = useBulkChange({
    kind: kind === 'ads' ? 'ad' : 'ad_group',
    chosen,
    refusals,
    onDone,
  });
  if (chosen.size === 0) return null;
  const change = (changes: Changes): Promise<void> => {
    setAsking(null);
    return changeAll(changes);
  };
  const button = (title: string, onClick: () => void, danger = false): JSX.Element => (
    <button
      type="button"
      class={danger ? 'button small danger' : 'button small'}
      disabled={progress !== null}
      onClick={onClick}
    >
      {title}
    </button>
  );
  return (
    <div class="bulk" role="group" aria-label={t('Change what is chosen')}>
      <b role="status">{bulkState(chosen, progress)}</b>
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
