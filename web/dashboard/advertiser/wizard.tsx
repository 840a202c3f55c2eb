import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { money } from '../core/format.js';
import { rich, t } from '../core/language.js';
import { navigate } from '../core/router.js';
import { fromField } from '../core/zone-time.js';
import { Choice, TextField } from '../ui/fields.js';
import { Card, Page } from '../ui/parts.js';
import { PlacementScenes } from '../ui/placement-scenes.js';
import { Problem } from '../ui/states.js';
import { billingChoice, billingOptions } from './billing-choices.js';
import type { Campaign } from './campaign-record.js';
import { countriesOf } from './edit-campaign.js';
import { AskBudget, isSurprising } from './ask-budget.js';
import { hostOf } from './host-of.js';
import { keepDraft, keptDraft, refusedFields } from './wizard-draft.js';

const steps = [t('Basics'), t('Who it helps'), t('The ad'), t('Budget and launch')] as const;
const first = {
  name: '',
  landing_page: '',
  brand_name: '',
  objective: 'clicks',
  group_type: 'manual',
  context: '',
  negative_context: '',
  ad_prompt: '',
  headline: '',
  copy: '',
  cta: '',
  image_url: '',
  daily_budget: '25',
  billing_model: 'cpm',
  bid: '',
  countries: '',
  device: '',
  start: '',
  end: '',
};
type Form = typeof first;

/** What is still missing before the next step. */
function missing(step: number, form: Form): Partial<Record<keyof Form, string>> {
  const problems: Partial<Record<keyof Form, string>> = {};
  if (step === 0 && form.name.trim() === '') problems.name = t('Give the campaign a name.');
  if (step === 0 && !/^https?:\/\/[^\s.]+\.[^\s]+/.test(form.landing_page))
    problems.landing_page = t('Enter an address like https://shop.example/offer.');
  if (step === 1 && form.context.trim() === '')
    problems.context = t('Say in a sentence or two who should see this.');
  if (step === 2 && form.group_type === 'manual' && form.headline.trim() === '')
    problems.headline = t('The ad needs a headline.');
  if (step === 3 && !(Number(form.daily_budget) > 0))
    problems.daily_budget = t('Enter an amount above zero.');
  return problems;
}

function bodyOf(form: Form, status: 'active' | 'draft', zone: string): Record<string, unknown> {
  const text = (value: string): string | undefined =>
    value.trim() === '' ? undefined : value.trim();
  const bid =
    Number(form.bid) > 0 ? { [billingChoice(form.billing_model).limit]: Number(form.bid) } : {};
  const countries = countriesOf(form.countries);
  const ads =
    form.group_type === 'manual'
      ? {
          ads: [
            {
              name: 'Ad 1',
              headline: text(form.headline),
              copy: text(form.copy),
              cta: text(form.cta),
              image_url: text(form.image_url),
            },
          ],
        }
      : { ad_prompt: text(form.ad_prompt) };
  return {
    name: form.name.trim(),
    landing_page: form.landing_page.trim(),
    daily_budget: Number(form.daily_budget),
    status,
    campaign_objective: form.objective,
    billing_model: form.billing_model,
    ...bid,
    ...(countries.length === 0 ? {} : { allowed_countries: countries }),
    ...(form.device === '' ? {} : { allowed_devices: [form.device] }),
    ...(form.start === '' ? {} : { start_time: fromField(form.start, zone) }),
    ...(form.end === '' ? {} : { end_time: fromField(form.end, zone) }),
    ad_groups: [
      {
        name: text(form.brand_name) ?? form.name.trim(),
        group_type: form.group_type,
        context: form.context.trim(),
        negative_context: text(form.negative_context),
        brand_name: text(form.brand_name),
        ...ads,
      },
    ],
  };
}

