import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type {
  FillPreview,
  PublisherSettings,
  PublisherSettingsChange,
} from '../../../src/surfaces/dashboards/schema.js';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { count, fixed, money, percent } from '../core/format.js';
import { rich, t } from '../core/language.js';
import { useLoad } from '../core/hooks/use-load.js';
import { TextField } from '../ui/forms/fields.js';
import { Card, Page } from '../ui/parts.js';
import { Shown } from '../ui/states.js';

/** The share of requests a baseline would fill, between the steps the server counted. */
function fillAt(preview: FillPreview, relevance: number): number {
  return preview.steps.find((step) => step.relevance >= relevance - 1e-9)?.fill ?? 0;
}

export function ControlsPage(): JSX.Element {
  const { say } = useApp();
  const settings = useLoad<PublisherSettings>('/session/publisher-settings');
  const save = async (
    change: PublisherSettingsChange,
    optimistic: Partial<PublisherSettings>,
  ): Promise<void> => {
    const before = settings.data;
    settings.put((data) => ({ ...data, ...optimistic }));
    try {
      const saved = await call<PublisherSettings>('/session/publisher-settings', {
        method: 'PATCH',
        body: change,
      });
      settings.put(() => saved);
      say(t('Saved. It applies from the next request.'));
    } catch (error) {
      if (before !== undefined) settings.put(() => before);
      say(error instanceof ApiError ? error.message : t('The change was not saved.'), 'bad');
    }
  };
  return (
    <Page
      title={t('Ad controls')}
      lead={t('What may be shown in your product. Changes apply within a second, on every node.')}
    >
      <Shown load={settings}>
        {(data) => (
          <div class="grid">
            <RelevanceCard
              value={data.min_relevance}
              onSave={(min_relevance) => void save({ min_relevance }, { min_relevance })}
            />
            <FloorCard
              value={data.floor_cpm}
              onSave={(floor_cpm) => void save({ floor_cpm }, { floor_cpm })}
            />
            <TopicsCard
              topics={data.excluded_topics}
              onSave={(excluded_topics) => void save({ excluded_topics }, { excluded_topics })}
            />
            <AdvertisersCard
              blocked={data.blocked_advertisers}
              onSave={(list) =>
                void save(
                  { blocked_advertisers: list.map(({ id }) => id) },
                  { blocked_advertisers: list },
                )
              }
            />
          </div>
        )}
      </Shown>
    </Page>
  );
}

function RelevanceCard({
  value,
  onSave,
}: {
  value: number;
  onSave: (value: number) => void;
}): JSX.Element {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const preview = useLoad<FillPreview>('/session/publisher-settings/fill-preview');
  return (
    <Card title={t('Relevance baseline')}>
      <div class="form">
        <div class="field">
          <label for="relevance">
            {rich('An ad must fit at least {draft}', { draft: fixed(draft, 2) })}
          </label>
          <input
            id="relevance"
            type="range"
            min="0"
            max="1"
            step="0.05"
            value={draft}
            onInput={(event) => setDraft(Number(event.currentTarget.value))}
          />
          <p class="hint">
            {t(
              '0 shows anything that matches at all, 1 nearly nothing. Requests can name their own.',
            )}
          </p>
        </div>
        <Shown load={preview}>
          {(data) =>
            data.requests === 0 ? (
              <p class="quiet">{t('Once there are requests, the effect on fill is shown here.')}</p>
            ) : (
              <FillPreviewText data={data} draft={draft} value={value} />
            )
          }
        </Shown>
        <div>
          <button
            type="button"
            class="button primary"
            disabled={draft === value}
            onClick={() => onSave(draft)}
          >
            {t('Save baseline')}
          </button>
        </div>
      </div>
    </Card>
  );
}

function FillPreviewText({
  data,
  draft,
  value,
}: {
  data: FillPreview;
  draft: number;
  value: number;
}): JSX.Element {
  return (
    <p role="status">
      {rich('Of your last {requests} with a candidate, {fillAt} would be filled{now}.', {
        requests:
          data.requests === 1
            ? t('request')
            : t('{requests} requests', { requests: count(data.requests) }),
        fillAt: <b>{percent(fillAt(data, draft) * 100, 0)}</b>,
        now: draft !== value && (
          <> {rich('(now {fillAt})', { fillAt: percent(fillAt(data, value) * 100, 0) })}</>
        ),
      })}
    </p>
  );
}

