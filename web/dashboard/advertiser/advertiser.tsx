import type { JSX } from 'preact';
import { t } from '../core/language.js';
import { AlertsPage } from '../pages/alerts.js';
import { ExportsPage } from '../pages/exports.js';
import { LivePage } from '../pages/live.js';
import { ReportPage } from '../reports/report-page.js';
import { PrivacyRequestsPage } from '../pages/privacy-requests.js';
import { Empty } from '../ui/states.js';
import { AdUnitsPage } from './ad-units.js';
import { BulkPage } from './bulk-groups.js';
import { BillingPage } from './billing.js';
import { CampaignPage } from './campaign.js';
import { CampaignsPage } from './campaigns.js';
import { ConversionsPage } from './conversions.js';
import { ExperimentPage } from './experiment.js';
import { ExperimentsPage } from './experiments.js';
import { LeadsPage } from './leads.js';
import { OverviewPage } from './overview.js';
import { PixelPage } from './pixel.js';
import { ServerSidePage } from './server-side.js';
import { StorefrontsPage } from './storefronts.js';
import { WizardPage } from './wizard.js';

export function AdvertiserSection({ path }: { path: string }): JSX.Element {
  const [page = '', id] = path.split('/').slice(3);
  switch (page) {
    case '':
      return <OverviewPage />;
    case 'campaigns':
      return id === undefined || id === '' ? (
        <CampaignsPage />
      ) : id === 'new' ? (
        <WizardPage />
      ) : (
        <CampaignPage key={id} id={id} />
      );
    case 'ad-groups':
      return <BulkPage />;
    case 'reports':
      return <ReportPage role="advertiser" />;
    case 'live':
      return <LivePage role="advertiser" />;
    case 'conversions':
      return <ConversionsPage />;
    case 'experiments':
      return id === undefined || id === '' ? (
        <ExperimentsPage />
      ) : (
        <ExperimentPage key={id} id={id} />
      );
    case 'pixel':
      return <PixelPage />;
    case 'server-side':
      return <ServerSidePage />;
    case 'leads':
      return <LeadsPage />;
    case 'billing':
      return <BillingPage />;
    case 'ad-units':
      return <AdUnitsPage />;
    case 'storefronts':
      return <StorefrontsPage />;
    case 'alerts':
      return <AlertsPage kind="advertiser" />;
    case 'privacy':
      return <PrivacyRequestsPage kind="advertiser" />;
    case 'exports':
      return <ExportsPage kind="advertiser" />;
    default:
      return <Empty title={t('There is no such page.')} />;
  }
}
