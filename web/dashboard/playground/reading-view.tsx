import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { words } from '../core/format.js';

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

const percent = (share: number): string => `${Math.round(share * 100)}%`;
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
      setProblem(error instanceof ApiError ? error.message : 'It could not be explained.');
    }
  };
  const reading = explained?.reading ?? null;
  return (
    <div class="stack">
      <button type="button" class="button small" onClick={() => void explain()}>
        What moved it
      </button>
      {problem !== null && <p role="alert">{problem}</p>}
      {explained !== null && (
        <p>
          {explained.refusal !== null &&
            `No ad: ${words(explained.refusal.reason).toLowerCase()} (${words(explained.refusal.detail).toLowerCase()}). `}
          {explained.unread && 'In a language the model does not read. '}
          {reading === null
            ? 'Told without the model.'
            : `Need ${percent(reading.need)}, sensitive ${percent(reading.sensitivity)}.`}
        </p>
      )}
      {reading !== null && (
        <ul>
          {[...reading.turns, ...reading.words].map((effect, index) => (
            <li key={index}>
              <b>{effect.part}</b>: need {signed(effect.need)}, sensitive{' '}
              {signed(effect.sensitivity)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
