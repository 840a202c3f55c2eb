import { count, money, percent } from '../core/format.js';

/** Alert type → what it is called here. */
export const alertTitles: Record<string, string> = {
  'campaign.budget_nearly_spent': 'Budget nearly spent',
  'campaign.delivery_stopped': 'Campaign no longer shown',
  'campaign.conversion_rate_fell': 'Conversion rate fell',
  'publisher.delivery_stopped': 'Ads no longer shown',
  'webhook.test': 'Test',
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
  const name = typeof data['campaign_name'] === 'string' ? data['campaign_name'] : 'A campaign';
  switch (type) {
    case 'campaign.budget_nearly_spent':
      return `${name} has spent ${money(number('spent'))} of ${money(number('daily_budget'))} for ${String(data['date'] ?? 'the day')}.`;
    case 'campaign.delivery_stopped':
      return `${name} was not shown for ${number('hours')} hours; the day before it was shown ${count(number('impressions_day_before'))} times in them.`;
    case 'campaign.conversion_rate_fell':
      return `${name} converts ${rate('recent')} of clicks lately, usually ${rate('usual')}.`;
    case 'publisher.delivery_stopped':
      return `No ad was shown for ${number('hours')} hours, at ${count(number('requests'))} requests; the day before ${count(number('impressions_day_before'))} were.`;
    case 'webhook.test':
      return 'Sent by hand to try an address.';
    default:
      return JSON.stringify(data);
  }
}
