import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { t } from '../../core/language.js';
import { TextField } from '../../ui/forms/fields.js';
import { Dialog } from '../../ui/parts.js';
import { Problem } from '../../ui/states.js';
import type { CampaignDetail } from '../campaign-record.js';
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
  const edit = useUnitEdit(unit, onSaved);
  return (
    <Dialog
      title={unit === null ? t('New ad unit') : t('Edit {name}', { name: unit.name })}
      onClose={onClose}
    >
      <form class="form" onSubmit={(event) => void edit.save(event)}>
        {edit.problem !== null && <Problem message={edit.problem.message} />}
        <UnitTexts edit={edit} />
        <UnitPlace edit={edit} />
        <UnitPreview unit={edit.form} />
        <div>
          <button class="button primary" disabled={edit.busy}>
            {unit === null ? t('Create ad unit') : t('Save new version')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function UnitTexts({ edit }: { edit: UnitEdit }): JSX.Element {
  return (
    <>
      <TextField
        label={t('Name')}
        value={edit.form.name}
        onInput={(name) => edit.set({ name })}
        required
        maxLength={200}
        hint={t('Only you see it.')}
      />
      <div class="form-row">
        <TextField
          label={t('Headline')}
          value={edit.form.headline}
          onInput={(headline) => edit.set({ headline })}
          maxLength={80}
        />
        <TextField
          label={t('Brand')}
          value={edit.form.brand_name}
          onInput={(brand_name) => edit.set({ brand_name })}
          maxLength={100}
        />
      </div>
      <TextField
        label={t('Text')}
        value={edit.form.static_ad_text}
        onInput={(static_ad_text) => edit.set({ static_ad_text })}
        rows={2}
        required
        maxLength={500}
      />
    </>
  );
}

function UnitPlace({ edit }: { edit: UnitEdit }): JSX.Element {
  return (
    <>
      <div class="form-row">
        <TextField
          label={t('Button')}
          value={edit.form.static_cta}
          onInput={(static_cta) => edit.set({ static_cta })}
          required
          maxLength={80}
        />
        <TextField
          label={t('Landing page')}
          value={edit.form.landing_page}
          onInput={(landing_page) => edit.set({ landing_page })}
          required
          inputMode="url"
          placeholder="https://"
          error={edit.problem?.fields['landing_page']}
        />
      </div>
      <TextField
        label={t('Who it helps')}
        value={edit.form.description}
        onInput={(description) => edit.set({ description })}
        rows={2}
        required
        maxLength={2000}
        hint={t('Used to match the ad to conversations.')}
      />
      <TextField
        label={t('Image address')}
        value={edit.form.image_url}
        onInput={(image_url) => edit.set({ image_url })}
        inputMode="url"
        error={edit.problem?.fields['image_url']}
      />
    </>
  );
}

interface UnitEdit {
  form: UnitForm;
  problem: ApiError | null;
  busy: boolean;
  set: (change: Partial<UnitForm>) => void;
  save: (event: Event) => Promise<void>;
}

function useUnitEdit(unit: Unit | null, onSaved: () => void): UnitEdit {
  const { say } = useApp();
  const [form, setForm] = useState<UnitForm>({
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
  const set = (change: Partial<UnitForm>): void => setForm((before) => ({ ...before, ...change }));
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
  return { form, problem, busy, set, save };
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

type UnitForm = Record<
  | 'name'
  | 'headline'
  | 'description'
  | 'static_ad_text'
  | 'static_cta'
  | 'landing_page'
  | 'brand_name'
  | 'image_url',
  string
>;
