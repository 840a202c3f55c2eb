import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { fromField, toField } from '../core/zone-time.js';
import { t } from '../core/language.js';
import { CountryField } from '../ui/country-field.js';
import { Check, Choice, TextField } from '../ui/fields.js';
import { Dialog } from '../ui/parts.js';
import { Problem } from '../ui/states.js';
import { AskBudget, isSurprising } from './ask-budget.js';
import { useAskReview } from './ask-review.js';
import type { Campaign } from './campaign-record.js';
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

export const countriesOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((code) => code !== '')
    .map((code) => code.toUpperCase());

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
  const { zone, say } = useApp();
  const [form, setForm] = useState({
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
  const set = (change: Partial<typeof form>): void =>
    setForm((before) => ({ ...before, ...change }));
  const body = changesOf(campaign, form, zone);
  const save = async (isSure: boolean): Promise<void> => {
    if (hasUnknown) return;
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
  return (
    <Dialog title={t('Edit campaign')} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save(false);
        }}
      >
        {problem !== null && <Problem message={problem.message} />}
        <TextField
          label={t('Campaign name')}
          value={form.name}
          onInput={(name) => set({ name })}
          required
          maxLength={200}
          error={wrong('name')}
        />
        <TextField
          label={t('Landing page')}
          value={form.landing_page}
          onInput={(landing_page) => set({ landing_page })}
          required
          inputMode="url"
          error={wrong('landing_page')}
          hint={t('A new page is reviewed.')}
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
          <TextField
            label={t('Most you pay per click')}
            value={form.max_cpc}
            onInput={(max_cpc) => set({ max_cpc })}
            type="number"
            min="0"
            step="0.01"
            hint={t('Leave empty for automatic.')}
            error={wrong('max_cpc')}
          />
        </div>
        <div class="form-row">
          <TextField
            label={t('Daily budget in dollars')}
            value={form.daily_budget}
            onInput={(daily_budget) => set({ daily_budget })}
            required
            type="number"
            min="0.01"
            step="0.01"
            error={wrong('daily_budget')}
          />
          <TextField
            label={t('Most you pay per thousand impressions')}
            value={form.max_cpm}
            onInput={(max_cpm) => set({ max_cpm })}
            type="number"
            min="0"
            step="0.01"
            hint={t('Leave empty for automatic.')}
            error={wrong('max_cpm')}
          />
          <TextField
            label={t('Most you pay per result')}
            value={form.max_cpa}
            onInput={(max_cpa) => set({ max_cpa })}
            type="number"
            min="0"
            step="0.01"
            hint={t('Leave empty for automatic.')}
            error={wrong('max_cpa')}
          />
        </div>
        <div class="form-row times">
          <TextField
            label={t('Starts')}
            value={form.start}
            onInput={(start) => set({ start })}
            type="datetime-local"
            error={wrong('start_time')}
          />
          <TextField
            label={t('Ends')}
            value={form.end}
            onInput={(end) => set({ end })}
            type="datetime-local"
            error={wrong('end_time')}
            hint={t('Times in {zone}.', { zone: zone })}
          />
        </div>
        <CountryField
          label={t('Countries')}
          value={countriesOf(form.countries)}
          onChange={(codes) => set({ countries: codes.join(', ') })}
          onUnknown={setUnknown}
          error={wrong('allowed_countries')}
        />
        <fieldset>
          <legend>{t('Devices')}</legend>
          <div class="row">
            {devices.map((device) => (
              <Check
                key={device}
                label={device}
                checked={form.devices.length === 0 || form.devices.includes(device)}
                onChange={(on) => {
                  const next = devices.filter((one) =>
                    one === device ? on : form.devices.length === 0 || form.devices.includes(one),
                  );
                  set({ devices: next.length === devices.length ? [] : next });
                }}
              />
            ))}
          </div>
        </fieldset>
        <TextField
          label={t('Tracking parameters')}
          value={form.utm}
          onInput={(utm) => set({ utm })}
          rows={3}
          placeholder={'utm_source=assistant\nutm_campaign=spring'}
          hint={t('One per line; added to the landing page address.')}
          error={wrong('utm_params')}
        />
        <TextField
          label={t('Icon address')}
          value={form.favicon}
          onInput={(favicon) => set({ favicon })}
          inputMode="url"
          placeholder="https://"
          error={wrong('custom_favicon_url')}
        />
        <DeliveryChange campaignId={campaign.campaign_id} changes={deliveryOf(body)} />
        <div>
          <button class="button primary">{t('Save campaign')}</button>
        </div>
      </form>
      {review.dialog}
      {asking && (
        <AskBudget
          daily={Number(form.daily_budget)}
          onYes={() => void save(true)}
          onClose={() => setAsking(false)}
        />
      )}
    </Dialog>
  );
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
    landing_page: form.landing_page.trim(),
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
