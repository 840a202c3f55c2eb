import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../core/language.js';
import { TextField } from '../../ui/forms/fields.js';

/** What cannot be undone is done with a reason that others can read later. */
export function ReasonForm({
  hint,
  action,
  onReason,
}: {
  hint: string;
  action: string;
  onReason: (reason: string) => void;
}): JSX.Element {
  const [reason, setReason] = useState('');
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() !== '') onReason(reason.trim());
      }}
    >
      <TextField
        label={t('Reason')}
        value={reason}
        onInput={setReason}
        required
        maxLength={500}
        hint={hint}
      />
      <div>
        <button class="button danger">{action}</button>
      </div>
    </form>
  );
}
