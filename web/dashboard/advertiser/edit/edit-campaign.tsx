import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { words } from '../../core/format.js';
import { fromField, toField } from '../../core/zone-time.js';
import { t } from '../../core/language.js';
import { CountryField } from '../../ui/forms/country-field.js';
import { Check, Choice, TextField } from '../../ui/forms/fields.js';
import { Dialog } from '../../ui/parts.js';
import { Problem } from '../../ui/states.js';
import { AskBudget, isSurprising } from './ask-budget.js';
import { useAskReview, type ReviewQuestion } from './ask-review.js';
import type { Campaign } from '../campaign-record.js';
import { asAddress } from '../host-of.js';
import { countriesOf } from './countries-of.js';
import { DeliveryChange } from './forecast.js';

const devices = ['desktop', 'mobile', 'tablet'] as const;

/** `key=value` lines of tracking parameters, in whichever form they were stored. */
function utmLines(utm: unknown): string {
  const pairs: [string, unknown][] = Array.isArray(utm)
    ? utm.map((pair: { key?: string; value?: unknown }) => [pair.key ?? '', pair.value])
    : Object.entries(utm ?? {});
  return pairs.map(([key, value]) => `${key}=${String(value)}`).join('\n');
}

function utmOf(lines: string): { key: string; value: string }[] | null {
  const pairs = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [key = '', ...rest] = line.split('=');
      return { key: key.trim(), value: rest.join('=').trim() };
    });
  return pairs.length === 0 ? null : pairs;
}

/**
 * Everything of a campaign that may change after it was made, apart from what has an editor of its
 * own.
 */
export function EditCampaign({
  campaign,
  onClose,
  onSaved,
}: {
  campaign: Campaign;
  onClose: () => void;
  onSaved: () => void;
}): JSX.Element {
  const edit = useCampaignEdit(campaign, onSaved);
  return (
    <Dialog title={t('Edit campaign')} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void edit.save(false);
        }}
      >
        {edit.problem !== null && <Problem message={wordsFor(edit.problem)} />}
        <NameAndGoal edit={edit} />
        <Prices edit={edit} />
        <Times edit={edit} />
        <Reach edit={edit} />
        <Extras edit={edit} />
        <DeliveryChange campaignId={campaign.campaign_id} changes={deliveryOf(edit.body)} />
        <div>
          <button class="button primary">{t('Save campaign')}</button>
        </div>
      </form>
      {edit.review.dialog}
      {edit.asking && (
        <AskBudget
          daily={Number(edit.form.daily_budget)}
          onYes={() => void edit.save(true)}
          onClose={() => edit.setAsking(false)}
        />
      )}
    </Dialog>
  );
}

function NameAndGoal({ edit }: { edit: CampaignEdit }): JSX.Element {
  return (
    <>
      <TextField
        label={t('Campaign name')}
        value={edit.form.name}
        onInput={(name) => edit.set({ name })}
        required
        wrong={t('Give the campaign a name.')}
        maxLength={200}
        error={edit.wrong('name')}
      />
      <TextField
        label={t('Landing page')}
        value={edit.form.landing_page}
        onInput={(landing_page) => edit.set({ landing_page })}
        required
        wrong={t('Enter an address like https://shop.example/offer.')}
        inputMode="url"
        error={edit.wrong('landing_page')}
        hint={t('A new page is reviewed.')}
      />
      <div class="form-row">
        <Choice
          label={t('Goal')}
          value={edit.form.objective}
          options={[
            ['clicks', t('Clicks')],
            ['conversions', t('Conversions')],
            ['impressions', t('Impressions')],
          ]}
          onChange={(objective) => edit.set({ objective })}
        />
        <TextField
          label={t('Most you pay per click')}
          value={edit.form.max_cpc}
          onInput={(max_cpc) => edit.set({ max_cpc })}
          type="number"
          min="0"
          step="0.01"
          hint={t('Leave empty for automatic.')}
          error={edit.wrong('max_cpc')}
        />
      </div>
    </>
  );
}

