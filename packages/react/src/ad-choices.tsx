'use client';
import {
  loadChoices,
  makeChoice,
  type Ad,
  type AdLabels,
  type ChoiceAction,
  type ChoicesView,
} from '@sidelight/sdk/browser';
import { useEffect, useState, type ReactElement } from 'react';

export interface AdChoicesProps {
  ad: Ad;
  labels: AdLabels;
  onChoice?: ((ad: Ad, action: ChoiceAction, made: boolean) => void) | undefined;
}

/** Why this ad, who paid, and what the person wants to do about it; for ads you draw, too. */
export function AdChoices({ ad, labels, onChoice }: AdChoicesProps): ReactElement | null {
  const [view, setView] = useState<ChoicesView | null>(null);
  const [note, setNote] = useState('');
  const { disclosure, choicesUrl } = ad;
  useEffect(() => {
    let isHere = true;
    void loadChoices({ choicesUrl }).then((found) => {
      if (isHere) setView(found);
    });
    return () => {
      isHere = false;
    };
  }, [choicesUrl]);
  const choose = (action: ChoiceAction, isMade: boolean): void => {
    void makeChoice(ad, action, { undo: isMade }).then((next) => {
      if (next !== null) setView(next);
      setNote(next === null ? labels.failed : (next.words['saved'] ?? labels.sent));
      if (next !== null) onChoice?.(ad, action, !isMade);
    });
  };
  return (
    <div data-sl="choices">
      {disclosure == null ? null : (
        <p>
          {disclosure.why} {labels.paidBy} {disclosure.paid_by}.
        </p>
      )}
      <div data-sl="reasons">
        {(view?.choices ?? []).map(({ action, label, made }) => (
          <button
            key={action}
            type="button"
            aria-pressed={made}
            onClick={() => choose(action, made)}
          >
            {made ? `${label} ✓` : label}
          </button>
        ))}
      </div>
      <p role="status">{note}</p>
      {choicesUrl == null || !/^https?:\/\//i.test(choicesUrl) ? null : (
        <a href={choicesUrl} target="_blank" rel="noopener noreferrer">
          {labels.kept}
        </a>
      )}
    </div>
  );
}
