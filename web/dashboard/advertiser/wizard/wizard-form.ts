import { fromField } from '../../core/zone-time.js';
import { t } from '../../core/language.js';
import { billingChoice } from './billing-choices.js';
import { countriesOf } from '../edit/countries-of.js';
import { asAddress } from '../host-of.js';

/** Every field is a text, so that what was typed can be kept and brought back as it is. */
export const first = {
  name: '',
  landing_page: '',
  brand_name: '',
  objective: 'clicks',
  group_type: 'manual',
  context: '',
  negative_context: '',
  ad_prompt: '',
  /** Ads that were written, as JSON: seen, changed and chosen before launch. */
  written: '',
  headline: '',
  copy: '',
  cta: '',
  image_url: '',
  daily_budget: '25',
  billing_model: 'cpm',
  bid: '',
  countries: '',
  device: '',
  start: '',
  end: '',
  /** Where somebody was when they left. */
  step: '0',
};
export type Form = typeof first;

export interface WrittenAd {
  headline: string;
  copy: string;
  cta: string;
  chosen: boolean;
}

export function writtenOf(form: Form): WrittenAd[] {
  try {
    // Only what we wrote there ourselves.
    return form.written === '' ? [] : (JSON.parse(form.written) as WrittenAd[]);
  } catch {
    return [];
  }
}

/** What is still missing before the next step. */
export function missing(step: number, form: Form): Partial<Record<keyof Form, string>> {
  const problems: Partial<Record<keyof Form, string>> = {};
  if (step === 0 && form.name.trim() === '') problems.name = t('Give the campaign a name.');
  if (step === 0 && !/^https?:\/\/[^\s.]+\.[^\s]+/.test(asAddress(form.landing_page)))
    problems.landing_page = t('Enter an address like https://shop.example/offer.');
  if (step === 1 && form.context.trim() === '')
    problems.context = t('Say in a sentence or two who should see this.');
  if (step === 2) Object.assign(problems, missingAds(form));
  if (step === 3 && !(Number(form.daily_budget) > 0))
    problems.daily_budget = t('Enter an amount above zero.');
  if (step === 3 && form.bid !== '' && !(Number(form.bid) >= 0))
    problems.bid = t('A number of dollars, or nothing for automatic.');
  if (step === 3 && form.end !== '' && form.start !== '' && form.end <= form.start)
    problems.end = t('The end must be after the start.');
  return problems;
}

function missingAds(form: Form): Partial<Record<keyof Form, string>> {
  if (form.group_type === 'manual')
    return form.headline.trim() === '' ? { headline: t('The ad needs a headline.') } : {};
  const chosen = writtenOf(form).filter((ad) => ad.chosen);
  if (chosen.length === 0) return { written: t('Write ads and choose at least one.') };
  return chosen.some((ad) => ad.headline.trim() === '')
    ? { written: t('Every chosen ad needs a headline.') }
    : {};
}

const text = (value: string): string | undefined =>
  value.trim() === '' ? undefined : value.trim();

/** What the money, the places and the dates come to, as the API names them. */
function settingsOf(form: Form, zone: string): Record<string, unknown> {
  const { limit } = billingChoice(form.billing_model);
  const countries = countriesOf(form.countries);
  return {
    daily_budget: Number(form.daily_budget),
    campaign_objective: form.objective,
    billing_model: form.billing_model,
    ...(Number(form.bid) > 0 ? { [limit]: Number(form.bid) } : {}),
    ...(countries.length === 0 ? {} : { allowed_countries: countries }),
    ...(form.device === '' ? {} : { allowed_devices: [form.device] }),
    ...(form.start === '' ? {} : { start_time: fromField(form.start, zone) }),
    ...(form.end === '' ? {} : { end_time: fromField(form.end, zone) }),
  };
}

/** What to forecast; null as long as it is not said for whom, or for how much. */
export function planOf(form: Form, zone: string): Record<string, unknown> | null {
  if (form.context.trim().length < 8 || !(Number(form.daily_budget) > 0)) return null;
  return {
    context: form.context.trim(),
    negative_context: form.negative_context.trim(),
    ...settingsOf(form, zone),
  };
}

export function bodyOf(
  form: Form,
  status: 'active' | 'draft',
  zone: string,
): Record<string, unknown> {
  const ads =
    form.group_type === 'manual'
      ? [
          {
            name: 'Ad 1',
            headline: text(form.headline),
            copy: text(form.copy),
            cta: text(form.cta),
            image_url: text(form.image_url),
          },
        ]
      : writtenOf(form)
          .filter((ad) => ad.chosen)
          .map((ad, index) => ({
            name: `Ad ${index + 1}`,
            headline: text(ad.headline),
            copy: text(ad.copy),
            cta: text(ad.cta),
          }));
  return {
    name: form.name.trim(),
    landing_page: asAddress(form.landing_page),
    status,
    ...settingsOf(form, zone),
    ad_groups: [
      {
        name: text(form.brand_name) ?? form.name.trim(),
        // Exactly the ads that were chosen, and no others.
        group_type: 'manual',
        context: form.context.trim(),
        negative_context: text(form.negative_context),
        brand_name: text(form.brand_name),
        ads,
      },
    ],
  };
}
