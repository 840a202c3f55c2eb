import type { JSX } from 'preact';
import { money } from '../../core/format.js';
import { rich, t } from '../../core/language.js';
import type { PreviewedAd } from '../../ui/ads/ad-preview.js';
import { ChatLooks } from '../../ui/ads/chat-looks.js';
import { servedButton } from '../../ui/ads/served-button.js';
import { Card, Page } from '../../ui/parts.js';
import { PlacementScenes } from '../../ui/ads/placement-scenes.js';
import { Problem } from '../../ui/states.js';
import { AskBudget, isSurprising } from '../edit/ask-budget.js';
import { ForecastBox } from '../edit/forecast.js';
import { hostOf } from '../host-of.js';
import { useWizard, type Wizard } from './use-wizard.js';
import { first, type Form, planOf, writtenOf } from './wizard-form.js';
import { AdFields, Audience, Basics, Launch } from './wizard-steps.js';

const steps = [t('Basics'), t('Who it helps'), t('The ad'), t('Budget and launch')] as const;

export function WizardPage(): JSX.Element {
  const wizard = useWizard();
  const ad = shownAd(wizard.form);

  return (
    <Page title={t('Create a campaign')}>
      <Steps wizard={wizard} />
      {wizard.isKept && <KeptDraftNote wizard={wizard} />}
      <div class="split wizard">
        <StepCard wizard={wizard} />
        <div class="stack">
          <Card title={t('Preview in four chats')}>
            <ChatLooks ad={ad} />
          </Card>
          <Card title={t('Preview in each placement')}>
            <PlacementScenes ad={ad} />
          </Card>
        </div>
      </div>
      {wizard.asking && (
        <AskBudget
          daily={Number(wizard.form.daily_budget)}
          onYes={() => void wizard.create('active')}
          onClose={() => wizard.setAsking(false)}
        />
      )}
    </Page>
  );
}

function Steps({ wizard }: { wizard: Wizard }): JSX.Element {
  return (
    <ol class="steps">
      {steps.map((title, index) => (
        <li key={title} aria-current={index === wizard.step ? 'step' : undefined}>
          {title}
        </li>
      ))}
    </ol>
  );
}

function KeptDraftNote({ wizard }: { wizard: Wizard }): JSX.Element {
  return (
    <p class="notice" role="note">
      {t('This is the draft you left unfinished.')}{' '}
      <button type="button" class="button small" onClick={wizard.startAgain}>
        {t('Start over')}
      </button>
    </p>
  );
}

function StepCard({ wizard }: { wizard: Wizard }): JSX.Element {
  return (
    <Card title={steps[wizard.step] ?? ''}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (wizard.step < 3) wizard.next();
          else if (isSurprising(Number(wizard.form.daily_budget))) wizard.setAsking(true);
          else void wizard.create('active');
        }}
      >
        {wizard.problem !== null && <Problem message={wizard.problem} />}
        {wizard.step === 0 && <Basics form={wizard.form} set={wizard.set} errors={wizard.errors} />}
        {wizard.step === 1 && (
          <Audience form={wizard.form} set={wizard.set} errors={wizard.errors} />
        )}
        {wizard.step === 2 && (
          <AdFields form={wizard.form} set={wizard.set} errors={wizard.errors} />
        )}
        {wizard.step === 3 && (
          <Launch
            form={wizard.form}
            set={wizard.set}
            errors={wizard.errors}
            zone={wizard.zone}
            onUnknownCountry={wizard.setUnknown}
          />
        )}
        {(wizard.step === 1 || wizard.step === 3) && (
          <ForecastBox plan={planOf(wizard.form, wizard.zone)} />
        )}
        <StepButtons wizard={wizard} />
      </form>
    </Card>
  );
}

function StepButtons({ wizard }: { wizard: Wizard }): JSX.Element {
  return (
    <div class="actions">
      {wizard.step > 0 && (
        <button type="button" class="button" onClick={() => wizard.setStep(wizard.step - 1)}>
          {t('Back')}
        </button>
      )}
      {wizard.step < 3 ? (
        <button class="button primary">{t('Continue')}</button>
      ) : (
        <>
          <button class="button primary" disabled={wizard.busy}>
            {rich('Launch for {daily_budget} a day', {
              daily_budget: money(Number(wizard.form.daily_budget) || 0),
            })}
          </button>
          <button
            type="button"
            class="button"
            disabled={wizard.busy}
            onClick={() => void wizard.create('draft')}
          >
            {t('Save as draft')}
          </button>
        </>
      )}
    </div>
  );
}

/** As people would see it: the ad that is written by hand, or the first that was chosen. */
function shownAd(form: Form): PreviewedAd {
  const brand = form.brand_name.trim() === '' ? hostOf(form.landing_page) : form.brand_name;
  const written = writtenOf(form).find((ad) => ad.chosen);
  const isManual = form.group_type === 'manual';
  const { headline, copy, cta } = isManual ? form : (written ?? first);
  return {
    title: headline.trim() === '' ? t('Your headline') : headline,
    adText:
      copy.trim() !== ''
        ? copy
        : isManual
          ? t('Your text appears here.')
          : t('Written from your brief and your page.'),
    cta: servedButton(cta),
    brandName: brand,
    image: isManual ? form.image_url : null,
  };
}
