import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../../core/boot.js';
import { count } from '../../core/format.js';
import { t } from '../../core/language.js';
import { fromField } from '../../core/zone-time.js';
import { Choice, TextField } from '../../ui/forms/fields.js';
import { Confirm, Dialog } from '../../ui/parts.js';
import { bulkState, type Changes, useBulkChange } from './bulk-change.js';

const refusals: Record<string, string> = {
  billing_required: t('needs billing to activate'),
  conflict: t('changed in the meantime'),
  validation_failed: t('value not allowed'),
  not_found: t('no longer exists'),
};

/** What can be done to everything that is chosen, in one step. */
export function BulkBar({
  chosen,
  onDone,
}: {
  chosen: ReadonlySet<string>;
  onDone: () => void;
}): JSX.Element | null {
  const [asking, setAsking] = useState<'edit' | 'archive' | null>(null);
  const { progress, change: changeAll } = useBulkChange({
    kind: 'campaign',
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
      {button(t('Budget, bid, end…'), () => setAsking('edit'))}
      {button(t('Archive'), () => setAsking('archive'), true)}
      {asking === 'edit' && (
        <BulkEdit
          size={chosen.size}
          onClose={() => setAsking(null)}
          onSave={(changes) => void change(changes)}
        />
      )}
      {asking === 'archive' && (
        <ArchiveQuestion chosen={chosen} change={change} setAsking={setAsking} />
      )}
    </div>
  );
}

function ArchiveQuestion({
  chosen,
  change,
  setAsking,
}: {
  chosen: ReadonlySet<string>;
  change: (changes: Changes) => Promise<void>;
  setAsking: (value: 'edit' | 'archive' | null) => void;
}): JSX.Element {
  return (
    <Confirm
      title={
        chosen.size === 1
          ? t('Archive 1 campaign?')
          : t('Archive {chosen} campaigns?', { chosen: count(chosen.size) })
      }
      action={t('Archive')}
      danger
      onYes={() => void change({ archived: true })}
      onClose={() => setAsking(null)}
    >
      <p>
        {t(
          'They will be paused and removed from this list. You can restore them from the archive later.',
        )}
      </p>
    </Confirm>
  );
}

function BulkEdit({
  size,
  onClose,
  onSave,
}: {
  size: number;
  onClose: () => void;
  onSave: (changes: Changes) => void;
}): JSX.Element {
  const { zone } = useApp();
  const [how, setHow] = useState('percent');
  const [budget, setBudget] = useState('');
  const [bid, setBid] = useState('');
  const [end, setEnd] = useState('');
  const changes: Changes = {
    ...(budget === ''
      ? {}
      : { [how === 'percent' ? 'daily_budget_percent' : 'daily_budget']: Number(budget) }),
    ...(bid === '' ? {} : { max_cpc: Number(bid) }),
    ...(end === '' ? {} : { end_time: fromField(end, zone) }),
  };
  const isEmpty = Object.keys(changes).length === 0;
  return (
    <Dialog
      title={
        size === 1 ? t('Change 1 campaign') : t('Change {size} campaigns', { size: count(size) })
      }
      onClose={onClose}
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isEmpty) onSave(changes);
        }}
      >
        <BudgetFields how={how} setHow={setHow} budget={budget} setBudget={setBudget} />
        <BidAndEndFields bid={bid} setBid={setBid} end={end} setEnd={setEnd} zone={zone} />
        <div>
          <button class="button primary" disabled={isEmpty}>
            {size === 1
              ? t('Change 1 campaign')
              : t('Change {size} campaigns', { size: count(size) })}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function BudgetFields({
  how,
  setHow,
  budget,
  setBudget,
}: {
  how: string;
  setHow: (value: string) => void;
  budget: string;
  setBudget: (value: string) => void;
}): JSX.Element {
  return (
    <div class="form-row">
      <Choice
        label={t('Daily budget')}
        value={how}
        options={[
          ['percent', t('Up or down by a percentage')],
          ['amount', t('The same for all, in dollars')],
        ]}
        onChange={setHow}
      />
      <TextField
        label={how === 'percent' ? t('Per cent') : t('Dollars a day')}
        value={budget}
        onInput={setBudget}
        type="number"
        step="0.01"
        min={how === 'percent' ? '-90' : '0.01'}
        max={how === 'percent' ? '900' : '1000000'}
        hint={t('Leave empty to keep as is. Applies from now on; today’s spend counts toward it.')}
      />
    </div>
  );
}

function BidAndEndFields({
  bid,
  setBid,
  end,
  setEnd,
  zone,
}: {
  bid: string;
  setBid: (value: string) => void;
  end: string;
  setEnd: (value: string) => void;
  zone: string;
}): JSX.Element {
  return (
    <div class="form-row">
      <TextField
        label={t('Most you pay per click')}
        value={bid}
        onInput={setBid}
        type="number"
        min="0"
        step="0.01"
        hint={t('Leave empty to keep as is. 0 means automatic.')}
      />
      <TextField
        label={t('Ends')}
        value={end}
        onInput={setEnd}
        type="datetime-local"
        hint={t('Leave empty to keep as is. Times in {zone}.', { zone })}
      />
    </div>
  );
}
