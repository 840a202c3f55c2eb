import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { percent as percentOf } from '../core/format.js';
import { named, rich, t } from '../core/language.js';

interface PartEffect {
  part: string;
  need: number;
  sensitivity: number;
}

interface Explained {
  refusal: { reason: string; detail: string } | null;
  unread: boolean;
  topic: string | null;
  reading: {
    need: number;
    sensitivity: number;
    turns: PartEffect[];
    words: PartEffect[];
  } | null;
}

const percent = (share: number): string => percentOf(share * 100, 0);
const signed = (share: number): string =>
  `${share >= 0 ? '+' : '−'}${Math.abs(Math.round(share * 100))}`;

/** How a conversation was read, and what of it did that; asked for only when somebody wants it. */
export function ReadingView({
  url,
  messages,
}: {
  url: string;
  messages: readonly { role: string; content: string }[];
}): JSX.Element {
  const [explained, setExplained] = useState<Explained | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const explain = async (): Promise<void> => {
    setProblem(null);
    try {
      setExplained(await call<Explained>(url, { method: 'POST', body: { messages } }));
    } catch (error) {
      setProblem(
        error instanceof ApiError ? error.message : t('The decision could not be explained.'),
      );
    }
  };
  const reading = explained?.reading ?? null;
  return (
    <div class="stack">
      <button type="button" class="button small" onClick={() => void explain()}>
        {t('What moved it')}
      </button>
      {problem !== null && <p role="alert">{problem}</p>}
      {explained !== null && (
        <p>
          {explained.refusal !== null &&
            `${t('No ad: {reason} ({detail}).', { reason: named(explained.refusal.reason), detail: named(explained.refusal.detail) })} `}
          {explained.unread && `${t('In a language the model does not read.')} `}
          {reading === null
            ? t('Decided without the model.')
            : t('Need {need}, sensitive {sensitivity}.', {
                need: percent(reading.need),
                sensitivity: percent(reading.sensitivity),
              })}
        </p>
      )}
      {reading !== null && (
        <ul>
          {[...reading.turns, ...reading.words].map((effect, index) => (
            <li key={index}>
              {rich('{part}: need {need}, sensitive {sensitivity}', {
                part: <b>{effect.part}</b>,
                need: signed(effect.need),
                sensitivity: signed(effect.sensitivity),
              })}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
