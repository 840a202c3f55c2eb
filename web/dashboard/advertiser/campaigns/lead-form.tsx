import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LeadFormInput } from '../../../../src/surfaces/advertisers/schema.js';
import { ApiError } from '../../core/api.js';
import { rich, t } from '../../core/language.js';
import { useAct } from '../../core/hooks/use-act.js';
import { Check, Choice, TextField } from '../../ui/forms/fields.js';
import { LeadFormPreview } from '../../ui/ads/lead-form-preview.js';
import { Card, Dialog } from '../../ui/parts.js';
import { Empty, Problem } from '../../ui/states.js';

type Field = LeadFormInput['fields'][number];
const fieldTypes = [
  ['text', t('Text')],
  ['email', 'E-mail'],
  ['phone', t('Phone')],
  ['select', t('Choice')],
  ['checkbox', t('Checkbox')],
] as const;
const starter: LeadFormInput = {
  title: '',
  description: '',
  fields: [
    { name: 'name', label: t('Name'), type: 'text', required: true },
    { name: 'email', label: t('E-mail'), type: 'email', required: true },
  ],
  submit_label: 'Send',
  privacy_policy_url: '',
  success_message: 'Thank you. We will be in touch.',
};

/** The form people answer right in the assistant: what it looks like, and its editor. */
export function LeadFormCard({
  form,
  onSave,
}: {
  form: LeadFormInput | null;
  /** False when it was thought better of. */
  onSave: (form: LeadFormInput | null) => Promise<boolean>;
}): JSX.Element {
  const { act } = useAct();
  const [editing, setEditing] = useState<LeadFormInput | null>(null);
  return (
    <Card
      title={t('Lead form')}
      actions={
        form !== null && (
          <>
            <button type="button" class="button small" onClick={() => setEditing(form)}>
              {t('Edit form')}
            </button>
            <button
              type="button"
              class="button small danger"
              onClick={() => void act(async () => (await onSave(null), undefined))}
            >
              {t('Remove form')}
            </button>
          </>
        )
      }
    >
      {form === null ? (
        <Empty title={t('No lead form.')}>
          <p>
            {t('People can leave their details right in the assistant; you find them under Leads.')}
          </p>
          <button type="button" class="button" onClick={() => setEditing(starter)}>
            {t('Add a lead form')}
          </button>
        </Empty>
      ) : (
        <LeadFormPreview form={form} />
      )}
      {editing !== null && (
        <LeadFormDialog
          initial={editing}
          onClose={() => setEditing(null)}
          onSave={async (next) => {
            if (await onSave(next)) setEditing(null);
          }}
        />
      )}
    </Card>
  );
}

/** Names are what the answers are stored under: taken from the label once, then kept. */
function nameOf(label: string, taken: readonly string[]): string {
  const base =
    label
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^[^a-z]+|_+$/g, '')
      .slice(0, 50) || 'field';
  let name = base;
  for (let n = 2; taken.includes(name); n += 1) name = `${base}_${n}`;
  return name;
}

function LeadFormDialog({
  initial,
  onClose,
  onSave,
}: {
  initial: LeadFormInput;
  onClose: () => void;
  onSave: (form: LeadFormInput) => Promise<void>;
}): JSX.Element {
  const edit = useLeadForm(initial, onSave);
  return (
    <Dialog title={t('Lead form')} wide onClose={onClose}>
      <div class="split">
        <form class="form" onSubmit={(event) => void edit.save(event)}>
          {edit.problem !== null && <Problem message={edit.problem} />}
          <FormTexts edit={edit} />
          {edit.form.fields.map((field, index) => (
            <FieldEditor key={index} index={index} field={field} edit={edit} />
          ))}
          <AddField edit={edit} />
          <ButtonAndPolicy edit={edit} />
          <TextField
            label={t('Message after sending')}
            value={edit.form.success_message ?? ''}
            onInput={(success_message) => edit.set({ success_message })}
            maxLength={500}
          />
          <div>
            <button class="button primary">{t('Save form')}</button>
          </div>
          <p class="hint">
            {t(
              'A form is reviewed like an ad. Answers are stored encrypted; only you can read them.',
            )}
          </p>
        </form>
        <LeadFormPreview form={edit.form} />
      </div>
    </Dialog>
  );
}

function FormTexts({ edit }: { edit: LeadFormEdit }): JSX.Element {
  return (
    <>
      <TextField
        label={t('Title')}
        value={edit.form.title}
        onInput={(title) => edit.set({ title })}
        required
        maxLength={200}
        placeholder={t('Get a quote')}
      />
      <TextField
        label={t('Text')}
        value={edit.form.description ?? ''}
        onInput={(description) => edit.set({ description })}
        rows={2}
        maxLength={2000}
      />
    </>
  );
}

