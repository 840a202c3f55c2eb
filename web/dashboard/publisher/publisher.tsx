import type { JSX } from 'preact';
import { t } from '../core/language.js';
import { AlertsPage } from '../pages/alerts.js';
import { ExportsPage } from '../pages/exports.js';
import { LivePage } from '../pages/live.js';
import { ReportPage } from '../reports/report-page.js';
import { PrivacyRequestsPage } from '../pages/privacy-requests.js';
import { Empty } from '../ui/states.js';
import { AudiencePage } from './audience.js';
import { ControlsPage } from './controls.js';
import { EarningsPage } from './earnings.js';
import { FeedbackPage } from './feedback.js';
import { IntegratePage } from './integrate.js';
import { RevenuePage } from './revenue.js';
import { UsersPage } from './users.js';

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
