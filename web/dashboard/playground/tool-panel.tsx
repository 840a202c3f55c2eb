import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ToolAnswer } from '../../../src/surfaces/tool-search/schema.js';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { rich, t } from '../core/language.js';
import { TextField } from '../ui/forms/fields.js';
import { Card, Code } from '../ui/parts.js';
import { Empty, Problem } from '../ui/states.js';
import { apiKey, curl } from '../ui/curl.js';

/** One recommendation with install steps; follow-up questions keep the context. */
export function ToolPanel(): JSX.Element {
  const { urls } = useApp();
  const [draft, setDraft] = useState('a Postgres database with a free tier for a Next.js app');
  const [turns, setTurns] = useState<{ query: string; answer: ToolAnswer }[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<object | null>(null);
  const last = turns.at(-1);
  const body = {
    query: draft,
    ...(last === undefined ? {} : { search_id: last.answer.search_id }),
  };
  const search = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setSent(body);
    setProblem(null);
    try {
      const answer = await call<ToolAnswer>('/playground/tools', { method: 'POST', body });
      setTurns([...turns, { query: draft, answer }]);
      setDraft('');
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  return (
    <div class="stack">
      <Card
        title={t('Find a developer tool')}
        actions={turns.length > 0 && <StartOverButton setTurns={setTurns} setSent={setSent} />}
      >
        <form class="form" onSubmit={(event) => void search(event)}>
          <TextField
            label={last === undefined ? t('What does your project need?') : t('Follow up')}
            value={draft}
            onInput={setDraft}
            required
            placeholder={t('something cheaper, not that one, self-hosted…')}
          />
          <div>
            <button class="button primary" disabled={busy}>
              {t('Search tools')}
            </button>
          </div>
        </form>
      </Card>
      {problem !== null && <Problem message={problem} />}
      {[...turns].reverse().map(({ query, answer }) => (
        <AnswerCard key={`${answer.search_id} ${query}`} answer={answer} query={query} />
      ))}
      <Code
        label={t('The same call')}
        text={curl(`${urls.index}/search`, draft === '' && sent !== null ? sent : body, apiKey)}
      />
    </div>
  );
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t('The search failed.');
  return error.status === 404 ? t('Tool search is not available on this server.') : error.message;
}

function StartOverButton({
  setTurns,
  setSent,
}: {
  setTurns: (value: { query: string; answer: ToolAnswer }[]) => void;
  setSent: (value: object | null) => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class="button small"
      onClick={() => {
        setTurns([]);
        setSent(null);
      }}
    >
      {t('New search')}
    </button>
  );
}

function AnswerCard({ answer, query }: { answer: ToolAnswer; query: string }): JSX.Element {
  return (
    <Card title={query}>
      {answer.recommendation === null ? (
        <Empty title={t('No good match.')}>
          <p>{answer.reasoning}</p>
        </Empty>
      ) : (
        <div class="stack">
          <p>
            <b>{answer.recommendation.name}</b>{' '}
            <span class="badge plain">{answer.recommendation.category}</span>
          </p>
          <p>{answer.recommendation.description}</p>
          <p class="quiet">{answer.reasoning}</p>
          {answer.install != null && (
            <Code
              label={answer.install.summary}
              text={answer.install.steps
                .map(
                  (step) =>
                    `${step.step}. ${step.action}${step.command === undefined ? '' : `\n   $ ${step.command}`}${step.file === undefined ? '' : `\n   ${step.file}`}`,
                )
                .join('\n')}
            />
          )}
          {answer.click_url != null && (
            <p>
              <a href={answer.click_url} target="_blank" rel="sponsored noopener">
                {rich('Open {name}', { name: answer.recommendation.name })}
              </a>
            </p>
          )}
        </div>
      )}
    </Card>
  );
}
