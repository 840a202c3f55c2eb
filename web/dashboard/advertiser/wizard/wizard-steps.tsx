import { t } from '../../core/language.js';
import type { JSX } from 'preact';
import { Choice, TextField } from '../../ui/forms/fields.js';
import { defaultButton } from '../../ui/ads/served-button.js';
import { CountryField } from '../../ui/forms/country-field.js';
import { billingChoice, billingOptions } from './billing-choices.js';
import { countriesOf } from '../edit/countries-of.js';
import type { Form } from './wizard-form.js';
import { WrittenAds } from './written-ads.js';

export interface StepProps {
  form: Form;
  set: (change: Partial<Form>) => void;
  errors: Partial<Record<keyof Form, string>>;
}

export function Basics({ form, set, errors }: StepProps): JSX.Element {
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

/** For whom it is, in their own words. */
export function Audience({ form, set, errors }: StepProps): JSX.Element {
  return (
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
        error={errors.negative_context}
        rows={2}
        maxLength={10_000}
        hint={t('Optional.')}
      />
    </>
  );
}

export function AdFields({ form, set, errors }: StepProps): JSX.Element {
  if (form.group_type !== 'manual')
    return <WrittenAds form={form} set={set} error={errors.written} />;
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
        placeholder={defaultButton}
        hint={t('Left empty, people see “{button}”.', { button: defaultButton })}
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

export function Launch({
  form,
  set,
  errors,
  zone,
  onUnknownCountry,
}: StepProps & {
  zone: string;
  onUnknownCountry: (isUnknown: boolean) => void;
}): JSX.Element {
  return (
    <>
      <MoneyFields form={form} set={set} errors={errors} />
      <ReachFields form={form} set={set} onUnknownCountry={onUnknownCountry} errors={errors} />
      <TimeFields form={form} set={set} errors={errors} zone={zone} />
    </>
  );
}

function MoneyFields({
  form,
  set,
  errors,
}: {
  form: Form;
  set: (change: Partial<Form>) => void;
  errors: StepProps['errors'];
}): JSX.Element {
  return (
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
  );
}

function ReachFields({
  form,
  set,
  onUnknownCountry,
  errors,
}: {
  form: Form;
  set: (change: Partial<Form>) => void;
  onUnknownCountry: (isUnknown: boolean) => void;
  errors: StepProps['errors'];
}): JSX.Element {
  return (
    <div class="form-row">
      <CountryField
        label={t('Countries')}
        value={countriesOf(form.countries)}
        onChange={(codes) => set({ countries: codes.join(', ') })}
        onUnknown={onUnknownCountry}
        error={errors.countries}
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
  );
}

function TimeFields({
  form,
  set,
  errors,
  zone,
}: {
  form: Form;
  set: (change: Partial<Form>) => void;
  errors: StepProps['errors'];
  zone: string;
}): JSX.Element {
  return (
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
        hint={t('Times in {zone}.', { zone: zone })}
      />
    </div>
  );
}
