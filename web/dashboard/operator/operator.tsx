import type { JSX } from 'preact';
import { loadTexts, t } from '../core/language.js';
import { PrivacyRequestsPage } from '../pages/privacy-requests.js';
import { later } from '../ui/later.js';
import { Empty } from '../ui/states.js';
import { AccountsPage } from './accounts/accounts.js';
import { AuditPage } from './audit.js';
import { ReviewPage } from './review.js';

const CatalogPage = later(
  async () => (await import('./catalog/catalog.js')).CatalogPage,
  'catalog',
);
const DecisionsPage = later(
  async () => (await import('./traffic/decisions.js')).DecisionsPage,
  'decisions',
);
const HealthPage = later(async () => (await import('./health.js')).HealthPage, 'health');
const LivePage = later(async () => (await import('../pages/live.js')).LivePage, 'live');
const NetworkPage = later(async () => (await import('./network.js')).NetworkPage, 'overview');
const OperatorBillingPage = later(
  async () => (await import('./money/billing.js')).OperatorBillingPage,
  'billing',
);
const PayoutsPage = later(async () => (await import('./money/payouts.js')).PayoutsPage, 'payouts');
const PeoplePage = later(async () => (await import('./accounts/people.js')).PeoplePage, 'people');
const ReadingPage = later(
  async () => (await import('./traffic/reading.js')).ReadingPage,
  'reading',
);
const ReportPage = later(
  async () => (await import('../reports/report-page.js')).ReportPage,
  'reports',
);
const SettingsPage = later(async () => {
  await loadTexts('settings');
  return (await import('./settings.js')).SettingsPage;
}, 'settings');
const TrafficPage = later(
  async () => (await import('./traffic/traffic.js')).TrafficPage,
  'traffic',
);

export function OperatorSection({
  path,
  search,
}: {
  path: string;
  search: URLSearchParams;
}): JSX.Element {
  switch (path.split('/')[3] ?? '') {
    case '':
      return <ReviewPage />;
    case 'overview':
      return <NetworkPage />;
    case 'payouts':
      return <PayoutsPage />;
    case 'reports':
      return <ReportPage role="operator" />;
    case 'live':
      return <LivePage role="operator" />;
    case 'accounts':
      return <AccountsPage />;
    case 'people':
      return <PeoplePage />;
    case 'traffic':
      return <TrafficPage />;
    case 'billing':
      return <OperatorBillingPage />;
    case 'catalog':
      return <CatalogPage />;
    case 'decisions':
      return <DecisionsPage initial={search.get('request') ?? ''} />;
    case 'reading':
      return <ReadingPage />;
    case 'health':
      return <HealthPage />;
    case 'settings':
      return <SettingsPage />;
    case 'privacy':
      return <PrivacyRequestsPage kind="operator" />;
    case 'audit':
      return <AuditPage />;
    default:
      return <Empty title={t('There is no such page.')} />;
  }
}
