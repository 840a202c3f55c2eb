import { count, money, percent } from '../../core/format.js';
import { t } from '../../core/language.js';

/** Alert type → what it is called here. */
export const alertTitles: Record<string, string> = {
  'campaign.budget_nearly_spent': t('Budget nearly spent'),
  'campaign.delivery_stopped': t('Campaign no longer shown'),
  'campaign.conversion_rate_fell': t('Conversion rate fell'),
  'publisher.delivery_stopped': t('Ads no longer shown'),
  'webhook.test': t('Test'),
};

/** The facts of an alert in one sentence. */
export function alertSentence(type: string, data: Record<string, unknown>): string {
  const number = (name: string): number => Number(data[name] ?? 0);
  const rate = (name: string): string =>
    percent(
      Number(
        (data[name] as { conversion_rate?: number } | undefined)?.conversion_rate ?? 0,
      ) /* both periods carry their rate */,
      2,
    );
  const name = typeof data['campaign_name'] === 'string' ? data['campaign_name'] : t('A campaign');
  switch (type) {
    case 'campaign.budget_nearly_spent':
      return t('{name} has spent {number} of {number2} for {data}.', {
        name,
        number: money(number('spent')),
        number2: money(number('daily_budget')),
        data: String(data['date'] ?? t('the day')),
      });
    case 'campaign.delivery_stopped':
      return t(
        '{name} was not shown for {number} hours; the day before, it was shown {number2} times in the same hours.',
        { name, number: number('hours'), number2: count(number('impressions_day_before')) },
      );
    case 'campaign.conversion_rate_fell':
      return t('{name} recently converted {rate} of clicks; {rate2} is usual.', {
        name,
        rate: rate('recent'),
        rate2: rate('usual'),
      });
    case 'publisher.delivery_stopped':
      return t(
        'No ad was shown for {number} hours despite {number2} requests; the day before, {number3} were.',
        {
          number: number('hours'),
          number2: count(number('requests')),
          number3: count(number('impressions_day_before')),
        },
      );
    case 'webhook.test':
      return t('Sent by hand to try an address.');
    default:
      return JSON.stringify(data);
  }
}
