import { ErrorCode, type GetPromptResult, type Prompt } from '@modelcontextprotocol/sdk/types.js';
import type { AccountKind } from '../../platform/auth/api-key.js';
import type { CallRoute } from './call-route.js';
import { rpcError } from './json-rpc.js';

interface PromptEntry extends Prompt {
  readonly kind: AccountKind;
  /** What the assistant is asked to do; reads the arguments given. */
  readonly ask: (args: Readonly<Record<string, string>>) => string;
  /** Reports handed over with the question. */
  readonly reports: (args: Readonly<Record<string, string>>) => string[];
}

const period = {
  name: 'days',
  description: 'Length of the period to look at, 1 to 180; 7 unless told',
  required: false,
};
const zone = {
  name: 'tz',
  description: 'IANA time zone of the days; UTC unless told',
  required: false,
};
const campaign = { name: 'campaign_id', description: 'Only this campaign', required: false };

const prompts: readonly PromptEntry[] = [
  {
    name: 'explain_spend_change',
    kind: 'advertiser',
    title: 'Why did spend change?',
    description:
      'Finds out why spend rose or fell against the period before, for example “why did spend fall last week?”',
    arguments: [period, zone, campaign],
    ask: (
      args,
    ) => `Explain why advertising spend changed over the last ${daysOf(args)} days against the ${daysOf(args)} days before; both periods are attached.
Work in this order and stop when the change is explained: (1) which days differ; (2) whether impressions, the price of them (cpm) or clicks moved; (3) with advertiser_list_campaigns and advertiser_get_metrics per campaign, which campaigns account for it; (4) for those, with advertiser_get_campaign, whether they were paused, are in review, ended, or ran out of budget, and with advertiser_get_billing whether the account may spend.
Answer with the cause first, then the numbers that show it, then what to do. Say so when the data does not show a cause. Today counts only up to now.`,
    reports: (args) => [metricsUrl(args)],
  },
  {
    name: 'explain_conversion_change',
    kind: 'advertiser',
    title: 'Why did conversions change?',
    description: 'Tells a real change in conversions from broken tracking',
    arguments: [period, zone, campaign],
    ask: (
      args,
    ) => `Explain why conversions changed over the last ${daysOf(args)} days against the ${daysOf(args)} days before; both periods are attached.
First rule out broken tracking: advertiser_get_events_analytics shows when each pixel event last arrived, advertiser_get_conversion_stats whether an event type stopped. Then compare clicks with conversion_rate: fewer clicks and fewer conversions per click are different problems. Then find the campaigns and ad groups that account for it. Conversions arrive late: the last two days still grow.`,
    reports: (args) => [
      metricsUrl(args),
      `/advertiser-dashboard/events/conversion-stats?days=${daysOf(args)}`,
    ],
  },
  {
    name: 'review_campaigns',
    kind: 'advertiser',
    title: 'Weekly review',
    description: 'What went well, what wastes money, what to change',
    arguments: [period, zone],
    ask: (args) =>
      `Review the last ${daysOf(args)} days of this account; its metrics and campaigns are attached. Name the campaigns with the best and the worst cost per conversion (use advertiser_get_metrics per campaign; ignore differences that so few conversions cannot show), budgets that run out or stay unused, and ad groups without delivery (advertiser_get_ad_group_metrics). End with at most three changes, each with the number that argues for it.`,
    reports: (args) => [metricsUrl(args), '/advertiser-dashboard/campaigns'],
  },
  {
    name: 'explain_revenue_change',
    kind: 'publisher',
    title: 'Why did revenue change?',
    description: 'Finds out why earnings rose or fell against the period before',
    arguments: [period, zone],
    ask: (
      args,
    ) => `Explain why this publisher’s revenue changed over the last ${daysOf(args)} days against the ${daysOf(args)} days before; revenue and the funnel of both periods are attached.
Revenue = requests × fill rate × show rate × revenue per impression: say which factor moved. Then use publisher_get_placements, publisher_get_devices and publisher_get_geography to find where. Answer with the cause first, then the numbers, then what to do.`,
    reports: (args) => [
      `/publisher-dashboard/stats?${rangeQuery(args)}`,
      `/publisher-dashboard/funnel?${rangeQuery(args)}`,
    ],
  },
  {
    name: 'review_placements',
    kind: 'publisher',
    title: 'Which placements earn?',
    description: 'Compares placements and suggests what to move',
    arguments: [period],
    ask: (args) =>
      `Compare the placements of the last ${daysOf(args)} days (attached) by revenue, revenue per thousand impressions and click-through rate, overall and by device (publisher_get_devices). Say which to keep, move or drop, and which differences are too small to act on.`,
    reports: (args) => [`/publisher-dashboard/placements?days=${daysOf(args)}`],
  },
];

export function listPrompts(kind: AccountKind): Prompt[] {
  return prompts
    .filter((prompt) => prompt.kind === kind)
    .map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args,
    }));
}

/**
 * The question together with the reports it starts from, so that the assistant needs no call to
 * begin.
 */
export async function getPrompt(
  kind: AccountKind,
  call: CallRoute,
  name: string,
  args: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const prompt = prompts.find((entry) => entry.name === name && entry.kind === kind);
  if (prompt === undefined) throw rpcError(ErrorCode.InvalidParams, 'Unknown prompt');
  const messages: GetPromptResult['messages'] = [
    { role: 'user', content: { type: 'text', text: prompt.ask(args) } },
  ];
  for (const url of prompt.reports(args)) {
    const answer = await call('GET', url);
    if (answer.status !== 200)
      throw rpcError(ErrorCode.InvalidParams, 'The arguments were refused', answer.body);
    messages.push({
      role: 'user',
      content: {
        type: 'resource',
        resource: { uri: `sidelight:/${url}`, mimeType: 'application/json', text: answer.text },
      },
    });
  }
  return { description: prompt.description ?? '', messages };
}

function daysOf(args: Readonly<Record<string, string>>): string {
  const days = args['days'] ?? '7';
  if (!/^\d{1,3}$/.test(days) || Number(days) < 1 || Number(days) > 180)
    throw rpcError(ErrorCode.InvalidParams, 'days must be within 1 and 180');
  return days;
}

function rangeQuery(args: Readonly<Record<string, string>>): string {
  return new URLSearchParams({
    days: daysOf(args),
    tz: args['tz'] ?? 'UTC',
    compare: 'previous',
  }).toString();
}

function metricsUrl(args: Readonly<Record<string, string>>): string {
  const only = args['campaign_id'];
  return `/advertiser-dashboard/metrics?${rangeQuery(args)}${only === undefined || only === '' ? '' : `&campaign_id=${encodeURIComponent(only)}`}`;
}
