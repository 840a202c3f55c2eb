import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { count } from '../../core/format.js';
import { t } from '../../core/language.js';
import { TextField } from '../../ui/forms/fields.js';
import { Dialog } from '../../ui/parts.js';

/** Budget and bid for all chosen groups at once. */
export function BulkGroupEdit({
  size,
  onClose,
  onSave,
}: {
  size: number;
  onClose: () => void;
  onSave: (changes: Record<string, unknown>) => void;
}): JSX.Element {
  const [budget, setBudget] = useState('');
  const [bid, setBid] = useState('');
  const changes = {
    ...(budget === '' ? {} : { daily_budget: budget === '0' ? null : Number(budget) }),
    ...(bid === '' ? {} : { max_cpc: bid === '0' ? null : Number(bid) }),
  };
  const isEmpty = Object.keys(changes).length === 0;
  return (
    <Dialog title={t('Change {count} ad groups', { count: count(size) })} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isEmpty) onSave(changes);
        }}
      >
        <MoneyFields budget={budget} setBudget={setBudget} bid={bid} setBid={setBid} />
        <p class="hint">
          {t(
            'Takes effect with the next request, without review. A lower bid wins fewer auctions; a smaller budget runs out earlier in the day.',
          )}
        </p>
        <div>
          <button class="button primary" disabled={isEmpty}>
            {t('Change {count} ad groups', { count: count(size) })}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function MoneyFields({
  budget,
  setBudget,
  bid,
  setBid,
}: {
  budget: string;
  setBudget: (value: string) => void;
  bid: string;
  setBid: (value: string) => void;
}): JSX.Element {
  return (
    <div class="form-row">
      <TextField
        label={t('Daily budget in whole dollars')}
        value={budget}
        onInput={setBudget}
        type="number"
        min="0"
        step="1"
        hint={t('Leave empty to keep as is. 0 removes the group’s own and uses the campaign’s.')}
      />
      <TextField
        label={t('Most you pay per click')}
        value={bid}
        onInput={setBid}
        type="number"
        min="0"
        step="0.01"
        hint={t('Leave empty to keep as is. 0 uses the campaign’s.')}
      />
    </div>
  );
}
