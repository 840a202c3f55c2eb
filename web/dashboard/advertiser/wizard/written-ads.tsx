import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { heard, t } from '../../core/language.js';
import { Check, TextField } from '../../ui/forms/fields.js';
import { Problem } from '../../ui/states.js';
import { type Form, type WrittenAd, writtenOf } from './wizard-form.js';

interface Written {
  ads: { headline: string; copy: string; cta: string }[];
  page_read: boolean;
  page_problem: string | null;
}

const wanted = 4;

/** Ads written from the brief and the page, to be seen, changed, written anew and chosen. */
export function WrittenAds({
  form,
  set,
  error,
}: {
  form: Form;
  set: (change: Partial<Form>) => void;
  error: string | undefined;
}): JSX.Element {
  const writing = useWriting(form, set);

  return (
    <>
      <TextField
        label={t('What should the ads say?')}
        value={form.ad_prompt}
        onInput={(ad_prompt) => set({ ad_prompt })}
        rows={4}
        maxLength={10_000}
        hint={t(
          'Facts to mention, things to avoid, the wording of the button. For example: Mention free returns. Avoid prices. Button: “See the tents”.',
        )}
      />
      <div class="actions">
        <button
          type="button"
          class={writing.ads.length === 0 ? 'button primary' : 'button'}
          disabled={writing.busy !== null}
          onClick={() => void writing.writeAll()}
        >
          {writing.busy === 'all'
            ? t('Writing…')
            : writing.ads.length === 0
              ? t('Write ads')
              : t('Write others')}
        </button>
        {writing.ads.length > 0 && (
          <span class="hint">
            {t('Ads you deselect are replaced. If all are selected, all are rewritten.')}
          </span>
        )}
      </div>
      {writing.problem !== null && <Problem message={writing.problem} />}
      {writing.note !== null && <p class="hint">{writing.note}</p>}
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
      {writing.ads.map((ad, index) => (
        <WrittenAdFields key={index} index={index} writing={writing} ad={ad} />
      ))}
    </>
  );
}

function WrittenAdFields({
  index,
  writing,
  ad,
}: {
  index: number;
  writing: Writing;
  ad: WrittenAd;
}): JSX.Element {
  return (
    <fieldset class="written" disabled={writing.busy !== null}>
      <legend>{t('Ad {number}', { number: index + 1 })}</legend>
      <Check
        label={t('Use this ad')}
        checked={ad.chosen}
        onChange={(chosen) => writing.change(index, { chosen })}
      />
      <TextField
        label={t('Headline')}
        value={ad.headline}
        onInput={(headline) => writing.change(index, { headline })}
        maxLength={80}
      />
      <TextField
        label={t('Text')}
        value={ad.copy}
        onInput={(copy) => writing.change(index, { copy })}
        rows={3}
        maxLength={500}
      />
      <TextField
        label={t('Button')}
        value={ad.cta}
        onInput={(cta) => writing.change(index, { cta })}
        maxLength={80}
      />
      <div>
        <button
          type="button"
          class="button small"
          aria-label={t('Write another instead of ad {number}', { number: index + 1 })}
          onClick={() => void writing.writeOne(index)}
        >
          {writing.busy === index ? t('Writing…') : t('Another instead')}
        </button>
      </div>
    </fieldset>
  );
}

interface Writing {
  ads: WrittenAd[];
  busy: number | 'all' | null;
  problem: string | null;
  note: string | null;
  writeAll: () => Promise<void>;
  writeOne: (index: number) => Promise<void>;
  change: (index: number, fields: Partial<WrittenAd>) => void;
}

function useWriting(form: Form, set: (change: Partial<Form>) => void): Writing {
  const ads = writtenOf(form);
  const [busy, setBusy] = useState<number | 'all' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const keep = (next: readonly WrittenAd[]): void => set({ written: JSON.stringify(next) });

  const ask = async (count: number, known: readonly WrittenAd[]): Promise<WrittenAd[] | null> => {
    setProblem(null);
    try {
      const made = await call<Written>('/advertiser-dashboard/ads/write', {
        method: 'POST',
        body: {
          landing_page: form.landing_page.trim(),
          context: form.context.trim(),
          ad_prompt: form.ad_prompt.trim(),
          brand_name: form.brand_name.trim(),
          count,
          known: known.map(({ headline, copy }) => ({ headline, copy })),
        },
      });
      setNote(
        made.page_read
          ? null
          : t('Written from your brief alone: the page could not be read ({problem}).', {
              problem: heard(made.page_problem ?? ''),
            }),
      );
      if (made.ads.length === 0)
        setProblem(t('Nothing else could be written from this brief. Add facts to it.'));
      return made.ads.map((ad) => ({ ...ad, chosen: true }));
    } catch (failed) {
      setProblem(failed instanceof ApiError ? failed.message : t('No ads were written.'));
      return null;
    } finally {
      setBusy(null);
    }
  };
  /** What is chosen stays; the others make room for new ones. */
  const writeAll = async (): Promise<void> => {
    setBusy('all');
    const kept = ads.filter((ad) => ad.chosen && ads.some((other) => !other.chosen));
    const made = await ask(Math.max(1, wanted - kept.length), ads);
    if (made !== null && made.length > 0) keep([...kept, ...made]);
  };
  const writeOne = async (index: number): Promise<void> => {
    setBusy(index);
    const [made] = (await ask(1, ads)) ?? [];
    if (made !== undefined) keep(ads.map((ad, at) => (at === index ? made : ad)));
  };
  const change = (index: number, fields: Partial<WrittenAd>): void =>
    keep(ads.map((ad, at) => (at === index ? { ...ad, ...fields } : ad)));
  return { ads, busy, problem, note, writeAll, writeOne, change };
}