function FloorCard({
  value,
  onSave,
}: {
  value: number;
  onSave: (value: number) => void;
}): JSX.Element {
  const [draft, setDraft] = useState(String(value));
  const amount = Number(draft);
  const valid = draft.trim() !== '' && amount >= 0 && amount <= 1000;
  return (
    <Card title={t('Price floor')}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (valid) onSave(amount);
        }}
      >
        <TextField
          label={t('Minimum price per 1,000 impressions, in dollars')}
          value={draft}
          onInput={setDraft}
          type="number"
          min="0"
          step="0.01"
          error={valid ? undefined : t('Between 0 and 1000.')}
          hint={t('Now {value}.', { value: money(value) })}
        />
        <div>
          <button class="button primary" disabled={!valid || amount === value}>
            {t('Save floor')}
          </button>
        </div>
      </form>
    </Card>
  );
}

function TopicsCard({
  topics,
  onSave,
}: {
  topics: string[];
  onSave: (topics: string[]) => void;
}): JSX.Element {
  const [draft, setDraft] = useState('');
  return (
    <Card title={t('Blocked topics')}>
      <div class="form">
        <form
          class="composer"
          onSubmit={(event) => {
            event.preventDefault();
            if (draft.trim() !== '') {
              onSave([...topics, draft.trim()]);
              setDraft('');
            }
          }}
        >
          <input
            aria-label={t('Topic to block')}
            value={draft}
            onInput={(event) => setDraft(event.currentTarget.value)}
            maxLength={200}
            placeholder={t('gambling')}
          />
          <button class="button">{t('Block topic')}</button>
        </form>
        {topics.length === 0 ? (
          <p class="quiet">{t('No topic is blocked.')}</p>
        ) : (
          <ul class="chips">
            {topics.map((topic) => (
              <li key={topic}>
                <button
                  type="button"
                  class="chip"
                  aria-label={t('Allow {topic} again', { topic })}
                  onClick={() => onSave(topics.filter((one) => one !== topic))}
                >
                  {topic} <span aria-hidden="true">✕</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

function AdvertisersCard({
  blocked,
  onSave,
}: {
  blocked: { id: string; name: string }[];
  onSave: (list: { id: string; name: string }[]) => void;
}): JSX.Element {
  const seen = useLoad<{ advertisers: { id: string; name: string; impressions: number }[] }>(
    '/session/advertisers',
  );
  const open = (seen.data?.advertisers ?? []).filter(
    (one) => !blocked.some(({ id }) => id === one.id),
  );
  return (
    <Card title={t('Advertisers')}>
      <div class="stack">
        {blocked.length > 0 && <BlockedList blocked={blocked} onSave={onSave} />}
        <h3>{t('Seen in the last 30 days')}</h3>
        <Shown load={seen}>
          {() =>
            open.length === 0 ? (
              <p class="quiet">
                {rich('None{blocked}.', {
                  blocked:
                    blocked.length > 0 ? ` ${t('besides the blocked ones')}` : ` ${t('yet')}`,
                })}
              </p>
            ) : (
              <ul class="calls">
                {open.map((one) => (
                  <li key={one.id}>
                    <span>{one.name}</span>
                    <small>
                      {rich('{impressions} impressions', { impressions: count(one.impressions) })}
                    </small>
                    <button
                      type="button"
                      class="button small"
                      aria-label={t('Block {name}', { name: one.name })}
                      onClick={() => onSave([...blocked, { id: one.id, name: one.name }])}
                    >
                      {t('Block')}
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </div>
    </Card>
  );
}

function BlockedList({
  blocked,
  onSave,
}: {
  blocked: { id: string; name: string }[];
  onSave: (list: { id: string; name: string }[]) => void;
}): JSX.Element {
  return (
    <>
      <h3>{t('Blocked')}</h3>
      <ul class="chips">
        {blocked.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              class="chip"
              aria-label={t('Unblock {name}', { name: one.name })}
              onClick={() => onSave(blocked.filter(({ id }) => id !== one.id))}
            >
              {one.name} <span aria-hidden="true">✕</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
