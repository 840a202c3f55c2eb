import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

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
  },
): JSX.Element {
  const id = useId();
  const shared = {
    id,
    value: props.value,
    required: props.required,
    readOnly: props.readOnly,
    autoFocus: props.autoFocus,
    minLength: props.minLength,
    maxLength: props.maxLength,
    placeholder: props.placeholder,
    'aria-describedby': described(id, props),
    'aria-invalid': props.error !== undefined,
  };
  return (
    <Wrap id={id} {...props}>
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
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      ) : (
        <textarea
          {...shared}
          rows={props.rows}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    </Wrap>
  );
}

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
