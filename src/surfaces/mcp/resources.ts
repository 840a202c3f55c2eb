import { isUuid } from '../../domain/uuid.js';
import {
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js';
import type { AccountKind } from '../../platform/auth/api-key.js';
import type { CallRoute } from './call-route.js';
import type { SchemasOf } from './tools.js';
import { rpcError } from './json-rpc.js';

/** Code the protocol gives to an unknown resource. */
const resourceNotFound = -32002;

interface ReportResource {
  readonly uri: string;
  readonly kind: AccountKind;
  readonly name: string;
  readonly description: string;
  /** Route, then the query it is asked with. */
  readonly path: string;
  readonly query: string;
}

const reports: readonly ReportResource[] = [
  {
    uri: 'sidelight://advertiser/info',
    kind: 'advertiser',
    name: 'Account',
    description: 'The advertiser account',
    path: '/advertiser-dashboard/info',
    query: '',
  },
  {
    uri: 'sidelight://advertiser/campaigns',
    kind: 'advertiser',
    name: 'Campaigns',
    description: 'Every campaign with lifetime totals',
    path: '/advertiser-dashboard/campaigns',
    query: '',
  },
  {
    uri: 'sidelight://advertiser/last-30-days',
    kind: 'advertiser',
    name: 'Last 30 days',
    description: 'Daily performance of the account, with the 30 days before',
    path: '/advertiser-dashboard/metrics',
    query: '?days=30&compare=previous',
  },
  {
    uri: 'sidelight://publisher/info',
    kind: 'publisher',
    name: 'Account',
    description: 'The publisher account',
    path: '/publisher-dashboard/info',
    query: '',
  },
  {
    uri: 'sidelight://publisher/last-30-days',
    kind: 'publisher',
    name: 'Last 30 days',
    description: 'Daily revenue, with the 30 days before',
    path: '/publisher-dashboard/stats',
    query: '?days=30&compare=previous',
  },
  {
    uri: 'sidelight://publisher/funnel',
    kind: 'publisher',
    name: 'Funnel',
    description: 'From request to conversion over 30 days, with the 30 days before',
    path: '/publisher-dashboard/funnel',
    query: '?days=30&compare=previous',
  },
];

const glossaryUri = 'sidelight://glossary';
const campaignPath = '/advertiser-dashboard/campaigns/:campaign_id';
const campaignUri = /^sidelight:\/\/advertiser\/campaigns\/([^/?#]+)$/;

const glossary = `# What the numbers mean

- **request**: an assistant asked for ads. **win**: an ad was returned for it.
- **impression**: the ad was at least half visible, counted once per ad returned. **viewable**: it stayed so for a second.
- **click**: counted once per ad returned. **filtered**: judged invalid (bots, impossible speed or rates); never billed or paid.
- **spend** is what the advertiser pays, **publisher revenue** its share of that. Money is exact to a millionth of a dollar.
- **conversions** include view-through ones (seen, not clicked); those have no ad group, so groups can add up to less than their campaign.
- **revenue** in advertiser reports is the value of attributed conversions; in publisher reports it is earnings.
- ctr = clicks / impressions × 100; cpc = spend / clicks; cpm = spend / impressions × 1000; conversion_rate = conversions / clicks × 100; cpa = spend / conversions; roas = revenue / spend; fill_rate = wins / requests; show_rate = impressions / wins.
- Days follow \`tz\`. Days without activity are left out. Refunded traffic is taken out of the day it happened on.
`;

export function listResources(kind: AccountKind, schemasOf: SchemasOf): Resource[] {
  const own = reports.filter(
    (report) => report.kind === kind && schemasOf('GET', report.path) !== undefined,
  );
  return [
    ...own.map(({ uri, name, description }) => ({
      uri,
      name,
      description,
      mimeType: 'application/json',
    })),
    {
      uri: glossaryUri,
      name: 'Glossary',
      description: 'What every number in the reports means',
      mimeType: 'text/markdown',
    },
  ];
}

export function listResourceTemplates(kind: AccountKind, schemasOf: SchemasOf): ResourceTemplate[] {
  if (kind !== 'advertiser' || schemasOf('GET', campaignPath) === undefined) return [];
  return [
    {
      uriTemplate: 'sidelight://advertiser/campaigns/{campaign_id}',
      name: 'Campaign',
      description: 'One campaign in full',
      mimeType: 'application/json',
    },
  ];
}

export async function readResource(
  kind: AccountKind,
  call: CallRoute,
  uri: string,
): Promise<ReadResourceResult> {
  if (uri === glossaryUri)
    return { contents: [{ uri, mimeType: 'text/markdown', text: glossary }] };
  const report = reports.find((entry) => entry.uri === uri && entry.kind === kind);
  // Only an id: anything else could lead to another path.
  const named = kind === 'advertiser' ? campaignUri.exec(uri)?.[1] : undefined;
  const campaign = isUuid(named) ? named : undefined;
  const url =
    report === undefined
      ? campaign === undefined
        ? null
        : campaignPath.replace(':campaign_id', campaign)
      : `${report.path}${report.query}`;
  const answer = url === null ? null : await call('GET', url);
  if (answer === null || answer.status !== 200)
    throw rpcError(resourceNotFound, 'Resource not found');
  return { contents: [{ uri, mimeType: 'application/json', text: answer.text }] };
}
