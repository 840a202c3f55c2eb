import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { money } from '../core/format.js';
import { navigate } from '../core/router.js';
import { rich, t } from '../core/language.js';
import type { PreviewedAd } from '../ui/ad-preview.js';
import { ChatLooks } from '../ui/chat-looks.js';
import { Card, Page } from '../ui/parts.js';
import { PlacementScenes } from '../ui/placement-scenes.js';
import { Problem } from '../ui/states.js';
import type { Campaign } from './campaign-record.js';
import { AskBudget, isSurprising } from './ask-budget.js';
import { ForecastBox } from './forecast.js';
import { hostOf } from './host-of.js';
import { keepDraft, keptDraft, refusedFields } from './wizard-draft.js';
import { bodyOf, first, type Form, missing, planOf, writtenOf } from './wizard-form.js';
import { AdFields, Audience, Basics, Launch } from './wizard-steps.js';

const steps = [t('Basics'), t('Who it helps'), t('The ad'), t('Budget and launch')] as const;

/** The first field that is wrong, or the first of a new step, once it is drawn. */
function focusField(which: 'wrong' | 'first'): void {
  const fields = which === 'wrong' ? '[aria-invalid="true"],.field-error' : 'input,textarea';
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`.wizard form :is(${fields})`)?.focus(),
    ),
  );
}

export function WizardPage(): JSX.Element {
  const { say, zone, session } = useApp();
  const account = session?.account_id ?? '';
  const [kept] = useState(() => keptDraft(account, first));
  const [form, setForm] = useState<Form>(kept ?? first);
  const step = Math.min(3, Math.max(0, Number(form.step) || 0));
  const [isKept, setKept] = useState(kept !== null);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [shown, setShown] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const [hasUnknown, setUnknown] = useState(false);
  const set = (change: Partial<Form>): void => {
    setForm((before) => {
      const next = { ...before, ...change };
      keepDraft(account, next);
      return next;
    });
    // What is typed anew is not what was refused.
    setRefused((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !(name in change))),
    );
  };
  const setStep = (next: number): void => set({ step: String(next) });
  const errors = { ...refused, ...(shown ? missing(step, form) : {}) };
  const next = (): void => {
    const isComplete = Object.keys(missing(step, form)).length === 0;
    setShown(!isComplete);
    if (isComplete) setStep(step + 1);
    focusField(isComplete ? 'first' : 'wrong');
  };
  const create = async (status: 'active' | 'draft'): Promise<void> => {
    if (Object.keys(missing(3, form)).length > 0) {
      focusField('wrong');
      return setShown(true);
    }
    if (hasUnknown) {
      focusField('wrong');
      return setProblem(
        t('Some fields need another look. Each problem is explained next to its field.'),
      );
    }
    setBusy(true);
    setProblem(null);
    try {
      const made = await call<Campaign>('/advertiser-dashboard/campaigns', {
        method: 'POST',
        body: bodyOf(form, status, zone),
      });
      keepDraft(account, null);
      say(
        status === 'draft'
          ? t('Saved as a draft.')
          : made.review_status === 'approved'
            ? t('Live.')
            : t('Submitted for review.'),
      );
      navigate(`/app/advertiser/campaigns/${made.campaign_id}`);
    } catch (error) {
      const found = refusedFields(error, form.group_type !== 'manual');
      if (found !== null) {
        setRefused(found.errors);
        setStep(found.step);
        focusField('wrong');
      }
      setProblem(
        found !== null
          ? t('Some fields need another look. Each problem is explained next to its field.')
          : error instanceof ApiError
            ? error.message
            : t('The campaign was not created.'),
      );
      setBusy(false);
    }
  };
  const ad = shownAd(form);

  return (
    <Page title={t('Create a campaign')}>
      <ol class="steps">
        {steps.map((title, index) => (
          <li key={title} aria-current={index === step ? 'step' : undefined}>
            {title}
          </li>
        ))}
      </ol>
      {isKept && (
        <p class="notice" role="note">
          {t('This is the draft you left unfinished.')}{' '}
          <button
            type="button"
            class="button small"
            onClick={() => {
              keepDraft(account, null);
              setForm(first);
              setRefused({});
              setShown(false);
              setKept(false);
            }}
          >
            {t('Start over')}
          </button>
        </p>
      )}
      <div class="split wizard">
        <Card title={steps[step] ?? ''}>
          <form
            class="form"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (step < 3) next();
              else if (isSurprising(Number(form.daily_budget))) setAsking(true);
              else void create('active');
            }}
          >
            {problem !== null && <Problem message={problem} />}
            {step === 0 && <Basics form={form} set={set} errors={errors} />}
            {step === 1 && <Audience form={form} set={set} errors={errors} />}
            {step === 2 && <AdFields form={form} set={set} errors={errors} />}
            {step === 3 && (
              <Launch
                form={form}
                set={set}
                errors={errors}
                zone={zone}
                onUnknownCountry={setUnknown}
              />
            )}
            {(step === 1 || step === 3) && <ForecastBox plan={planOf(form, zone)} />}
            <div class="actions">
              {step > 0 && (
                <button type="button" class="button" onClick={() => setStep(step - 1)}>
                  {t('Back')}
                </button>
              )}
              {step < 3 ? (
                <button class="button primary">{t('Continue')}</button>
              ) : (
                <>
                  <button class="button primary" disabled={busy}>
                    {rich('Launch for {daily_budget} a day', {
                      daily_budget: money(Number(form.daily_budget) || 0),
                    })}
                  </button>
                  <button
                    type="button"
                    class="button"
                    disabled={busy}
                    onClick={() => void create('draft')}
                  >
                    {t('Save as draft')}
                  </button>
                </>
              )}
            </div>
          </form>
        </Card>
        <div class="stack">
          <Card title={t('Preview in four chats')}>
            <ChatLooks ad={ad} />
          </Card>
          <Card title={t('Preview in each placement')}>
            <PlacementScenes ad={ad} />
          </Card>
        </div>
      </div>
      {asking && (
        <AskBudget
          daily={Number(form.daily_budget)}
          onYes={() => void create('active')}
          onClose={() => setAsking(false)}
        />
      )}
    </Page>
  );
}

/** As people would see it: the ad that is written by hand, or the first that was chosen. */
function shownAd(form: Form): PreviewedAd {
  const brand = form.brand_name.trim() === '' ? hostOf(form.landing_page) : form.brand_name;
  const written = writtenOf(form).find((ad) => ad.chosen);
  const isManual = form.group_type === 'manual';
  const { headline, copy, cta } = isManual ? form : (written ?? first);
  return {
    title: headline.trim() === '' ? brand : headline,
    adText:
      copy.trim() !== ''
        ? copy
        : isManual
          ? t('Your text appears here.')
          : t('Written from your brief and your page.'),
    cta: cta.trim() === '' ? 'Learn more' : cta,
    brandName: brand,
    image: isManual ? form.image_url : null,
  };
}
