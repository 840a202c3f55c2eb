import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConversionReport } from '../../../src/surfaces/conversions/schema.js';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { t } from '../core/language.js';
import { Check, Choice, TextField } from '../ui/forms/fields.js';
import { Badge, Card, Code } from '../ui/parts.js';
import { Problem } from '../ui/states.js';
import { bearer, curl } from '../ui/curl.js';
import { useLastClick, type Clicked } from './last-click.js';

const names = [
  'Purchase',
  'Lead',
  'CompleteRegistration',
  'Subscribe',
  'StartTrial',
  'InitiateCheckout',
  'AddToCart',
  'Contact',
  'Schedule',
].map((name) => [name, name] as const);
const newId = (): string => `play-${Date.now().toString(36)}`;

export function ConversionPanel(): JSX.Element {
  const { urls, playground } = useApp();
  const click = useLastClick();
  const [form, setForm] = useState<ConversionForm>({
    name: 'Purchase',
    value: '49.90',
    id: newId(),
    test: false,
    withClick: true,
  });
  const [report, setReport] = useState<ConversionReport | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const set = (change: Partial<ConversionForm>): void =>
    setForm((before) => ({ ...before, ...change }));
  const grclid = form.withClick ? click?.grclid : undefined;
  const event = {
    event_name: form.name,
    event_id: form.id,
    value: Number(form.value) || 0,
    ...(grclid === undefined ? {} : { click_id: grclid }),
    test: form.test,
  };
  const send = async (submitted: Event): Promise<void> => {
    submitted.preventDefault();
    setProblem(null);
    try {
      setReport(
        await call<ConversionReport>('/playground/conversion', { method: 'POST', body: event }),
      );
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('The event was not sent.'));
    }
  };
  if (!playground.advertiser)
    return <Problem message={t('This server has no demo advertiser to send events for.')} />;
  const result = report?.results[0];
  return (
    <div class="split">
      <SendCard send={send} form={form} set={set} click={click} />
      <div class="stack">
        {problem !== null && <Problem message={problem} />}
        {result !== undefined && <AnswerCard result={result} report={report} />}
        <SameCall urls={urls} form={form} grclid={grclid} />
      </div>
    </div>
  );
}

function SendCard({
  send,
  form,
  set,
  click,
}: {
  send: (submitted: Event) => Promise<void>;
  form: ConversionForm;
  set: (change: Partial<ConversionForm>) => void;
  click: Clicked | null;
}): JSX.Element {
  return (
    <Card title={t('Send a conversion')}>
      <form class="form" onSubmit={(submitted) => void send(submitted)}>
        <NameAndValue form={form} set={set} />
        <TextField
          label={t('Event id')}
          value={form.id}
          onInput={(id) => set({ id })}
          required
          hint={t('The same id and name within 48 hours is a duplicate.')}
        />
        <p class="hint">
          {click === null
            ? t('Click an ad in the first tab to send an attributed conversion.')
            : t('Follows your click on {brand}.', { brand: click.brand })}
        </p>
        {click !== null && (
          <Check
            label={t('Send the click id')}
            checked={form.withClick}
            onChange={(withClick) => set({ withClick })}
          />
        )}
        <Check
          label={t('Test only: check it, store nothing')}
          checked={form.test}
          onChange={(test) => set({ test })}
        />
        <div class="actions">
          <button class="button primary">{t('Send event')}</button>
          <button type="button" class="button" onClick={() => set({ id: newId() })}>
            {t('New id')}
          </button>
        </div>
      </form>
    </Card>
  );
}

function NameAndValue({
  form,
  set,
}: {
  form: ConversionForm;
  set: (change: Partial<ConversionForm>) => void;
}): JSX.Element {
  return (
    <div class="form-row">
      <Choice
        label={t('Event')}
        value={form.name}
        options={names}
        onChange={(name) => set({ name })}
      />
      <TextField
        label={t('Value in dollars')}
        value={form.value}
        onInput={(value) => set({ value })}
        type="number"
        step="0.01"
        min="0"
      />
    </div>
  );
}

function AnswerCard({
  result,
  report,
}: {
  result: {
    error?: string | undefined;
    event_id: string | null;
    status: 'ok' | 'duplicate' | 'test_ok' | 'skipped' | 'error';
    attributed: boolean;
  };
  report: ConversionReport | null;
}): JSX.Element {
  return (
    <Card title={t('Answer')}>
      <div class="stack">
        <p role="status">
          <Badge value={result.status} />{' '}
          {result.attributed ? t('attributed to an ad') : t('not attributed')}
          {result.error !== undefined && `: ${result.error}`}
        </p>
        <Code label={t('Response')} text={JSON.stringify(report, null, 2)} />
      </div>
    </Card>
  );
}

function SameCall({
  urls,
  form,
  grclid,
}: {
  urls: { base: string; api: string; platform: string; index: string };
  form: ConversionForm;
  grclid: string | undefined;
}): JSX.Element {
  return (
    <Code
      label={t('The same call')}
      text={curl(
        `${urls.api}/gateway/events`,
        {
          ...(form.test ? { test_event_code: 'TEST123' } : {}),
          data: [
            {
              event_name: form.name,
              event_time: Math.floor(Date.now() / 1000),
              event_id: form.id,
              action_source: 'website',
              user_data: grclid === undefined ? {} : { click_id: grclid },
              custom_data: { value: Number(form.value) || 0, currency: 'USD' },
            },
          ],
        },
        bearer,
      )}
    />
  );
}

interface ConversionForm {
  name: string;
  value: string;
  id: string;
  test: boolean;
  withClick: boolean;
}
