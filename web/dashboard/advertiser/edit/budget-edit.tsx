import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { money } from '../../core/format.js';
import { t } from '../../core/language.js';
import { InlineEdit } from '../../ui/forms/inline-edit.js';
import { AskBudget, isSurprising } from './ask-budget.js';

/** An amount that becomes a field when it is pressed; Enter saves, Escape leaves it as it was. */
export function BudgetEdit({
  name,
  value,
  onSave,
}: {
  name: string;
  value: number;
  onSave: (value: number) => void;
}): JSX.Element {
  const [draft, setDraft] = useState<string | null>(null);
  const [asking, setAsking] = useState<number | null>(null);
  if (asking !== null)
    return (
      <AskBudget
        daily={asking}
        onYes={() => onSave(asking)}
        onClose={() => {
          setAsking(null);
          setDraft(null);
        }}
      />
    );
  if (draft === null) return <ShownBudget name={name} value={value} setDraft={setDraft} />;
  const next = Number(draft);
  const save = (): void => {
    if (next !== value && isSurprising(next, value)) return setAsking(next);
    setDraft(null);
    if (next !== value) onSave(next);
  };
  return (
    <InlineEdit
      label={t('Daily budget of {name} in dollars', { name })}
      draft={draft}
      isValid={draft.trim() !== '' && Number.isFinite(next) && next > 0}
      setDraft={setDraft}
      onSave={save}
    />
  );
}

function ShownBudget({
  name,
  value,
  setDraft,
}: {
  name: string;
  value: number;
  setDraft: (value: string | null) => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class="sort"
      aria-label={t('Daily budget of {name}: {value}, edit', { name, value: money(value) })}
      onClick={() => setDraft(String(value))}
    >
      {money(value)} <span aria-hidden="true">✎</span>
    </button>
  );
}
