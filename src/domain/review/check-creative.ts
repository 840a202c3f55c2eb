import { findBrandProblems } from './brand-match.js';
import { type Creative, hostOf } from './creative.js';
import type { Finding } from './finding.js';
import { findProhibited } from './prohibited-content.js';
import { secretWords } from './prohibited-rules.js';
import { findBadStyle } from './text-style.js';

const secrets = new RegExp(String.raw`\b(?:${secretWords})\b`);

export const creativeLimits = { headline: 80, copy: 500, cta: 80 } as const;

/** Everything that can be said about an ad without leaving the machine. */
export function checkCreative(creative: Creative, campaignPage: string): Finding[] {
  const findings = [
    ...checkText('headline', creative.title, creativeLimits.headline),
    ...checkText('copy', creative.adText, null),
    ...checkText('cta', creative.cta, creativeLimits.cta),
    ...checkText('brand_name', creative.brandName, null),
    ...findBrandProblems(creative.brandName, creative.url),
  ];
  if (hostOf(creative.url) !== hostOf(campaignPage)) {
    findings.push({
      rule: 'other_site',
      level: 'flag',
      field: 'landing_page',
      message: 'Leads to another site than the campaign',
    });
  }
  return findings;
}

export interface FormTexts {
  readonly title: string;
  readonly description?: string;
  readonly fields: readonly { readonly label: string; readonly options?: readonly string[] }[];
  readonly submit_label?: string;
  readonly success_message?: string;
  readonly privacy_policy_url?: string;
}

/**
 * Asking for secrets through an ad is never fine; a form without a privacy policy deserves a look.
 */
export function checkForm(form: FormTexts): Finding[] {
  const texts = [
    form.title,
    form.description,
    form.submit_label,
    form.success_message,
    ...form.fields.flatMap((field) => [field.label, ...(field.options ?? [])]),
  ];
  const findings = texts.flatMap((text) =>
    text === undefined ? [] : checkText('lead_form_config', text, null),
  );
  const asked = form.fields.map((field) => field.label.toLowerCase()).join(' | ');
  if (secrets.test(asked)) {
    findings.push({
      rule: 'asks_secrets',
      level: 'block',
      field: 'lead_form_config',
      message: 'The form asks for secrets or payment details',
    });
  }
  if (form.privacy_policy_url === undefined) {
    findings.push({
      rule: 'no_privacy_policy',
      level: 'flag',
      field: 'lead_form_config',
      message: 'The form names no privacy policy',
    });
  }
  return findings;
}

function checkText(field: string, text: string, limit: number | null): Finding[] {
  const tooLong: Finding[] =
    limit !== null && [...text].length > limit
      ? [{ rule: 'too_long', level: 'flag', field, message: `Longer than ${limit} characters` }]
      : [];
  return [...tooLong, ...findBadStyle(field, text), ...findProhibited(field, text)];
}
