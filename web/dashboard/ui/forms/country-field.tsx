import type { JSX, RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { country } from '../../core/format.js';
import { t } from '../../core/language.js';
import { afterPress } from './after-press.js';
import { type Country, exactCountry, findCountries } from './country-names.js';

/** Countries picked by name, each shown with a button that takes it away; codes are what is kept. */
export function CountryField({
  label,
  value,
  onChange,
  onUnknown,
  error,
  hint,
}: {
  label: string;
  value: readonly string[];
  onChange: (codes: string[]) => void;
  /** Something stands in the field that is no chosen country yet: it must not be lost silently. */
  onUnknown: (isUnknown: boolean) => void;
  error?: string | undefined;
  hint?: string;
}): JSX.Element {
  const id = useId();
  const typing = useCountryTyping({ value, onUnknown, onChange, error });
  const active = typing.found[typing.at];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {value.length > 0 && <ChosenCountries label={label} value={value} onChange={onChange} />}
      <div class="suggesting">
        <input
          id={id}
          role="combobox"
          autocomplete="off"
          aria-expanded={typing.found.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={active === undefined ? undefined : `${id}-${active.code}`}
          aria-describedby={`${id}-hint${typing.problem === undefined ? '' : ` ${id}-error`}`}
          aria-invalid={typing.problem !== undefined}
          placeholder={value.length === 0 ? t('Everywhere') : t('Add another')}
          value={typing.text}
          onInput={(event) => {
            typing.setText(event.currentTarget.value);
            typing.setAt(0);
            typing.setNamed(null);
            onUnknown(event.currentTarget.value.trim() !== '');
          }}
          onKeyDown={typing.press}
          // After the click that took the focus away: what it was meant for must not move.
          onBlur={() => (typing.leaving.current = afterPress(typing.take))}
        />
        <Suggestions id={id} label={label} typing={typing} />
      </div>
      <p class="hint" id={`${id}-hint`}>
        {hint ?? t('Type a country name. Leave empty for everywhere.')}
      </p>
      {typing.problem !== undefined && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {typing.problem}
        </p>
      )}
    </div>
  );
}

function ChosenCountries({
  label,
  value,
  onChange,
}: {
  label: string;
  value: readonly string[];
  onChange: (codes: string[]) => void;
}): JSX.Element {
  return (
    <ul class="picked" aria-label={t('{label} chosen', { label: label })}>
      {value.map((code) => (
        <li key={code}>
          {country(code)}
          <button
            type="button"
            aria-label={t('Remove {code}', { code: country(code) })}
            onClick={() => onChange(value.filter((one) => one !== code))}
          >
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Suggestions({
  id,
  label,
  typing,
}: {
  id: string;
  label: string;
  typing: CountryTyping;
}): JSX.Element {
  return (
    <ul
      id={`${id}-list`}
      role="listbox"
      aria-label={t('{label} that match', { label: label })}
      class="suggested"
      hidden={typing.found.length === 0}
    >
      {typing.found.map((one, index) => (
        <li
          key={one.code}
          id={`${id}-${one.code}`}
          role="option"
          aria-selected={index === typing.at}
          // Before the field loses the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            typing.add([one]);
          }}
        >
          {one.name}
        </li>
      ))}
    </ul>
  );
}

interface CountryTyping {
  text: string;
  setText: (value: string) => void;
  at: number;
  setAt: (value: number) => void;
  found: Country[];
  setNamed: (value: string | null) => void;
  /** Calls off what follows leaving the field. */
  leaving: RefObject<() => void>;
  add: (picked: readonly Country[]) => void;
  take: () => void;
  press: (event: KeyboardEvent) => void;
  problem: string | undefined;
}

function useCountryTyping({
  value,
  onUnknown,
  onChange,
  error,
}: {
  value: readonly string[];
  onUnknown: (isUnknown: boolean) => void;
  onChange: (codes: string[]) => void;
  error: string | undefined;
}): CountryTyping {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const found = findCountries(text).filter(({ code }) => !value.includes(code));
  const [unknown, setNamed] = useState<string | null>(null);
  const setUnknown = (named: string | null): void => {
    setNamed(named);
    onUnknown(named !== null);
  };
  const leaving = useRef<() => void>(() => undefined);
  // What stands in a field that is gone keeps nobody from anything.
  useEffect(
    () => () => {
      leaving.current();
      onUnknown(false);
    },
    [],
  );
  const add = (picked: readonly Country[]): void => {
    setText('');
    setAt(0);
    setUnknown(null);
    onChange([...new Set([...value, ...picked.map(({ code }) => code)])]);
  };
  /** What is written out in full counts without picking it, also several at once. */
  const take = (): void => {
    const parts = text.split(',').filter((part) => part.trim() !== '');
    if (parts.length === 0) return setUnknown(null);
    const exact = parts.map(exactCountry);
    if (exact.every((one): one is Country => one !== null)) return add(exact);
    setUnknown(parts.find((_, index) => exact[index] === null)?.trim() ?? null);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((at + step + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault();
      const picked = found[at];
      if (text.includes(',') || picked === undefined) take();
      else add([picked]);
    } else if (event.key === 'Escape' && text !== '') {
      event.preventDefault();
      event.stopPropagation();
      setText('');
    } else if (event.key === 'Backspace' && text === '') onChange(value.slice(0, -1));
  };
  const problem = unknown === null ? error : unknownText(unknown);
  return { text, setText, at, setAt, found, setNamed, leaving, add, take, press, problem };
}

const unknownText = (unknown: string): string =>
  t('No country is called “{unknown}”. Type a part of its name and pick it.', { unknown });
