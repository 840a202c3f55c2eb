import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConversionReport } from '../../../../src/surfaces/conversions/schema.js';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { rich, t } from '../../core/language.js';
import { bearer, curl } from '../../ui/curl.js';
import { TextField } from '../../ui/forms/fields.js';
import { Badge, Card, Code, Page } from '../../ui/parts.js';
import { Problem } from '../../ui/states.js';

const sample = (): string =>
  JSON.stringify(
    {
      event_name: 'Purchase',
      event_time: Math.floor(Date.now() / 1000),
      event_id: 'order-1001',
      action_source: 'website',
      event_source_url: 'https://shop.example/thanks',
      user_data: { click_id: null, em: ['person@example.com'] },
      custom_data: { value: 49.9, currency: 'USD', order_id: '1001' },
    },
    null,
    2,
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Writes an event, checks it against the real rules without storing it, and gives the call to copy.
 */
export function ServerSidePage(): JSX.Element {
  const { urls } = useApp();
  const [text, setText] = useState(sample);

  return (
    <Page
      title={t('Server-side events')}
      lead={t(
        'Send conversions from your backend. E-mail, phone and names are hashed before they are stored.',
      )}
    >
      <div class="split">
        <TryEventCard text={text} setText={setText} />
        <Notes urls={urls} text={text} />
      </div>
    </Page>
  );
}

function TryEventCard({
  text,
  setText,
}: {
  text: string;
  setText: (value: string) => void;
}): JSX.Element {
  const [report, setReport] = useState<ConversionReport | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const test = async (): Promise<void> => {
    setReport(null);
    setProblem(null);
    const event = parsed(text);
    if (event === undefined) return setProblem(t('This is not valid JSON.'));
    try {
      setReport(
        await call<ConversionReport>('/session/test-conversion', {
          method: 'POST',
          body: { event },
        }),
      );
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('The event could not be checked.'));
    }
  };
  const result = report?.results[0];
  return (
    <Card
      title={t('Try an event')}
      actions={
        <button type="button" class="button primary small" onClick={() => void test()}>
          {t('Test it')}
        </button>
      }
    >
      <div class="stack">
        <div class="mono">
          <TextField
            label={t('Event')}
            value={text}
            onInput={setText}
            rows={22}
            hint={t('Tested with the real checks; nothing is stored.')}
          />
        </div>
        {problem !== null && <Problem message={problem} />}
        {result !== undefined && (
          <p role="status">
            <Badge value={result.status} />{' '}
            {result.error ??
              (result.attributed
                ? t('It would be credited to an ad.')
                : t('Valid. It carries no click we know of, so it would not be attributed.'))}
          </p>
        )}
      </div>
    </Card>
  );
}

function Notes({
  urls,
  text,
}: {
  urls: { base: string; api: string; platform: string; index: string };
  text: string;
}): JSX.Element {
  return (
    <div class="stack">
      <Code
        label={t('From your server')}
        text={curl(
          `${urls.api}/gateway/events`,
          { data: [parsed(text) ?? t('the event, once it is valid JSON')] },
          bearer,
        )}
      />
      <Code
        label={t('In the page, for your server')}
        text={
          'const { user_data, client_context } = gravityPixel.getCAPIData();\nawait fetch("/checkout", { method: "POST", body: JSON.stringify({ cart, user_data, client_context }) });'
        }
      />
      <Card title={t('Good to know')}>
        <ul class="stack">
          <li>
            {rich(
              'The same {eventId} and {eventName} within 48 hours counts once, also when the pixel sent it first.',
              { eventId: <code>event_id</code>, eventName: <code>event_name</code> },
            )}
          </li>
          <li>{t('Up to 1,000 events per call; one bad event does not reject the others.')}</li>
          <li>
            {rich('Add {testEventCode} to check a call without storing it.', {
              testEventCode: <code>test_event_code</code>,
            })}
          </li>
        </ul>
      </Card>
    </div>
  );
}
