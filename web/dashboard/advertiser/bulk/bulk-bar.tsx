import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { count } from '../../core/format.js';
import { rich, t } from '../../core/language.js';
import { fromField } from '../../core/zone-time.js';
import { Choice, TextField } from '../../ui/forms/fields.js';
import { Confirm, Dialog } from '../../ui/parts.js';

interface Results {
  changed: number;
  results: { id: string; ok: boolean; error?: string }[];
}
type Changes = Record<string, unknown>;

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
  const { say } = useApp();
  const [asking, setAsking] = useState<'edit' | 'archive' | null>(null);
  if (chosen.size === 0) return null;
  const change = changerOf({ chosen, say, setAsking, onDone });
  return (
    <div class="bulk" role="group" aria-label={t('Change what is chosen')}>
      <b>{rich('{chosen} chosen', { chosen: count(chosen.size) })}</b>
      <button type="button" class="button small" onClick={() => void change({ status: 'paused' })}>
        {t('Pause')}
      </button>
      <button type="button" class="button small" onClick={() => void change({ status: 'active' })}>
        {t('Activate')}
      </button>
      <button type="button" class="button small" onClick={() => setAsking('edit')}>
        {t('Budget, bid, end…')}
      </button>
      <button type="button" class="button small danger" onClick={() => setAsking('archive')}>
        {t('Archive')}
      </button>
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

function changerOf({
  chosen,
  say,
  setAsking,
  onDone,
}: {
  chosen: ReadonlySet<string>;
  say: (message: string, kind?: 'good' | 'bad') => void;
  setAsking: (value: 'edit' | 'archive' | null) => void;
  onDone: () => void;
}): (changes: Changes) => Promise<void> {
  const change = async (changes: Changes): Promise<void> => {
    try {
      const { changed, results } = await call<Results>('/advertiser-dashboard/campaigns/bulk', {
        method: 'POST',
        body: { campaign_ids: [...chosen], changes },
      });
      const refused = results.filter((result) => !result.ok);
      const why = [...new Set(refused.map(({ error = '' }) => refusals[error] ?? error))].join(
        ', ',
      );
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
      setAsking(null);
      onDone();
    } catch (error) {
      say(error instanceof ApiError ? error.message : t('Nothing was changed.'), 'bad');
    }
  };
  return change;
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
