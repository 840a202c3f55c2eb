import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { count } from '../core/format.js';
import { fromField } from '../core/zone-time.js';
import { Choice, TextField } from '../ui/fields.js';
import { Confirm, Dialog } from '../ui/parts.js';

interface Results {
  changed: number;
  results: { id: string; ok: boolean; error?: string }[];
}
type Changes = Record<string, unknown>;

const refusals: Record<string, string> = {
  billing_required: 'billing is needed to activate',
  conflict: 'it changed meanwhile',
  validation_failed: 'the value is not accepted for it',
  not_found: 'it is gone',
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
          ? `${count(changed)} changed.`
          : `${count(changed)} changed, ${count(refused.length)} not: ${why}.`,
        refused.length === 0 ? 'good' : 'bad',
      );
      setAsking(null);
      onDone();
    } catch (error) {
      say(error instanceof ApiError ? error.message : 'Nothing was changed.', 'bad');
    }
  };
  return (
    <div class="bulk" role="group" aria-label="Change what is chosen">
      <b>{count(chosen.size)} chosen</b>
      <button type="button" class="button small" onClick={() => void change({ status: 'paused' })}>
        Pause
      </button>
      <button type="button" class="button small" onClick={() => void change({ status: 'active' })}>
        Activate
      </button>
      <button type="button" class="button small" onClick={() => setAsking('edit')}>
        Budget, bid, end…
      </button>
      <button type="button" class="button small danger" onClick={() => setAsking('archive')}>
        Archive
      </button>
      {asking === 'edit' && (
        <BulkEdit
          size={chosen.size}
          onClose={() => setAsking(null)}
          onSave={(changes) => void change(changes)}
        />
      )}
      {asking === 'archive' && (
        <Confirm
          title={`Archive ${count(chosen.size)} campaigns?`}
          action="Archive"
          danger
          onYes={() => void change({ archived: true })}
          onClose={() => setAsking(null)}
        >
          <p>They are paused and leave the list. You can take them out of the archive again.</p>
        </Confirm>
      )}
    </div>
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
    <Dialog title={`Change ${count(size)} campaigns`} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isEmpty) onSave(changes);
        }}
      >
        <div class="form-row">
          <Choice
            label="Daily budget"
            value={how}
            options={[
              ['percent', 'Up or down by per cent'],
              ['amount', 'The same for all, in dollars'],
            ]}
            onChange={setHow}
          />
          <TextField
            label={how === 'percent' ? 'Per cent' : 'Dollars a day'}
            value={budget}
            onInput={setBudget}
            type="number"
            step="0.01"
            min={how === 'percent' ? '-90' : '0.01'}
            max={how === 'percent' ? '900' : '1000000'}
            hint="Empty: as it is. Holds from now on; what is spent today counts."
          />
        </div>
        <div class="form-row">
          <TextField
            label="Most you pay per click"
            value={bid}
            onInput={setBid}
            type="number"
            min="0"
            step="0.01"
            hint="Empty: as it is. 0: automatic."
          />
          <TextField
            label="Ends"
            value={end}
            onInput={setEnd}
            type="datetime-local"
            hint={`Empty: as it is. Times in ${zone}.`}
          />
        </div>
        <div>
          <button class="button primary" disabled={isEmpty}>
            Change {count(size)} campaigns
          </button>
        </div>
      </form>
    </Dialog>
  );
}
