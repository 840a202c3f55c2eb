import type { LeadForm } from '../../domain/lead-form.js';
import type { FieldProblem } from '../../platform/errors.js';

/**
 * What is wrong with an answer to a form: unknown and missing fields, values of the wrong kind.
 * Never repeats a value.
 */
export function checkFields(
  form: LeadForm,
  fields: Readonly<Record<string, string | boolean>>,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const known = new Map(form.fields.map((field) => [field.name, field]));
  for (const [at, name] of Object.keys(fields).entries()) {
    if (!known.has(name))
      problems.push({
        type: 'unknown_field',
        loc: ['body', 'fields', at],
        msg: 'The form has no such field',
      });
  }
  for (const field of form.fields) {
    const value = fields[field.name];
    const problem = (type: string, msg: string): void =>
      void problems.push({ type, loc: ['body', 'fields', field.name], msg });
    if (
      value === undefined ||
      value === '' ||
      (field.type === 'checkbox' && field.required && value === false)
    ) {
      if (field.required) problem('missing', 'Field required');
    } else if ((field.type === 'checkbox') !== (typeof value === 'boolean'))
      problem('type', field.type === 'checkbox' ? 'Must be true or false' : 'Must be text');
    else if (typeof value === 'string') {
      if (field.type === 'email' && !/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value))
        problem('email', 'Must be an e-mail address');
      if (field.type === 'phone' && value.replace(/\D/g, '').length < 5)
        problem('phone', 'Must be a phone number');
      if (field.type === 'select' && !(field.options ?? []).includes(value))
        problem('select', 'Must be one of the options');
    }
  }
  return problems;
}