function FieldEditor({
  index,
  field,
  edit,
}: {
  index: number;
  field: Field;
  edit: LeadFormEdit;
}): JSX.Element {
  return (
    <fieldset>
      <legend>{rich('Question {index}', { index: index + 1 })}</legend>
      <div class="form-row">
        <TextField
          label={t('Label')}
          value={field.label}
          onInput={(label) => edit.setField(index, { label })}
          required
          maxLength={200}
        />
        <Choice
          label={t('Answer')}
          value={field.type}
          options={fieldTypes}
          onChange={(type) =>
            edit.setField(index, { type: type as Field['type'] /* its options are the types */ })
          }
        />
      </div>
      {field.type === 'select' && (
        <TextField
          label={t('Choices, one per line')}
          value={(field.options ?? []).join('\n')}
          onInput={(text) => edit.setField(index, { options: text.split('\n') })}
          rows={3}
          required
        />
      )}
      <div class="row">
        <Check
          label={t('Required')}
          checked={field.required === true}
          onChange={(required) => edit.setField(index, { required })}
        />
        <FieldActions index={index} edit={edit} />
      </div>
    </fieldset>
  );
}

function FieldActions({ index, edit }: { index: number; edit: LeadFormEdit }): JSX.Element {
  return (
    <span class="actions">
      <button
        type="button"
        class="button small"
        aria-label={t('Move question {index} up', { index: index + 1 })}
        disabled={index === 0}
        onClick={() => edit.move(index, -1)}
      >
        ↑
      </button>
      <button
        type="button"
        class="button small"
        aria-label={t('Move question {index} down', { index: index + 1 })}
        disabled={index === edit.form.fields.length - 1}
        onClick={() => edit.move(index, 1)}
      >
        ↓
      </button>
      <button
        type="button"
        class="button small danger"
        aria-label={t('Remove question {index}', { index: index + 1 })}
        disabled={edit.form.fields.length === 1}
        onClick={() => edit.set({ fields: edit.form.fields.filter((_, place) => place !== index) })}
      >
        {t('Remove')}
      </button>
    </span>
  );
}

function AddField({ edit }: { edit: LeadFormEdit }): JSX.Element {
  return (
    <div>
      <button
        type="button"
        class="button small"
        disabled={edit.form.fields.length >= 10}
        onClick={() =>
          edit.set({
            fields: [
              ...edit.form.fields,
              {
                name: `new ${edit.form.fields.length} ${Date.now()}`,
                label: '',
                type: 'text',
                required: false,
              },
            ],
          })
        }
      >
        {t('Add question')}
      </button>
    </div>
  );
}

function ButtonAndPolicy({ edit }: { edit: LeadFormEdit }): JSX.Element {
  return (
    <div class="form-row">
      <TextField
        label={t('Button')}
        value={edit.form.submit_label ?? ''}
        onInput={(submit_label) => edit.set({ submit_label })}
        maxLength={80}
        placeholder="Send"
      />
      <TextField
        label={t('Privacy policy')}
        value={edit.form.privacy_policy_url ?? ''}
        onInput={(privacy_policy_url) => edit.set({ privacy_policy_url })}
        inputMode="url"
        placeholder="https://"
      />
    </div>
  );
}

interface LeadFormEdit {
  form: LeadFormInput;
  problem: string | null;
  set: (change: Partial<LeadFormInput>) => void;
  setField: (index: number, change: Partial<Field>) => void;
  move: (index: number, by: number) => void;
  save: (event: Event) => Promise<void>;
}

function useLeadForm(
  initial: LeadFormInput,
  onSave: (form: LeadFormInput) => Promise<void>,
): LeadFormEdit {
  const [form, setForm] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const known = new Set(initial.fields.map((field) => field.name));
  const set = (change: Partial<LeadFormInput>): void =>
    setForm((before) => ({ ...before, ...change }));
  const setField = (index: number, change: Partial<Field>): void =>
    set({
      fields: form.fields.map((field, place) =>
        place === index ? { ...field, ...change } : field,
      ),
    });
  const move = (index: number, by: number): void => {
    const fields = [...form.fields];
    const [moved] = fields.splice(index, 1);
    if (moved !== undefined) fields.splice(index + by, 0, moved);
    set({ fields });
  };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const fields = fieldsToSave(form, known);
    const text = (value: string | null | undefined): string | null =>
      value == null || value.trim() === '' ? null : value.trim();
    try {
      await onSave({
        title: form.title.trim(),
        fields: fields.map((field) => ({
          ...field,
          options:
            field.type === 'select'
              ? (field.options ?? []).map((one) => one.trim()).filter((one) => one !== '')
              : null,
        })),
        description: text(form.description),
        submit_label: text(form.submit_label),
        privacy_policy_url: text(form.privacy_policy_url),
        success_message: text(form.success_message),
      });
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('The form was not saved.'));
    }
  };
  return { form, problem, set, setField, move, save };
}

function fieldsToSave(form: LeadFormInput, known: Set<string>): Field[] {
  const taken: string[] = form.fields
    .filter((field) => known.has(field.name))
    .map((field) => field.name);
  const fields = form.fields.map((field) => {
    if (known.has(field.name)) return field;
    const name = nameOf(field.label, taken);
    taken.push(name);
    return { ...field, name };
  });
  return fields;
}
