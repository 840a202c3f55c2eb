import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { t } from '../core/language.js';
import { CountryField } from '../ui/country-field.js';
import { Check, Choice, TextField } from '../ui/fields.js';
import { Dialog } from '../ui/parts.js';
import { Problem } from '../ui/states.js';
import { useAskReview } from './ask-review.js';
import type { AdGroup } from './campaign-record.js';
import { countriesOf } from './edit-campaign.js';

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const textOf = (value: number | null | undefined): string => (value == null ? '' : String(value));

/** Makes a group, or changes one. Whether its ads are written by hand is decided once. */
export function EditAdGroup({
  campaignId,
  group,
  onClose,
  onSaved,
}: {
  campaignId: string;
  group: AdGroup | null;
  onClose: () => void;
  onSaved: () => void;
}): JSX.Element {
  const [form, setForm] = useState({
    name: group?.name ?? '',
    group_type: group?.group_type ?? 'manual',
    context: group?.context ?? '',
    negative_context: group?.negative_context ?? '',
    brand_name: group?.brand_name ?? '',
    ad_prompt: group?.ad_prompt ?? '',
    landing_page: group?.landing_page ?? '',
    daily_budget: textOf(group?.daily_budget),
    auto: group?.auto_optimize_budget ?? true,
    max_cpc: textOf(group?.max_cpc),
    countries: (group?.allowed_countries ?? []).join(', '),
  });
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [hasUnknown, setUnknown] = useState(false);
  const review = useAskReview();
  const set = (change: Partial<typeof form>): void =>
    setForm((before) => ({ ...before, ...change }));
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (hasUnknown) return;
    const text = (value: string): string | null => (value.trim() === '' ? null : value.trim());
    const next: Record<string, unknown> = {
      name: form.name.trim(),
      context: text(form.context),
      negative_context: text(form.negative_context),
      brand_name: text(form.brand_name),
      ad_prompt: text(form.ad_prompt),
      landing_page: text(form.landing_page),
      daily_budget: numberOf(form.daily_budget),
      auto_optimize_budget: form.auto,
      max_cpc: numberOf(form.max_cpc),
      allowed_countries: countriesOf(form.countries),
    };
    try {
      if (group === null)
        await call('/advertiser-dashboard/ad-groups', {
          method: 'POST',
          body: {
            campaign_id: campaignId,
            group_type: form.group_type,
            ...Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null)),
          },
        });
      else {
        const body = Object.fromEntries(
          Object.entries(next).filter(
            ([name, value]) =>
              JSON.stringify(value) !==
              JSON.stringify(group[name as keyof AdGroup /* each is a field of it */]),
          ),
        );
        const asked = await review.ask({ ad_group_id: group.id }, body);
        if (asked === null) return;
        await call(`/advertiser-dashboard/ad-groups/${group.id}`, {
          method: 'PATCH',
          body: { ...body, ...asked },
        });
      }
      onSaved();
    } catch (error) {
      setProblem(
        error instanceof ApiError ? error : new ApiError(0, t('The group was not saved.')),
      );
    }
  };
  const wrong = (name: string): string | undefined => problem?.fields[name];
  return (
    <Dialog
      title={group === null ? t('New ad group') : t('Edit {name}', { name: group.name })}
      onClose={onClose}
    >
      <form class="form" onSubmit={(event) => void save(event)}>
        {problem !== null && <Problem message={problem.message} />}
        <div class="form-row">
          <TextField
            label={t('Name')}
            value={form.name}
            onInput={(name) => set({ name })}
            required
            maxLength={200}
            error={wrong('name')}
          />
          {group === null && (
            <Choice
              label={t('Ads')}
              value={form.group_type}
              options={[
                ['manual', t('I write them')],
                ['generative', t('Written for me')],
              ]}
              onChange={(group_type) => set({ group_type })}
            />
          )}
        </div>
        <TextField
          label={t('Who should see it')}
          value={form.context}
          onInput={(context) => set({ context })}
          rows={4}
          maxLength={10_000}
          error={wrong('context')}
        />
        <TextField
          label={t('Who should not')}
          value={form.negative_context}
          onInput={(negative_context) => set({ negative_context })}
          rows={2}
          maxLength={10_000}
        />
        {form.group_type === 'generative' && (
          <TextField
            label={t('What should the ads say?')}
            value={form.ad_prompt}
            onInput={(ad_prompt) => set({ ad_prompt })}
            rows={3}
            maxLength={10_000}
          />
        )}
        <div class="form-row">
          <TextField
            label={t('Brand')}
            value={form.brand_name}
            onInput={(brand_name) => set({ brand_name })}
            maxLength={100}
            hint={t('Shown to people.')}
            error={wrong('brand_name')}
          />
          <TextField
            label={t('Landing page')}
            value={form.landing_page}
            onInput={(landing_page) => set({ landing_page })}
            inputMode="url"
            hint={t('Leave empty to use the campaign’s.')}
            error={wrong('landing_page')}
          />
        </div>
        <div class="form-row">
          <TextField
            label={t('Daily budget in dollars')}
            value={form.daily_budget}
            onInput={(daily_budget) => set({ daily_budget })}
            type="number"
            min="1"
            step="1"
            hint={t('Leave empty to use the campaign’s.')}
            error={wrong('daily_budget')}
          />
          <TextField
            label={t('Most you pay per click')}
            value={form.max_cpc}
            onInput={(max_cpc) => set({ max_cpc })}
            type="number"
            min="0"
            step="0.01"
            error={wrong('max_cpc')}
          />
          <CountryField
            label={t('Countries')}
            value={countriesOf(form.countries)}
            onChange={(codes) => set({ countries: codes.join(', ') })}
            hint={t('Leave empty to use the campaign’s.')}
            onUnknown={setUnknown}
            error={wrong('allowed_countries')}
          />
        </div>
        <Check
          label={t('Move budget to the groups that do best')}
          checked={form.auto}
          onChange={(auto) => set({ auto })}
        />
        <div>
          <button class="button primary">
            {group === null ? t('Create group') : t('Save group')}
          </button>
        </div>
      </form>
      {review.dialog}
    </Dialog>
  );
}
