import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { compact, count, fixed, money, percent } from '../../core/format.js';
import { t } from '../../core/language.js';
import { afterPress } from '../../ui/forms/after-press.js';

interface Range {
  low: number;
  expected: number;
  high: number;
}
interface Numbers {
  impressions: Range;
  clicks: Range;
  spend: Range;
}
export interface Outlook {
  enough_data: boolean;
  reason: string | null;
  matching_requests_per_day: number;
  won_share: number;
  limited_by: string | null;
  per_day: Numbers;
  run: (Numbers & { days: number }) | null;
}
interface Forecast {
  basis: { days: number; requests: number; kept: number };
  forecast: Outlook;
  current?: Outlook;
}

/** Long enough to finish a word. */
const pauseMs = 500;

/** Asked anew a moment after the last key; the answer before stays until the next one is there. */
function useForecast(body: Record<string, unknown> | null): {
  data: Forecast | null;
  error: string | null;
  waiting: boolean;
} {
  const [state, setState] = useState<{ data: Forecast | null; error: string | null }>({
    data: null,
    error: null,
  });
  const [answered, setAnswered] = useState('');
  const asked = body === null ? '' : JSON.stringify(body);
  useEffect(() => {
    if (asked === '') return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      call<Forecast>('/advertiser-dashboard/forecast', {
        method: 'POST',
        // Just written from an object.
        body: JSON.parse(asked) as unknown,
        signal: abort.signal,
      }).then(
        (data) => show({ data, error: null }),
        (error: unknown) =>
          show({
            data: null,
            error: error instanceof ApiError ? error.message : t('The forecast did not come.'),
          }),
      );
    }, pauseMs);
    let callOff = (): void => undefined;
    // It changes the height of a form: not while somebody presses a button below it.
    const show = (came: typeof state): void => {
      if (abort.signal.aborted) return;
      callOff = afterPress(() => {
        setState(came);
        setAnswered(asked);
      });
    };
    return () => {
      clearTimeout(timer);
      abort.abort();
      callOff();
    };
  }, [asked]);
  return { ...state, waiting: asked !== answered };
}

const reasons: Record<string, string> = {
  not_read: t(
    'No forecast: this server matches by keywords, and a forecast needs conversations matched by meaning.',
  ),
  nothing_asked: t('Not enough data: nobody has asked for an ad yet.'),
  too_new: t('Not enough data yet: less than a day of requests has been recorded.'),
  no_description: t('Say who should see it, and a forecast appears here.'),
  ended: t('The end date is in the past: the campaign would not run.'),
};

const limits: Record<string, string> = {
  budget: t('Limited by the daily budget: a larger one would buy more.'),
  bid: t('Limited by the bid: more than half of the matching requests go to higher bids.'),
  requests: t('Limited by demand: nearly all matching requests would be won.'),
};

/** What is planned would bring this, told while it is typed. Null asks for nothing. */
export function ForecastBox({ plan }: { plan: Record<string, unknown> | null }): JSX.Element {
  const { data, error, waiting } = useForecast(plan);
  return (
    <section class="forecast" aria-label={t('Forecast')} aria-busy={waiting}>
      <h3>{t('Forecast')}</h3>
      <div role="status">
        {plan === null ? (
          <p class="hint">{reasons['no_description']}</p>
        ) : error !== null ? (
          <p class="hint">{t('No forecast: {error}', { error })}</p>
        ) : data === null ? (
          <p class="hint">{t('Counting…')}</p>
        ) : (
          <div class={waiting ? 'stale' : undefined}>
            <Outlined outlook={data.forecast} basis={data.basis} />
          </div>
        )}
      </div>
    </section>
  );
}

function Outlined({ outlook, basis }: { outlook: Outlook; basis: Forecast['basis'] }): JSX.Element {
  if (!outlook.enough_data) return <p class="hint">{whyNot(outlook, basis)}</p>;
  return (
    <>
      <NumbersTable outlook={outlook} />
      <p class="hint">{limits[outlook.limited_by ?? ''] ?? ''}</p>
      <p class="hint">
        {t(
          'Eight days in ten should fall within the range. Based on {requests} requests of the last {days}: about {matching} a day match, and this bid would win {share} of them. Nothing about the people who asked is kept.',
          {
            requests: count(basis.requests),
            days: days(basis.days),
            matching: compact(outlook.matching_requests_per_day),
            share: percent(outlook.won_share * 100, 0),
          },
        )}
      </p>
    </>
  );
}

