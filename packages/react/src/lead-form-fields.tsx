'use client';
import {
  postToPublisher,
  type Ad,
  type AdLabels,
  type Destination,
  type LeadField,
  type LeadForm,
  type LeadSubmission,
} from '@sidelight/sdk/browser';
import { useState, type FormEvent, type ReactElement } from 'react';

interface LeadFormProps {
  ad: Ad;
  form: LeadForm;
  sessionId: string;
  destination: Destination<LeadSubmission>;
  labels: AdLabels;
}

/** The advertiser's form. */
export function LeadFormFields({
  ad,
  form,
  sessionId,
  destination,
  labels,
}: LeadFormProps): ReactElement {
  const [state, setState] = useState<'open' | 'sending' | 'sent' | 'failed'>('open');
  const policy = form.privacy_policy_url;
  const asksConsent = typeof policy === 'string' && /^https?:\/\//i.test(policy);

  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (state === 'sending') return;
    const data = new FormData(event.currentTarget);
    setState('sending');
    const message: LeadSubmission = {
      sessionId,
      impUrl: ad.impUrl,
      fields: answersIn(data, form),
      placement: ad.placement,
      placementId: ad.placement_id,
      ...(asksConsent ? { consent: data.get('consent') !== null } : {}),
    };
    void postToPublisher(destination, 'lead', message).then((taken) =>
      setState(taken ? 'sent' : 'failed'),
    );
  };

  if (state === 'sent')
    return (
      <p data-sl="sent" role="status">
        {form.success_message ?? labels.sent}
      </p>
    );
  return (
    <form data-sl="form" aria-label={`${form.title}: ${ad.brandName}`} onSubmit={onSubmit}>
      {form.description === undefined || form.description === null ? null : (
        <p>{form.description}</p>
      )}
      {form.fields.map((field) => (
        <Field key={field.name} field={field} />
      ))}
      {asksConsent ? (
        <label data-sl="check">
          <input type="checkbox" name="consent" required />
          <span>
            {labels.consent}{' '}
            <a href={policy} target="_blank" rel="noopener">
              {labels.privacyPolicy}
            </a>
          </span>
        </label>
      ) : null}
      <button type="submit" disabled={state === 'sending'}>
        {form.submit_label ?? labels.send}
      </button>
      <p role="status">{state === 'failed' ? labels.failed : ''}</p>
    </form>
  );
}

function answersIn(data: FormData, form: LeadForm): LeadSubmission['fields'] {
  const fields: LeadSubmission['fields'] = {};
  for (const field of form.fields) {
    const value = data.get(`field:${field.name}`);
    if (field.type === 'checkbox') fields[field.name] = value !== null;
    else if (typeof value === 'string' && value.trim() !== '') fields[field.name] = value.trim();
  }
  return fields;
}

const INPUT_TYPES: Record<string, string> = { text: 'text', email: 'email', phone: 'tel' };

function Field({ field }: { field: LeadField }): ReactElement {
  const name = `field:${field.name}`;
  const required = field.required === true;
  const words = (
    <span>
      {field.label}
      {required ? ' *' : ''}
    </span>
  );
  if (field.type === 'checkbox')
    return (
      <label data-sl="check">
        <input type="checkbox" name={name} required={required} />
        {words}
      </label>
    );
  if (field.type === 'select') {
    return (
      <label>
        {words}
        <select name={name} required={required} defaultValue="">
          {['', ...(field.options ?? [])].map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      </label>
    );
  }
  const autoComplete =
    field.type === 'email' ? 'email' : field.type === 'phone' ? 'tel' : undefined;
  return (
    <label>
      {words}
      <input
        type={INPUT_TYPES[field.type] ?? 'text'}
        name={name}
        required={required}
        autoComplete={autoComplete}
      />
    </label>
  );
}