export function WizardPage(): JSX.Element {
  const { say, zone, session } = useApp();
  const account = session?.account_id ?? '';
  const [kept] = useState(() => keptDraft(account, first));
  const [step, setStep] = useState(0);
  const [form, setForm] = useState<Form>(kept ?? first);
  const [isKept, setKept] = useState(kept !== null);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [shown, setShown] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const set = (change: Partial<Form>): void => {
    const next = { ...form, ...change };
    setForm(next);
    keepDraft(account, next);
    // What is typed anew is not what was refused.
    setRefused((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !(name in change))),
    );
  };
  const errors = { ...refused, ...(shown ? missing(step, form) : {}) };
  const next = (): void => {
    const isComplete = Object.keys(missing(step, form)).length === 0;
    setShown(!isComplete);
    if (isComplete) setStep(step + 1);
  };
  const create = async (status: 'active' | 'draft'): Promise<void> => {
    if (Object.keys(missing(3, form)).length > 0) return setShown(true);
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
      const found = refusedFields(error);
      if (found !== null) {
        setRefused(found.errors);
        setStep(found.step);
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
  const brand = form.brand_name.trim() === '' ? hostOf(form.landing_page) : form.brand_name;
  const ad = {
    title: form.headline.trim() === '' ? brand : form.headline,
    adText:
      form.copy.trim() === ''
        ? form.group_type === 'manual'
          ? t('Your text appears here.')
          : t('Written from your brief and your page.')
        : form.copy,
    cta: form.cta.trim() === '' ? 'Learn more' : form.cta,
    brandName: brand,
    image: form.image_url,
  };

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
              setStep(0);
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
            {step === 1 && (
              <>
                <TextField
                  label={t('Who should see it')}
                  value={form.context}
                  onInput={(context) => set({ context })}
                  error={errors.context}
                  rows={5}
                  maxLength={10_000}
                  hint={t(
                    'Plain words, not keywords: what people need when your offer helps. For example: people whose flight was cancelled and who want cover for the next trip.',
                  )}
                />
                <TextField
                  label={t('Who should not')}
                  value={form.negative_context}
                  onInput={(negative_context) => set({ negative_context })}
                  rows={2}
                  maxLength={10_000}
                  hint={t('Optional.')}
                />
              </>
            )}
            {step === 2 && <AdFields form={form} set={set} errors={errors} />}
            {step === 3 && <Launch form={form} set={set} errors={errors} zone={zone} />}
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
        <Card title={t('Preview in each placement')}>
          <PlacementScenes ad={ad} />
        </Card>
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

interface StepProps {
  form: Form;
  set: (change: Partial<Form>) => void;
  errors: Partial<Record<keyof Form, string>>;
}

function Basics({ form, set, errors }: StepProps): JSX.Element {
  return (
    <>
      <TextField
        label={t('Campaign name')}
        value={form.name}
        onInput={(name) => set({ name })}
        error={errors.name}
        maxLength={200}
        hint={t('Only you see it.')}
      />
      <TextField
        label={t('Landing page')}
        value={form.landing_page}
        onInput={(landing_page) => set({ landing_page })}
        error={errors.landing_page}
        inputMode="url"
        placeholder="https://"
      />
      <TextField
        label={t('Brand')}
        value={form.brand_name}
        onInput={(brand_name) => set({ brand_name })}
        error={errors.brand_name}
        maxLength={100}
        hint={t('Shown to people. If left empty, the page’s address is shown instead.')}
      />
      <div class="form-row">
        <Choice
          label={t('Goal')}
          value={form.objective}
          options={[
            ['clicks', t('Clicks')],
            ['conversions', t('Conversions')],
            ['impressions', t('Impressions')],
          ]}
          onChange={(objective) => set({ objective })}
        />
        <Choice
          label={t('Ads')}
          value={form.group_type}
          options={[
            ['manual', t('I write them')],
            ['generative', t('Written for me')],
          ]}
          onChange={(group_type) => set({ group_type })}
        />
      </div>
    </>
  );
}

function AdFields({ form, set, errors }: StepProps): JSX.Element {
  if (form.group_type !== 'manual')
    return (
      <TextField
        label={t('What should the ads say?')}
        value={form.ad_prompt}
        onInput={(ad_prompt) => set({ ad_prompt })}
        rows={5}
        hint={t(
          'Tone, facts to mention, things to avoid. Ads are written from this and your page, and reviewed like any other.',
        )}
      />
    );
  return (
    <>
      <TextField
        label={t('Headline')}
        value={form.headline}
        onInput={(headline) => set({ headline })}
        error={errors.headline}
        maxLength={80}
        hint={t('{headline} characters left', { headline: 80 - form.headline.length })}
      />
      <TextField
        label={t('Text')}
        value={form.copy}
        onInput={(copy) => set({ copy })}
        error={errors.copy}
        rows={3}
        maxLength={500}
        hint={t('{copy} characters left', { copy: 500 - form.copy.length })}
      />
      <TextField
        label={t('Button')}
        value={form.cta}
        onInput={(cta) => set({ cta })}
        error={errors.cta}
        maxLength={80}
        placeholder="Learn more"
      />
      <TextField
        label={t('Image address')}
        value={form.image_url}
        onInput={(image_url) => set({ image_url })}
        error={errors.image_url}
        inputMode="url"
        hint={t('Optional. The preview only shows images hosted on this server.')}
      />
    </>
  );
}

function Launch({ form, set, errors, zone }: StepProps & { zone: string }): JSX.Element {
  return (
    <>
      <div class="form-row">
        <TextField
          label={t('Daily budget in dollars')}
          value={form.daily_budget}
          onInput={(daily_budget) => set({ daily_budget })}
          error={errors.daily_budget}
          type="number"
          min="0.01"
          step="0.01"
        />
        <Choice
          label={t('Pay for')}
          value={form.billing_model}
          options={billingOptions()}
          onChange={(billing_model) => set({ billing_model })}
        />
        <TextField
          label={t('Most you pay per {value}', { value: billingChoice(form.billing_model).per })}
          value={form.bid}
          onInput={(bid) => set({ bid })}
          error={errors.bid}
          type="number"
          min="0"
          step="0.01"
          hint={t('Leave empty for automatic.')}
        />
      </div>
      <div class="form-row">
        <TextField
          label={t('Countries')}
          value={form.countries}
          onInput={(countries) => set({ countries })}
          error={errors.countries}
          placeholder={t('US, GB')}
          hint={t('Leave empty for everywhere.')}
        />
        <Choice
          label={t('Devices')}
          value={form.device}
          options={[
            ['', t('All')],
            ['desktop', t('Desktop')],
            ['mobile', t('Mobile')],
            ['tablet', t('Tablet')],
          ]}
          onChange={(device) => set({ device })}
        />
      </div>
      <div class="form-row times">
        <TextField
          label={t('Starts')}
          value={form.start}
          onInput={(start) => set({ start })}
          error={errors.start}
          type="datetime-local"
        />
        <TextField
          label={t('Ends')}
          value={form.end}
          onInput={(end) => set({ end })}
          error={errors.end}
          type="datetime-local"
          hint={t('Times in {zone}.', { zone })}
        />
      </div>
    </>
  );
}
