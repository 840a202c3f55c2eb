import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { t } from '../core/language.js';
import { TextField } from '../ui/fields.js';
import { Dialog } from '../ui/parts.js';
import { Problem } from '../ui/states.js';
import type { CampaignDetail } from './campaign-record.js';
import { type Unit, UnitPreview } from './unit-preview.js';

/**
 * Writes an ad unit, or a new version of one. Units never change under the campaigns that show
 * them: the new version takes
 * the old one's place in each, then the old one is archived.
 */
export function EditUnit({
  unit,
  onClose,
  onSaved,
}: {
  unit: Unit | null;
  onClose: () => void;
  onSaved: () => void;
}): JSX.Element {
  const { say } = useApp();
  const [form, setForm] = useState({
    name: unit?.name ?? '',
    headline: unit?.headline ?? '',
    description: unit?.description ?? '',
    static_ad_text: unit?.static_ad_text ?? '',
    static_cta: unit?.static_cta ?? '',
    landing_page: unit?.landing_page ?? '',
    brand_name: unit?.brand_name ?? '',
    image_url: unit?.image_url ?? '',
  });
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<typeof form>): void =>
    setForm((before) => ({ ...before, ...change }));
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const made = await call<{ id: string }>('/advertiser-dashboard/ad-units', {
        method: 'POST',
        body: Object.fromEntries(
          Object.entries(form)
            .map(([name, value]) => [name, value.trim()])
            .filter(([, value]) => value !== ''),
        ),
      });
      if (unit !== null) await replace(unit, made.id);
      say(
        unit === null
          ? t('Ad unit saved. Add it to a campaign to have it reviewed.')
          : t('The new version is saved and submitted for review.'),
      );
      onSaved();
    } catch (error) {
      setProblem(
        error instanceof ApiError ? error : new ApiError(0, t('The ad unit was not saved.')),
      );
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={unit === null ? t('New ad unit') : t('Edit {name}', { name: unit.name })}
      onClose={onClose}
    >
      <form class="form" onSubmit={(event) => void save(event)}>
        {problem !== null && <Problem message={problem.message} />}
        <TextField
          label={t('Name')}
          value={form.name}
          onInput={(name) => set({ name })}
          required
          maxLength={200}
          hint={t('Only you see it.')}
        />
        <div class="form-row">
          <TextField
            label={t('Headline')}
            value={form.headline}
            onInput={(headline) => set({ headline })}
            maxLength={80}
          />
          <TextField
            label={t('Brand')}
            value={form.brand_name}
            onInput={(brand_name) => set({ brand_name })}
            maxLength={100}
          />
        </div>
        <TextField
          label={t('Text')}
          value={form.static_ad_text}
          onInput={(static_ad_text) => set({ static_ad_text })}
          rows={2}
          required
          maxLength={500}
        />
        <div class="form-row">
          <TextField
            label={t('Button')}
            value={form.static_cta}
            onInput={(static_cta) => set({ static_cta })}
            required
            maxLength={80}
          />
          <TextField
            label={t('Landing page')}
            value={form.landing_page}
            onInput={(landing_page) => set({ landing_page })}
            required
            inputMode="url"
            placeholder="https://"
            error={problem?.fields['landing_page']}
          />
        </div>
        <TextField
          label={t('Who it helps')}
          value={form.description}
          onInput={(description) => set({ description })}
          rows={2}
          required
          maxLength={2000}
          hint={t('Used to match the ad to conversations.')}
        />
        <TextField
          label={t('Image address')}
          value={form.image_url}
          onInput={(image_url) => set({ image_url })}
          inputMode="url"
          error={problem?.fields['image_url']}
        />
        <UnitPreview unit={form} />
        <div>
          <button class="button primary" disabled={busy}>
            {unit === null ? t('Create ad unit') : t('Save new version')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

async function replace(old: Unit, id: string): Promise<void> {
  for (const { id: campaign } of old.campaigns) {
    const { ad_unit_ids: linked } = await call<CampaignDetail>(
      `/advertiser-dashboard/campaigns/${campaign}`,
    );
    await call(`/advertiser-dashboard/campaigns/${campaign}/ad-units`, {
      method: 'PUT',
      body: { ad_unit_ids: linked.map((one) => (one === old.id ? id : one)) },
    });
  }
  await call(`/advertiser-dashboard/ad-units/${old.id}/archive`, { method: 'PATCH' });
}