function NumbersTable({ outlook }: { outlook: Outlook }): JSX.Element {
  const { per_day: perDay, run } = outlook;
  const rows = [
    [t('Impressions'), perDay.impressions, run?.impressions, compact],
    [t('Clicks'), perDay.clicks, run?.clicks, compact],
    [t('Spend'), perDay.spend, run?.spend, money],
  ] as const;
  return (
    <table class="forecast-table">
      <thead>
        <tr>
          <th scope="col">{t('A usual day')}</th>
          <th scope="col">{t('Expected')}</th>
          <th scope="col">{t('Range')}</th>
          {run !== null && <th scope="col">{t('Whole run')}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(([title, range, whole, show]) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            <td>{show(range.expected)}</td>
            <td>
              {show(range.low)} – {show(range.high)}
            </td>
            {whole !== undefined && <td>{show(whole.expected)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function whyNot(outlook: Outlook, basis: Forecast['basis']): string {
  const asked = t('{count} requests of the last {days}', {
    count: count(basis.requests),
    days: days(basis.days),
  });
  if (outlook.reason === 'nothing_fits')
    return t(
      'None of the {asked} match. Describe the need more broadly, or allow more countries and devices.',
      { asked: asked },
    );
  if (outlook.reason === 'too_few')
    return t('Not enough data: about {matching} a day of the {asked} match, too few to rely on.', {
      matching: fixed(outlook.matching_requests_per_day, 1),
      asked: asked,
    });
  return reasons[outlook.reason ?? ''] ?? t('Not enough data for a forecast.');
}

const days = (number: number): string => (number <= 1 ? t('day') : t('{number} days', { number }));

/**
 * What an edit of bids, budgets, dates, countries or devices will do to delivery: the campaign as
 * it is beside as it would be. Null: nothing of that was changed.
 */
export function DeliveryChange({
  campaignId,
  changes,
}: {
  campaignId: string;
  changes: Record<string, unknown> | null;
}): JSX.Element | null {
  const plan = changes === null ? null : { campaign_id: campaignId, ...changes };
  const { data, error, waiting } = useForecast(plan);
  if (plan === null) return null;
  return (
    <section class="forecast" aria-label={t('Effect on delivery')} aria-busy={waiting}>
      <h3>{t('Effect on delivery')}</h3>
      <div role="status">
        {error !== null ? (
          <p class="hint">{t('No forecast: {error}', { error })}</p>
        ) : data === null ? (
          <p class="hint">{t('Counting…')}</p>
        ) : (
          <div class={waiting ? 'stale' : undefined}>
            <Compared data={data} />
          </div>
        )}
      </div>
    </section>
  );
}

function Compared({ data: { basis, current, forecast } }: { data: Forecast }): JSX.Element {
  if (!forecast.enough_data || current === undefined)
    return <p class="hint">{whyNot(forecast, basis)}</p>;
  const rows = [
    [t('Impressions a day'), 'impressions', compact],
    [t('Clicks a day'), 'clicks', compact],
    [t('Spend a day'), 'spend', money],
  ] as const;
  return (
    <>
      <table class="forecast-table">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">{t('What')}</span>
            </th>
            <th scope="col">{t('Now')}</th>
            <th scope="col">{t('After')}</th>
            <th scope="col">{t('Range')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([title, name, show]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td>{current.enough_data ? show(current.per_day[name].expected) : '—'}</td>
              <td>{show(forecast.per_day[name].expected)}</td>
              <td>
                {show(forecast.per_day[name].low)} – {show(forecast.per_day[name].high)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        {limits[forecast.limited_by ?? ''] ?? ''}{' '}
        {t(
          'Based on {requests} requests of the last {days}. Takes effect with the next request, without review.',
          { requests: count(basis.requests), days: days(basis.days) },
        )}
      </p>
    </>
  );
}
