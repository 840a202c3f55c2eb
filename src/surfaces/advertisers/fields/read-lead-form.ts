import type { LeadForm } from '../../../domain/lead-form.js';
import type { FieldReader } from './field-reader.js';
import type { LeadFormInput } from '../schema.js';

/** The form with only the members people are shown. */
export function readLeadForm(reader: FieldReader, input: LeadFormInput): LeadForm {
  const {
    title,
    description,
    fields,
    submit_label: submitLabel,
    privacy_policy_url: policy,
    success_message: success,
  } = input;
  const names = fields.map((field) => field.name.toLowerCase());
  return {
    title,
    ...(description == null ? {} : { description }),
    fields: fields.map((field, index) => {
      const place = reader.at('fields', index);
      const options = field.options ?? [];
      if (names.indexOf(field.name.toLowerCase()) !== index)
        place.refuse('name', 'Used by another field', 'duplicate');
      if (field.type === 'select' && options.length === 0)
        place.refuse('options', 'A select needs options', 'missing');
      if (new Set(options).size !== options.length)
        place.refuse('options', 'Must differ from each other', 'duplicate');
      return {
        name: field.name,
        label: field.label,
        type: field.type,
        required: field.required ?? false,
        ...(field.type === 'select' ? { options } : {}),
      };
    }),
    ...(submitLabel == null ? {} : { submit_label: submitLabel }),
    ...(policy == null ? {} : { privacy_policy_url: reader.url('privacy_policy_url', policy) }),
    ...(success == null ? {} : { success_message: success }),
  };
}