function Prices({ edit }: { edit: CampaignEdit }): JSX.Element {
  return (
    <div class="form-row">
      <TextField
        label={t('Daily budget in dollars')}
        value={edit.form.daily_budget}
        onInput={(daily_budget) => edit.set({ daily_budget })}
        required
        wrong={t('Enter an amount above zero.')}
        type="number"
        min="0.01"
        step="0.01"
        error={edit.wrong('daily_budget')}
      />
      <TextField
        label={t('Most you pay per thousand impressions')}
        value={edit.form.max_cpm}
        onInput={(max_cpm) => edit.set({ max_cpm })}
        type="number"
        min="0"
        step="0.01"
        hint={t('Leave empty for automatic.')}
        error={edit.wrong('max_cpm')}
      />
      <TextField
        label={t('Most you pay per result')}
        value={edit.form.max_cpa}
        onInput={(max_cpa) => edit.set({ max_cpa })}
        type="number"
        min="0"
        step="0.01"
        hint={t('Leave empty for automatic.')}
        error={edit.wrong('max_cpa')}
      />
    </div>
  );
}

function Times({ edit }: { edit: CampaignEdit }): JSX.Element {
  return (
    <div class="form-row times">
      <TextField
        label={t('Starts')}
        value={edit.form.start}
        onInput={(start) => edit.set({ start })}
        type="datetime-local"
        error={edit.wrong('start_time')}
      />
      <TextField
        label={t('Ends')}
        value={edit.form.end}
        onInput={(end) => edit.set({ end })}
        type="datetime-local"
        error={edit.wrong('end_time')}
        hint={t('Times in {zone}.', { zone: edit.zone })}
      />
    </div>
  );
}

