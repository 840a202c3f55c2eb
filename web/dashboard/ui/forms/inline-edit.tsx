import type { JSX } from 'preact';
import { t } from '../../core/language.js';

/** A number being changed where it stands; Enter saves, Escape leaves it as it was. */
export function InlineEdit({
  label,
  draft,
  isValid,
  setDraft,
  onSave,
}: {
  label: string;
  draft: string;
  isValid: boolean;
  /** Null to leave it as it was. */
  setDraft: (value: string | null) => void;
  onSave: () => void;
}): JSX.Element {
  return (
    <form
      class="inline-edit"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) onSave();
      }}
    >
      <input
        aria-label={label}
        inputMode="decimal"
        value={draft}
        aria-invalid={!isValid}
        ref={(field) => {
          if (field !== null && document.activeElement !== field) field.focus();
        }}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDraft(null);
        }}
      />
      <button class="button small" disabled={!isValid}>
        {t('Save')}
      </button>
    </form>
  );
}
