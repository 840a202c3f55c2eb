import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { t } from '../core/language.js';
import { ChatLooks } from '../ui/chat-looks.js';
import { TextField } from '../ui/fields.js';
import { Dialog } from '../ui/parts.js';
import { Problem } from '../ui/states.js';
import { useAskReview } from './ask-review.js';
import type { Ad } from './campaign-record.js';

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
  const [form, setForm] = useState({
    name: ad?.name ?? '',
    headline: ad?.headline ?? '',
    copy: ad?.copy ?? '',
    cta: ad?.cta ?? '',
    landing_page: ad?.landing_page ?? '',
    image_url: ad?.image_url ?? '',
  });
  const [problem, setProblem] = useState<ApiError | null>(null);
  const review = useAskReview();
  const set = (change: Partial<typeof form>): void =>
    setForm((before) => ({ ...before, ...change }));
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
  return (
    <Dialog title={ad === null ? t('New ad') : t('Edit ad')} onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)}>
        {problem !== null && <Problem message={problem.message} />}
        <TextField
          label={t('Headline')}
          value={form.headline}
          onInput={(headline) => set({ headline })}
          maxLength={80}
          required
          hint={t('{headline} characters left', { headline: 80 - form.headline.length })}
        />
        <TextField
          label={t('Text')}
          value={form.copy}
          onInput={(copy) => set({ copy })}
          rows={3}
          maxLength={500}
          hint={t('{copy} characters left', { copy: 500 - form.copy.length })}
        />
        <div class="form-row">
          <TextField
            label={t('Button')}
            value={form.cta}
            onInput={(cta) => set({ cta })}
            maxLength={80}
            placeholder="Learn more"
          />
          <TextField
            label={t('Name')}
            value={form.name}
            onInput={(name) => set({ name })}
            maxLength={200}
            hint={t('Only you see it.')}
          />
        </div>
        <div class="form-row">
          <TextField
            label={t('Landing page')}
            value={form.landing_page}
            onInput={(landing_page) => set({ landing_page })}
            inputMode="url"
            hint={t('Leave empty to use the group’s.')}
            error={problem?.fields['landing_page']}
          />
          <TextField
            label={t('Image address')}
            value={form.image_url}
            onInput={(image_url) => set({ image_url })}
            inputMode="url"
            error={problem?.fields['image_url']}
          />
        </div>
        <ChatLooks
          ad={{
            title: form.headline || brand,
            adText: form.copy,
            cta: form.cta || 'Learn more',
            brandName: brand,
            image: form.image_url,
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
      {review.dialog}
    </Dialog>
  );
}
