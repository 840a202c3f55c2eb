import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, downloadCsv, query } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { rich, t } from '../core/language.js';
import { Choice, TextField } from '../ui/forms/fields.js';
import { Card, Code, Page } from '../ui/parts.js';
import { zones } from '../ui/forms/range-picker.js';
import { Problem } from '../ui/states.js';

const kinds = [
  ['', t('Every kind')],
  ['request', t('Ad requests')],
  ['win', t('Ads served')],
  ['impression', t('Impressions')],
  ['viewable', t('In view for a second')],
  ['disclosed', t('Recognisable as ads')],
  ['click', t('Clicks')],
  ['conversion', t('Conversions')],
  ['impression_reversal', t('Refunded impressions')],
  ['viewable_reversal', t('Refunded views')],
  ['click_reversal', t('Refunded clicks')],
  ['conversion_reversal', t('Refunded conversions')],
  ['conversion_adjustment', t('Partly refunded conversions')],
] as const;
const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/**
 * The raw events behind the reports. Small ranges are saved from here; long ones are better fetched
 * by a program.
 */
export function ExportsPage({ kind }: { kind: 'advertiser' | 'publisher' }): JSX.Element {
  const { urls, zone, say } = useApp();
  const [form, setForm] = useState<ExportForm>({
    start_date: dayBefore(6),
    end_date: dayBefore(0),
    tz: zone,
    kind: '',
  });

  const set = (change: Partial<ExportForm>): void =>
    setForm((before) => ({ ...before, ...change }));
  const path = `/${kind}-dashboard/exports/events${query(form)}`;
  // Only publishers see requests, and only advertisers what a sale was worth.
  const offered = kinds.filter(
    ([id]) => id !== (kind === 'publisher' ? 'conversion_adjustment' : 'request'),
  );

  return (
    <Page
      title={t('Raw events')}
      lead={t(
        'Every event counted for you, one line each, as CSV. You can recompute the reports from it.',
      )}
    >
      <div class="stack">
        <ExportCard path={path} form={form} say={say} set={set} offered={offered} kind={kind} />
        <Code
          label={t('The same from a program, for any range')}
          text={`curl -s "${urls.platform}${path}" \\\n  -H "X-API-Key: $SIDELIGHT_API_KEY" -o events.csv`}
        />
      </div>
    </Page>
  );
}

function ExportCard({
  path,
  form,
  say,
  set,
  offered,
  kind,
}: {
  path: string;
  form: ExportForm;
  say: (message: string, kind?: 'good' | 'bad') => void;
  set: (change: Partial<ExportForm>) => void;
  offered: readonly Kind[];
  kind: 'advertiser' | 'publisher';
}): JSX.Element {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await downloadCsv(
        path,
        `events-${form.start_date}-${form.end_date}${form.kind === '' ? '' : `-${form.kind}`}`,
      );
      say(t('Saved.'));
    } catch (error) {
      setProblem(
        error instanceof ApiError
          ? error.message
          : t('The export was cut off. Try a shorter range.'),
      );
    }
    setBusy(false);
  };
  return (
    <Card title={t('Save a range')}>
      <form class="form" onSubmit={(event) => void save(event)}>
        {problem !== null && <Problem message={problem} />}
        <RangeFields form={form} set={set} offered={offered} />
        <div>
          <button class="button primary" disabled={busy}>
            {busy ? t('Collecting…') : t('Save as CSV')}
          </button>
        </div>
        <p class="hint">
          {rich('60 exports an hour. {kind}', {
            kind:
              kind === 'publisher'
                ? t('The only personal data in them is the ids you send.')
                : t('They contain no personal data.'),
          })}
        </p>
      </form>
    </Card>
  );
}

function RangeFields({
  form,
  set,
  offered,
}: {
  form: ExportForm;
  set: (change: Partial<ExportForm>) => void;
  offered: readonly Kind[];
}): JSX.Element {
  return (
    <div class="form-row">
      <TextField
        label={t('First day')}
        type="date"
        value={form.start_date}
        onInput={(start_date) => set({ start_date })}
        required
        max={form.end_date}
      />
      <TextField
        label={t('Last day')}
        type="date"
        value={form.end_date}
        onInput={(end_date) => set({ end_date })}
        required
        min={form.start_date}
      />
      <Choice
        label={t('Time zone')}
        value={form.tz}
        options={zones().map((name) => [name, name] as const)}
        onChange={(tz) => set({ tz })}
      />
      <Choice
        label={t('Events')}
        value={form.kind}
        options={offered}
        onChange={(chosen) => set({ kind: chosen })}
      />
    </div>
  );
}

type ExportForm = Record<'start_date' | 'end_date' | 'tz' | 'kind', string>;

type Kind = (typeof kinds)[number];
