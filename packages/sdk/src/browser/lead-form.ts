import type { Ad, LeadField, LeadSubmission } from '../ad.js';
import type { AdLabels } from './ad-labels.js';
import { createElement } from './create-element.js';
import { postToPublisher, type Destination } from './post-to-publisher.js';

export interface LeadParts {
  /** Opens and closes the form. */
  toggle: HTMLButtonElement;
  form: HTMLFormElement;
}

const INPUT_TYPES: Record<string, string> = {
  text: 'text',
  email: 'email',
  phone: 'tel',
  checkbox: 'checkbox',
};
const AUTOCOMPLETE: Record<string, string> = { email: 'email', phone: 'tel' };

/** The advertiser's form, closed until asked for. */
export function leadForm(
  doc: Document,
  ad: Ad,
  sessionId: string,
  destination: Destination<LeadSubmission>,
  labels: AdLabels,
): LeadParts | null {
  const config = ad.leadForm;
  if (config === undefined || config === null || !Array.isArray(config.fields)) return null;
  const form = createElement(doc, 'form', '', '', {
    hidden: '',
    'aria-label': `${config.title}: ${ad.brandName}`,
  });
  const toggle = createElement(doc, 'button', 'open', config.title, {
    type: 'button',
    'aria-expanded': 'false',
  });
  toggle.addEventListener('click', () => {
    form.hidden = !form.hidden;
    toggle.setAttribute('aria-expanded', String(!form.hidden));
  });

  if (config.description !== undefined && config.description !== null)
    form.append(createElement(doc, 'p', '', config.description));
  const inputs = config.fields.map((field) => [field, addField(doc, form, field)] as const);
  const consent = addConsent(doc, form, config.privacy_policy_url, labels);
  const submit = createElement(doc, 'button', '', config.submit_label ?? labels.send, {
    type: 'submit',
  });
  const status = createElement(doc, 'p', '', '', { role: 'status' });
  form.append(submit, status);

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    submit.disabled = true;
    const fields: LeadSubmission['fields'] = {};
    for (const [field, input] of inputs) {
      if (input instanceof HTMLInputElement && field.type === 'checkbox')
        fields[field.name] = input.checked;
      else if (input.value.trim() !== '') fields[field.name] = input.value.trim();
    }
    const message: LeadSubmission = {
      sessionId,
      impUrl: ad.impUrl,
      fields,
      placement: ad.placement,
      placementId: ad.placement_id,
      ...(consent === null ? {} : { consent: consent.checked }),
    };
    void postToPublisher(destination, 'lead', message).then((taken) => {
      submit.disabled = taken;
      status.textContent = taken ? (config.success_message ?? labels.sent) : labels.failed;
      if (taken) form.replaceChildren(status);
    });
  });
  return { toggle, form };
}

function addField(
  doc: Document,
  form: HTMLFormElement,
  field: LeadField,
): HTMLInputElement | HTMLSelectElement {
  const label = createElement(doc, 'label', field.type === 'checkbox' ? 'check' : '');
  const input =
    field.type === 'select'
      ? createElement(doc, 'select')
      : createElement(doc, 'input', '', '', { type: INPUT_TYPES[field.type] ?? 'text' });
  input.name = field.name;
  input.required = field.required === true;
  const autocomplete = AUTOCOMPLETE[field.type];
  if (autocomplete !== undefined) input.setAttribute('autocomplete', autocomplete);
  if (field.type === 'select')
    for (const option of ['', ...(field.options ?? [])])
      input.append(createElement(doc, 'option', '', option, { value: option }));
  const words = createElement(
    doc,
    'span',
    '',
    `${field.label}${field.required === true ? ' *' : ''}`,
  );
  label.append(...(field.type === 'checkbox' ? [input, words] : [words, input]));
  form.append(label);
  return input;
}

function addConsent(
  doc: Document,
  form: HTMLFormElement,
  policy: string | undefined,
  labels: AdLabels,
): HTMLInputElement | null {
  if (policy === undefined || policy === null || !/^https?:\/\//i.test(policy)) return null;
  const label = createElement(doc, 'label', 'check');
  const box = createElement(doc, 'input', '', '', { type: 'checkbox', required: '' });
  const words = createElement(doc, 'span', '', `${labels.consent} `);
  words.append(
    createElement(doc, 'a', '', labels.privacyPolicy, {
      href: policy,
      target: '_blank',
      rel: 'noopener',
    }),
  );
  label.append(box, words);
  form.append(label);
  return box;
}
