import type { JSX } from 'preact';
import { t } from '../core/language.js';
import { later } from '../ui/later.js';
import { Empty } from '../ui/states.js';
import { ControlsPage } from './controls.js';
import { FeedbackPage } from './feedback.js';
import { RevenuePage } from './revenue.js';

const PrivacyRequestsPage = later(
  async () => (await import('../pages/privacy-requests.js')).PrivacyRequestsPage,
  'privacy',
);
const ExportsPage = later(async () => (await import('../pages/exports.js')).ExportsPage, 'exports');
const AlertsPage = later(
  async () => (await import('../pages/alerts/alerts.js')).AlertsPage,
  'alerts',
);
const AudiencePage = later(async () => (await import('./audience.js')).AudiencePage, 'audience');
const EarningsPage = later(async () => (await import('./earnings.js')).EarningsPage, 'earnings');
const IntegratePage = later(
  async () => (await import('./integrate.js')).IntegratePage,
  'integrate',
);
const LivePage = later(async () => (await import('../pages/live.js')).LivePage, 'live');
const ReportPage = later(
  async () => (await import('../reports/report-page.js')).ReportPage,
  'reports',
);
const UsersPage = later(async () => (await import('./users.js')).UsersPage, 'users');

export function PublisherSection({ path }: { path: string }): JSX.Element {
  switch (path.split('/')[3] ?? '') {
    case '':
      return <RevenuePage />;
    case 'reports':
      return <ReportPage role="publisher" />;
    case 'live':
      return <LivePage role="publisher" />;
    case 'earnings':
      return <EarningsPage />;
    case 'audience':
      return <AudiencePage />;
    case 'users':
      return <UsersPage />;
    case 'controls':
      return <ControlsPage />;
    case 'feedback':
      return <FeedbackPage />;
    case 'integrate':
      return <IntegratePage />;
    case 'alerts':
      return <AlertsPage kind="publisher" />;
    case 'privacy':
      return <PrivacyRequestsPage kind="publisher" />;
    case 'exports':
      return <ExportsPage kind="publisher" />;
    default:
      return <Empty title={t('There is no such page.')} />;
  }
}