function Reach({ edit }: { edit: CampaignEdit }): JSX.Element {
  return (
    <>
      <CountryField
        label={t('Countries')}
        value={countriesOf(edit.form.countries)}
        onChange={(codes) => edit.set({ countries: codes.join(', ') })}
        onUnknown={edit.setUnknown}
        error={edit.wrong('allowed_countries')}
      />
      <fieldset>
        <legend>{t('Devices')}</legend>
        <div class="row">
          {devices.map((device) => (
            <Check
              key={device}
              label={words(device)}
              checked={edit.form.devices.length === 0 || edit.form.devices.includes(device)}
              onChange={(on) => {
                const next = devices.filter((one) =>
                  one === device
                    ? on
                    : edit.form.devices.length === 0 || edit.form.devices.includes(one),
                );
                edit.set({ devices: next.length === devices.length ? [] : next });
              }}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}

function Extras({ edit }: { edit: CampaignEdit }): JSX.Element {
  return (
    <>
      <TextField
        label={t('Tracking parameters')}
        value={edit.form.utm}
        onInput={(utm) => edit.set({ utm })}
        rows={3}
        placeholder={'utm_source=assistant\nutm_campaign=spring'}
        hint={t('One per line; added to the landing page address.')}
        error={edit.wrong('utm_params')}
      />
      <TextField
        label={t('Icon address')}
        value={edit.form.favicon}
        onInput={(favicon) => edit.set({ favicon })}
        inputMode="url"
        placeholder="https://"
        error={edit.wrong('custom_favicon_url')}
      />
    </>
  );
}

interface CampaignEdit {
  zone: string;
  form: Form;
  problem: ApiError | null;
  asking: boolean;
  setAsking: (value: boolean) => void;
  setUnknown: (value: boolean) => void;
  review: ReviewQuestion;
  set: (change: Partial<Form>) => void;
  body: Record<string, unknown>;
  save: (isSure: boolean) => Promise<void>;
  wrong: (name: string) => string | undefined;
}

function useCampaignEdit(campaign: Campaign, onSaved: () => void): CampaignEdit {
  const { zone, say } = useApp();
  const [form, setForm] = useState<Form>({
    name: campaign.name,
    landing_page: campaign.landing_page,
    objective: campaign.campaign_objective,
    daily_budget: String(campaign.daily_budget),
    max_cpc: campaign.max_cpc === null ? '' : String(campaign.max_cpc),
    max_cpm: campaign.max_cpm === null ? '' : String(campaign.max_cpm),
    max_cpa: campaign.max_cpa === null ? '' : String(campaign.max_cpa),
    countries: campaign.allowed_countries.join(', '),
    devices: campaign.allowed_devices,
    start: toField(campaign.start_time, zone),
    end: toField(campaign.end_time, zone),
    utm: utmLines(campaign.utm_params),
    favicon: campaign.custom_favicon_url ?? '',
  });
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [asking, setAsking] = useState(false);
  const [hasUnknown, setUnknown] = useState(false);
  const review = useAskReview();
  const set = (change: Partial<Form>): void => setForm((before) => ({ ...before, ...change }));
  const body = changesOf(campaign, form, zone);
  const save = async (isSure: boolean): Promise<void> => {
    if (hasUnknown) return;
    const refused = refusedOf(form);
    if (Object.keys(refused).length > 0) return setProblem(new ApiError(422, lookAgain, refused));
    const { daily_budget: daily } = body;
    if (!isSure && typeof daily === 'number' && isSurprising(daily, campaign.daily_budget))
      return setAsking(true);
    try {
      if (Object.keys(body).length > 0) {
        const asked = await review.ask({ campaign_id: campaign.campaign_id }, body);
        if (asked === null) return;
        await call(`/advertiser-dashboard/campaigns/${campaign.campaign_id}`, {
          method: 'PATCH',
          body: { ...body, ...asked },
        });
      }
      say(t('Saved.'));
      onSaved();
    } catch (error) {
      setProblem(
        error instanceof ApiError ? error : new ApiError(0, t('The change was not saved.')),
      );
    }
  };
  const wrong = (name: string): string | undefined =>
    Object.entries(problem?.fields ?? {}).find(([field]) => field.startsWith(name))?.[1];
  return { zone, form, problem, asking, setAsking, setUnknown, review, set, body, save, wrong };
}

const lookAgain = t('Some fields need another look. Each problem is explained next to its field.');

/** A problem that stands at its field is not said a second time with the field’s technical name. */
const wordsFor = (problem: ApiError): string =>
  Object.keys(problem.fields).length > 0 ? lookAgain : problem.message;

/** What would be refused, in the words of the wizard. */
function refusedOf(form: Form): Record<string, string> {
  return {
    ...(/^https?:\/\/[^\s.]+\.[^\s]+/.test(asAddress(form.landing_page))
      ? {}
      : { landing_page: t('Enter an address like https://shop.example/offer.') }),
    ...(form.start !== '' && form.end !== '' && form.end <= form.start
      ? { end_time: t('The end must be after the start.') }
      : {}),
  };
}

type Form = Record<
  | 'name'
  | 'landing_page'
  | 'objective'
  | 'daily_budget'
  | 'max_cpc'
  | 'max_cpm'
  | 'max_cpa'
  | 'countries'
  | 'start'
  | 'end'
  | 'utm'
  | 'favicon',
  string
> & { devices: readonly string[] };

/** Only what changed: an edit nobody made must not send the campaign back to review. */
function changesOf(campaign: Campaign, form: Form, zone: string): Record<string, unknown> {
  const time = (text: string, before: string | null): string | null =>
    text === toField(before, zone) ? before : text === '' ? null : fromField(text, zone);
  const amount = (text: string): number | null => (text === '' ? null : Number(text));
  const next = {
    name: form.name.trim(),
    landing_page: asAddress(form.landing_page),
    campaign_objective: form.objective,
    daily_budget: Number(form.daily_budget),
    max_cpc: amount(form.max_cpc),
    max_cpm: amount(form.max_cpm),
    max_cpa: amount(form.max_cpa),
    allowed_countries: countriesOf(form.countries),
    allowed_devices: form.devices,
    start_time: time(form.start, campaign.start_time),
    end_time: time(form.end, campaign.end_time),
    utm_params: utmOf(form.utm),
    custom_favicon_url: form.favicon.trim() === '' ? null : form.favicon.trim(),
  };
  const before = (name: string): unknown =>
    name === 'utm_params'
      ? utmOf(utmLines(campaign.utm_params))
      : campaign[name as keyof Campaign /* each is a field of it */];
  return Object.fromEntries(
    Object.entries(next).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before(name)),
    ),
  );
}

const deciding = new Set([
  'campaign_objective',
  'daily_budget',
  'max_cpc',
  'max_cpm',
  'max_cpa',
  'allowed_countries',
  'allowed_devices',
  'start_time',
  'end_time',
]);

/** What of an edit changes how often the ads are shown; null where nothing does. */
function deliveryOf(body: Record<string, unknown>): Record<string, unknown> | null {
  const felt = Object.entries(body).filter(
    ([name, value]) => deciding.has(name) && !(name === 'daily_budget' && !(Number(value) > 0)),
  );
  return felt.length === 0 ? null : Object.fromEntries(felt);
}
