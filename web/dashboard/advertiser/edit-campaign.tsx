import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { t } from '../core/language.js';
import { fromField, toField } from '../core/zone-time.js';
import { Check, Choice, TextField } from '../ui/fields.js';
import { Dialog } from '../ui/parts.js';
import { Problem } from '../ui/states.js';
import { useAskReview } from './ask-review.js';
import type { Campaign } from './campaign-record.js';

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
  const review = useAskReview();
  const set = (change: Partial<typeof form>): void =>
    setForm((before) => ({ ...before, ...change }));
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const time = (text: string, before: string | null): string | null =>
      text === toField(before, zone) ? before : text === '' ? null : fromField(text, zone);
    const next = {
      name: form.name.trim(),
      landing_page: form.landing_page.trim(),
      campaign_objective: form.objective,
      max_cpc: form.max_cpc === '' ? null : Number(form.max_cpc),
      max_cpm: form.max_cpm === '' ? null : Number(form.max_cpm),
      max_cpa: form.max_cpa === '' ? null : Number(form.max_cpa),
      allowed_countries: countriesOf(form.countries),
      allowed_devices: form.devices,
      start_time: time(form.start, campaign.start_time),
      end_time: time(form.end, campaign.end_time),
      utm_params: utmOf(form.utm),
      custom_favicon_url: form.favicon.trim() === '' ? null : form.favicon.trim(),
    };
    // Only what changed: an edit nobody made must not send the campaign back to review.
    const body = Object.fromEntries(
      Object.entries(next).filter(
        ([name, value]) =>
          JSON.stringify(value) !==
          JSON.stringify(
            name === 'utm_params'
              ? utmOf(utmLines(campaign.utm_params))
              : campaign[name as keyof Campaign /* each is a field of it */],
          ),
      ),
    );
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
      <form class="form" onSubmit={(event) => void save(event)}>
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
        <p class="hint">
          {t(
            'A lower bid wins fewer auctions, so ads are shown less often. A higher bid raises the most you may pay, but never above what it takes to win. Either applies from the next request, without review.',
          )}
        </p>
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
            hint={t('Times in {zone}.', { zone })}
          />
        </div>
        <TextField
          label={t('Countries')}
          value={form.countries}
          onInput={(countries) => set({ countries })}
          placeholder={t('US, GB')}
          hint={t('Two-letter codes. Leave empty for everywhere.')}
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
        <div>
          <button class="button primary">{t('Save campaign')}</button>
        </div>
      </form>
      {review.dialog}
    </Dialog>
  );
}
