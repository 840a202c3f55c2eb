import type { AccountKind } from '../../platform/auth/api-key.js';

/** One tool over one REST route. Arguments, bounds, errors and answers are the route's. */
export interface ToolEntry {
  readonly name: string;
  readonly kind: AccountKind;
  readonly title: string;
  readonly description: string;
  readonly path: string;
  /** Does something: its arguments but those of the path are the body. */
  readonly acts?: 'POST' | 'PATCH';
}

const advertiser = (name: string, path: string, title: string, description: string): ToolEntry => ({
  name: `advertiser_${name}`,
  kind: 'advertiser',
  path: `/advertiser-dashboard/${path}`,
  title,
  description,
});
const publisher = (name: string, path: string, title: string, description: string): ToolEntry => ({
  name: `publisher_${name}`,
  kind: 'publisher',
  path: `/publisher-dashboard/${path}`,
  title,
  description,
});

const aboutPerson =
  'Shows (kind=access) or erases for good (kind=erase) everything kept of somebody, and gives a receipt. Ask the person in charge before erasing.';

export const reportTools: readonly ToolEntry[] = [
  {
    ...advertiser('answer_privacy_request', 'privacy-requests', 'Privacy request', aboutPerson),
    acts: 'POST',
  },
  {
    ...publisher('answer_privacy_request', 'privacy-requests', 'Privacy request', aboutPerson),
    acts: 'POST',
  },
  advertiser(
    'list_privacy_requests',
    'privacy-requests',
    'Privacy receipts',
    'Requests to see or erase what is kept of somebody, and what was found.',
  ),
  publisher(
    'list_privacy_requests',
    'privacy-requests',
    'Privacy receipts',
    'Requests to see or erase what is kept of somebody, and what was found.',
  ),
  advertiser(
    'get_info',
    'info',
    'Account',
    'The advertiser account this key belongs to: id, name, email.',
  ),
  advertiser(
    'list_campaigns',
    'campaigns',
    'Campaigns',
    'Every campaign with status, budget and lifetime impressions, clicks, spend, conversions and conversion value. Start here to find campaign ids.',
  ),
  advertiser(
    'get_campaign',
    'campaigns/:campaign_id',
    'Campaign',
    'One campaign in full: targeting, review and deployment status, budget left today, lifetime totals.',
  ),
  advertiser(
    'get_metrics',
    'metrics',
    'Daily performance',
    'Impressions, clicks, spend, conversions, revenue and their ratios by day, for the account or one campaign. compare=previous adds the period before: use it to explain a change.',
  ),
  advertiser(
    'get_ad_group_metrics',
    'ad-group-metrics',
    'Ad group performance',
    'The same by ad group. Revenue and ROAS exist only per campaign. Ask for few days or one campaign: the answer grows with groups times days.',
  ),
  advertiser(
    'get_conversions',
    'conversions',
    'Conversions',
    'Single conversions, newest first, attributed or not, page by page with cursor.',
  ),
  advertiser(
    'get_billing',
    'billing',
    'Billing',
    'Spend, what was billed, what is not billed yet, credit left.',
  ),
  advertiser(
    'get_events_analytics',
    'events/analytics',
    'Pixel events',
    'What the pixel received: events by domain, by day and by type, and when each type last arrived. Shows whether tracking works.',
  ),
  advertiser(
    'get_conversion_stats',
    'events/conversion-stats',
    'Conversion counts',
    'Conversions by day and by event type, attributed or not.',
  ),
  advertiser(
    'get_integrations',
    'integrations',
    'Integrations',
    'Connected storefronts and whether they are verified.',
  ),
  advertiser(
    'get_invalid_traffic',
    'invalid-traffic',
    'Invalid traffic',
    'What was not counted or was credited later, by reason.',
  ),
  advertiser(
    'get_traffic_findings',
    'traffic-findings',
    'Traffic found out',
    'Traffic of publishers found out later: why, when, and what was credited for it.',
  ),
  advertiser(
    'list_experiments',
    'experiments',
    'Experiments',
    'A/B and holdout experiments of the account, newest first. Start here to find experiment ids.',
  ),
  advertiser(
    'get_experiment',
    'experiments/:experiment_id',
    'Result of an experiment',
    'People, clicks and purchases of each arm, and the lift of each over the first with its 95 % interval and p-value. An interval that holds 0 shows no difference yet; more people narrow it.',
  ),
  {
    ...advertiser(
      'create_experiment',
      'experiments',
      'Begin an experiment',
      'Begins an experiment with a campaign. kind=holdout keeps a share of people from seeing it (holdout_percent), which costs that share of delivery and shows what the ads really add; kind=ab shows each arm its own ad groups. Ask the person in charge before beginning.',
    ),
    acts: 'POST',
  },
  {
    ...advertiser(
      'stop_experiment',
      'experiments/:experiment_id/stop',
      'End an experiment',
      'Ends an experiment: everybody is shown the whole campaign again, and the result stays. It cannot be resumed.',
    ),
    acts: 'PATCH',
  },
  advertiser(
    'get_content_categories',
    'content-categories',
    'Content categories',
    'What the conversations were about that ads stood beside, by IAB content category.',
  ),
  advertiser(
    'get_reversals',
    'reversals',
    'Reversals',
    'Money asked back for cancelled orders, and whether it was given.',
  ),
  advertiser(
    'get_payment_holds',
    'payment-holds',
    'Payment holds',
    'Payments that came back or never came and stop the campaigns until they are settled.',
  ),
  publisher(
    'get_info',
    'info',
    'Account',
    'The publisher account this key belongs to, with lifetime impressions and clicks.',
  ),
  publisher(
    'get_stats',
    'stats',
    'Daily revenue',
    'Impressions, clicks, revenue, CPM, CPC and CTR by day. compare=previous adds the period before: use it to explain a change.',
  ),
  publisher(
    'get_activity',
    'activity',
    'Requests and fill',
    'Requests, wins (ads returned), impressions and revenue by day, with fill and show rate.',
  ),
  publisher(
    'get_placements',
    'placements',
    'Placements',
    'Delivery and revenue by placement, in UTC days.',
  ),
  publisher(
    'get_devices',
    'devices',
    'Devices',
    'Delivery and revenue by device type, in UTC days.',
  ),
  publisher('get_geography', 'geography', 'Geography', 'Delivery and revenue by country.'),
  publisher(
    'get_users',
    'users',
    'Users',
    'The publisher’s users with their requests, ads, clicks and revenue, sorted by any column, page by page.',
  ),
  publisher('get_countries', 'countries', 'Countries by users', 'Countries with the most users.'),
  publisher(
    'get_earnings',
    'earnings',
    'Earnings and payouts',
    'What is earned, held and why, payable, and every payout.',
  ),
  publisher(
    'get_invalid_traffic',
    'invalid-traffic',
    'Invalid traffic',
    'What was not counted or was taken back later, by reason.',
  ),
  publisher(
    'get_traffic_findings',
    'traffic-findings',
    'Traffic found out',
    'What was found about the traffic later: why, when, and what is no longer earned.',
  ),
  publisher(
    'get_reversals',
    'reversals',
    'Reversals',
    'Conversions that shops took back or want to, and what they had earned.',
  ),
  publisher(
    'get_disclosure',
    'disclosure',
    'Disclosure',
    'How many of the ads shown lately were seen to be ads, and whether earnings wait for that.',
  ),
];
