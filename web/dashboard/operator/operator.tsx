import type { JSX } from 'preact';
import { t } from '../core/language.js';
import { LivePage } from '../pages/live.js';
import { ReportPage } from '../reports/report-page.js';
import { PrivacyRequestsPage } from '../pages/privacy-requests.js';
import { Empty } from '../ui/states.js';
import { AccountsPage } from './accounts.js';
import { AuditPage } from './audit.js';
import { OperatorBillingPage } from './billing.js';
import { CataloguePage } from './catalogue.js';
import { DecisionsPage } from './decisions.js';
import { HealthPage } from './health.js';
import { NetworkPage } from './network.js';
import { PayoutsPage } from './payouts.js';
import { PeoplePage } from './people.js';
import { ReadingPage } from './reading.js';
import { ReviewPage } from './review.js';
import { SettingsPage } from './settings.js';
import { TrafficPage } from './traffic.js';

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
    case 'catalogue':
      return <CataloguePage />;
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
