import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { EditEffect } from '../../../../src/surfaces/advertisers/view-schema.js';
import { call } from '../../core/api.js';
import { t } from '../../core/language.js';
import { Dialog } from '../../ui/parts.js';

type Effect = Static<typeof EditEffect>;
type Meanwhile = 'keep_showing' | 'stop_showing';
/** What is edited; nothing for something new, which is put into a campaign. */
type Subject = { campaign_id: string } | { ad_group_id: string } | { ad_id: string };

/**
 * Asks the server what an edit would do and, where it takes something off the air or to review,
 * tells before it is saved. `ask` answers what to send along, or null when the person goes back.
 */
export function useAskReview(): ReviewQuestion {
  const [asked, setAsked] = useState<{
    effect: Effect;
    answer: (meanwhile: Meanwhile | null) => void;
  } | null>(null);
  return {
    async ask(subject, changes) {
      const effect = await call<Effect>('/advertiser-dashboard/check-edit', {
        method: 'POST',
        body: { ...subject, changes },
      });
      if (!effect.keeps_approved && !effect.goes_off_air) return {};
      const meanwhile = await new Promise<Meanwhile | null>((answer) =>
        setAsked({ effect, answer }),
      );
      setAsked(null);
      return meanwhile === null ? null : { while_in_review: meanwhile };
    },
    dialog: asked === null ? null : <AskReview effect={asked.effect} onAnswer={asked.answer} />,
  };
}

function AskReview({
  effect,
  onAnswer,
}: {
  effect: Effect;
  onAnswer: (meanwhile: Meanwhile | null) => void;
}): JSX.Element {
  const [meanwhile, setMeanwhile] = useState<Meanwhile>('keep_showing');
  const choices: [Meanwhile, string, string][] = [
    [
      'keep_showing',
      t('Keep the approved version showing'),
      t('People see it until the new one is approved.'),
    ],
    ['stop_showing', t('Stop showing it'), t('Nothing is shown until the new one is approved.')],
  ];
  return (
    <Dialog
      title={
        effect.goes_to_review ? t('This change needs review first') : t('This stops the campaign')
      }
      onClose={() => onAnswer(null)}
    >
      <div class="stack">
        {effect.goes_to_review ? (
          <>
            <p>{t('It changes what people see. What should they see until it is approved?')}</p>
            <MeanwhileChoice choices={choices} meanwhile={meanwhile} setMeanwhile={setMeanwhile} />
          </>
        ) : (
          <p>{effect.message}</p>
        )}
        <div class="actions">
          <button type="button" class="button primary" onClick={() => onAnswer(meanwhile)}>
            {effect.goes_to_review ? t('Save and submit for review') : t('Save')}
          </button>
          <button type="button" class="button" onClick={() => onAnswer(null)}>
            {t('Go back')}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function MeanwhileChoice({
  choices,
  meanwhile,
  setMeanwhile,
}: {
  choices: [Meanwhile, string, string][];
  meanwhile: Meanwhile;
  setMeanwhile: (value: Meanwhile) => void;
}): JSX.Element {
  return (
    <fieldset class="options">
      <legend class="hidden">{t('Until it is approved')}</legend>
      {choices.map(([value, label, hint]) => (
        <label key={value} class="option">
          <input
            type="radio"
            name="meanwhile"
            value={value}
            checked={meanwhile === value}
            onChange={() => setMeanwhile(value)}
          />
          <span>
            <b>{label}</b>
            <br />
            <span class="quiet">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export interface ReviewQuestion {
  ask: (subject: Subject, changes: object) => Promise<{ while_in_review?: Meanwhile } | null>;
  dialog: JSX.Element | null;
}
