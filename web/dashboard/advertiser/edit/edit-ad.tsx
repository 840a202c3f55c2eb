import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { t } from '../../core/language.js';
import { ChatLooks } from '../../ui/ads/chat-looks.js';
import { defaultButton, servedButton } from '../../ui/ads/served-button.js';
import { TextField } from '../../ui/forms/fields.js';
import { Dialog } from '../../ui/parts.js';
import { Problem } from '../../ui/states.js';
import { useAskReview, type ReviewQuestion } from './ask-review.js';
import type { Ad } from '../campaign-record.js';

/** Writes an ad, or changes one written by hand. */
export function EditAd({
  ad,
  groupId,
  brand,
  onClose,
  onSaved,
}: {
  ad: Ad | null;
  groupId: string;
  brand: string;
  onClose: () => void;
  onSaved: () => void;
}): JSX.Element {
  const edit = useAdEdit(ad, groupId, onSaved);
  return (
    <Dialog title={ad === null ? t('New ad') : t('Edit ad')} onClose={onClose}>
      <form class="form" onSubmit={(event) => void edit.save(event)}>
        {edit.problem !== null && <Problem message={edit.problem.message} />}
        <AdTexts edit={edit} />
        <AdPlaces edit={edit} />
        <ChatLooks
          ad={{
            title: edit.form.headline || brand,
            adText: edit.form.copy,
            cta: servedButton(edit.form.cta),
            brandName: brand,
            image: edit.form.image_url,
          }}
        />
        <p class="hint">
          {ad === null
            ? t('A new ad is reviewed before people see it. The others keep running.')
            : t(
                'A change is reviewed before people see it; you are asked what is shown until then.',
              )}
        </p>
        <div>
          <button class="button primary">{t('Save ad')}</button>
        </div>
      </form>
      {edit.review.dialog}
    </Dialog>
  );
}

function AdTexts({ edit }: { edit: AdEdit }): JSX.Element {
  return (
    <>
      <TextField
        label={t('Headline')}
        value={edit.form.headline}
        onInput={(headline) => edit.set({ headline })}
        maxLength={80}
        required
        wrong={t('The ad needs a headline.')}
        hint={t('{headline} characters left', { headline: 80 - edit.form.headline.length })}
      />
      <TextField
        label={t('Text')}
        value={edit.form.copy}
        onInput={(copy) => edit.set({ copy })}
        rows={3}
        maxLength={500}
        hint={t('{copy} characters left', { copy: 500 - edit.form.copy.length })}
      />
      <div class="form-row">
        <TextField
          label={t('Button')}
          value={edit.form.cta}
          onInput={(cta) => edit.set({ cta })}
          maxLength={80}
          placeholder={defaultButton}
          hint={t('Left empty, people see “{button}”.', { button: defaultButton })}
        />
        <TextField
          label={t('Name')}
          value={edit.form.name}
          onInput={(name) => edit.set({ name })}
          maxLength={200}
          hint={t('Only you see it.')}
        />
      </div>
    </>
  );
}

function AdPlaces({ edit }: { edit: AdEdit }): JSX.Element {
  return (
    <div class="form-row">
      <TextField
        label={t('Landing page')}
        value={edit.form.landing_page}
        onInput={(landing_page) => edit.set({ landing_page })}
        inputMode="url"
        hint={t('Leave empty to use the group’s.')}
        error={edit.problem?.fields['landing_page']}
      />
      <TextField
        label={t('Image address')}
        value={edit.form.image_url}
        onInput={(image_url) => edit.set({ image_url })}
        inputMode="url"
        error={edit.problem?.fields['image_url']}
      />
    </div>
  );
}

interface AdEdit {
  form: AdForm;
  problem: ApiError | null;
  review: ReviewQuestion;
  set: (change: Partial<AdForm>) => void;
  save: (event: Event) => Promise<void>;
}

function useAdEdit(ad: Ad | null, groupId: string, onSaved: () => void): AdEdit {
  const [form, setForm] = useState<AdForm>({
    name: ad?.name ?? '',
    headline: ad?.headline ?? '',
    copy: ad?.copy ?? '',
    cta: ad?.cta ?? '',
    landing_page: ad?.landing_page ?? '',
    image_url: ad?.image_url ?? '',
  });
  const [problem, setProblem] = useState<ApiError | null>(null);
  const review = useAskReview();
  const set = (change: Partial<AdForm>): void => setForm((before) => ({ ...before, ...change }));
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const optional = (value: string): string | null => (value.trim() === '' ? null : value.trim());
    const body = {
      ...form,
      name: form.name.trim() === '' ? form.headline.trim().slice(0, 200) || 'Ad' : form.name,
      landing_page: optional(form.landing_page),
      image_url: optional(form.image_url),
    };
    try {
      if (ad === null)
        await call(`/advertiser-dashboard/ad-groups/${groupId}/ads`, { method: 'POST', body });
      else {
        const asked = await review.ask({ ad_id: ad.id }, body);
        if (asked === null) return;
        await call(`/advertiser-dashboard/ads/${ad.id}`, {
          method: 'PATCH',
          body: { ...body, ...asked },
        });
      }
      onSaved();
    } catch (error) {
      setProblem(error instanceof ApiError ? error : new ApiError(0, t('The ad was not saved.')));
    }
  };
  return { form, problem, review, set, save };
}

type AdForm = Record<'name' | 'headline' | 'copy' | 'cta' | 'landing_page' | 'image_url', string>;
