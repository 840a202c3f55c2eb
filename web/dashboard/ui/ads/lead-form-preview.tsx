import type { JSX } from 'preact';
import type { LeadFormInput } from '../../../../src/surfaces/advertisers/schema.js';
import { rich, t } from '../../core/language.js';

const inputTypes: Record<string, 'text' | 'email' | 'tel'> = { email: 'email', phone: 'tel' };

/** The form the way an assistant shows it. Nothing in it can be filled in or sent. */
export function LeadFormPreview({ form }: { form: LeadFormInput }): JSX.Element {
  return (
    <aside class="ad lead-form" aria-label={t('Preview of the lead form')}>
      <p class="ad-title">{form.title.trim() === '' ? t('Title') : form.title}</p>
      {form.description != null && form.description !== '' && (
        <p class="ad-text">{form.description}</p>
      )}
      <fieldset disabled>
        <legend class="hidden">{t('Questions')}</legend>
        {form.fields.map((field, index) => {
          const label = `${field.label.trim() === '' ? t('Question {index}', { index: index + 1 }) : field.label}${field.required === true ? ' *' : ''}`;
          if (field.type === 'checkbox')
            return (
              <label key={index} class="check">
                <input type="checkbox" />
                <span>{label}</span>
              </label>
            );
          return (
            <label key={index} class="field">
              <span>{label}</span>
              {field.type === 'select' ? (
                <select>
                  {(field.options ?? []).map((option, place) => (
                    <option key={place}>{option}</option>
                  ))}
                </select>
              ) : (
                <input
                  type={
                    (inputTypes[field.type] ??
                      'text') as 'text' /* every one takes the same attributes */
                  }
                />
              )}
            </label>
          );
        })}
        <button type="button" class="button primary">
          {form.submit_label == null || form.submit_label === '' ? 'Send' : form.submit_label}
        </button>
      </fieldset>
      {form.privacy_policy_url != null && form.privacy_policy_url !== '' && (
        <small>
          {rich('Privacy policy: {privacy_policy_url}', {
            privacy_policy_url: form.privacy_policy_url,
          })}
        </small>
      )}
    </aside>
  );
}
