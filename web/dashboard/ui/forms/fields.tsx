import type { ComponentChildren, JSX, TargetedEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { t } from '../../core/language.js';

interface Shared {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
}

function Wrap({
  id,
  label,
  hint,
  error,
  children,
}: Shared & { id: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

const described = (id: string, { hint, error }: Shared): string | undefined =>
  [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter((part) => part !== '')
    .join(' ') || undefined;

export function TextField(
  props: Shared & {
    value: string;
    onInput: (value: string) => void;
    type?: 'text' | 'email' | 'password' | 'number' | 'url' | 'date' | 'datetime-local';
    required?: boolean;
    readOnly?: boolean;
    autoFocus?: boolean;
    minLength?: number;
    maxLength?: number;
    placeholder?: string;
    rows?: number;
    autoComplete?: string;
    step?: string;
    min?: string;
    max?: string;
    inputMode?: 'decimal' | 'numeric' | 'url' | 'email';
    /** What to say when the browser refuses what stands here; else it is said in general words. */
    wrong?: string;
  },
): JSX.Element {
  const id = useId();
  const refusal = useRefusal(props.wrong);
  const shown = { ...props, error: props.error ?? refusal.text };
  const shared = {
    id,
    value: props.value,
    required: props.required,
    readOnly: props.readOnly,
    autoFocus: props.autoFocus,
    minLength: props.minLength,
    maxLength: props.maxLength,
    placeholder: props.placeholder,
    'aria-describedby': described(id, shown),
    'aria-invalid': shown.error !== undefined,
    onInvalid: refusal.onInvalid,
    onInput: (event: FieldEvent) => {
      refusal.onTyped(event.currentTarget);
      props.onInput(event.currentTarget.value);
    },
  };
  return (
    <Wrap id={id} {...shown}>
      {props.rows === undefined ? (
        // The JSX types want one literal; every type allowed here takes the same attributes.
        <input
          {...shared}
          type={(props.type ?? 'text') as 'text'}
          step={props.step}
          min={props.min}
          max={props.max}
          inputMode={props.inputMode}
          autoComplete={props.autoComplete}
        />
      ) : (
        <textarea {...shared} rows={props.rows} />
      )}
    </Wrap>
  );
}

type TypedIn = HTMLInputElement | HTMLTextAreaElement;
type FieldEvent = TargetedEvent<TypedIn>;

interface Refusal {
  text: string | undefined;
  onInvalid: (event: FieldEvent) => void;
  onTyped: (field: TypedIn) => void;
}

/** The browser's bubble is gone with the next key and speaks its own language: said at the field. */
function useRefusal(own: string | undefined): Refusal {
  const [text, setText] = useState<string | undefined>(undefined);
  return {
    text,
    onInvalid: (event) => {
      event.preventDefault();
      const field = event.currentTarget;
      setText(own ?? refusalOf(field));
      if (field.form?.querySelector('input:invalid, textarea:invalid') === field) field.focus();
    },
    onTyped: (field) => {
      if (text !== undefined && field.validity.valid) setText(undefined);
    },
  };
}

function refusalOf(field: TypedIn): string {
  const { validity, minLength } = field;
  if (validity.badInput) return t('Enter a number.');
  if (validity.valueMissing) return t('Fill this in.');
  if (validity.typeMismatch && field.type === 'email')
    return t('Enter an e-mail address like name@shop.example.');
  if (validity.tooShort) return t('At least {minLength} characters.', { minLength });
  if (validity.rangeUnderflow) return t('At least {min}.', { min: boundOf(field, 'min') });
  if (validity.rangeOverflow) return t('At most {max}.', { max: boundOf(field, 'max') });
  if (validity.stepMismatch) return t('In steps of {step}.', { step: boundOf(field, 'step') });
  return t('This does not fit here.');
}

const boundOf = (field: TypedIn, name: 'min' | 'max' | 'step'): string =>
  field.getAttribute(name) ?? '';

export function Choice(
  props: Shared & {
    value: string;
    options: readonly (readonly [value: string, label: string])[];
    onChange: (value: string) => void;
  },
): JSX.Element {
  const id = useId();
  return (
    <Wrap id={id} {...props}>
      <select
        id={id}
        value={props.value}
        aria-describedby={described(id, props)}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Wrap>
  );
}

export function Check({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
