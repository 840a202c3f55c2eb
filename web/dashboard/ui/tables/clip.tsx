import type { JSX } from 'preact';

/** A long text does not push the columns behind it out of sight; it is read whole by its title. */
export function Clip({ text }: { text: string }): JSX.Element | null {
  return text === '' ? null : (
    <span class="clip" title={text}>
      {text}
    </span>
  );
}
