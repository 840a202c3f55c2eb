import type { JSX } from 'preact';
import { t } from '../core/language.js';
import { later } from '../ui/later.js';
import { Empty } from '../ui/states.js';
import { CampaignPage } from './campaigns/campaign.js';
import { CampaignsPage } from './campaigns/campaigns.js';
import { OverviewPage } from './overview.js';

const PrivacyRequestsPage = later(
  async () => (await import('../pages/privacy-requests.js')).PrivacyRequestsPage,
  'privacy',
);
const ExportsPage = later(async () => (await import('../pages/exports.js')).ExportsPage, 'exports');
const AlertsPage = later(
  async () => (await import('../pages/alerts/alerts.js')).AlertsPage,
  'alerts',
);
const AdUnitsPage = later(
  async () => (await import('./units/ad-units.js')).AdUnitsPage,
  'ad-units',
);
const BillingPage = later(async () => (await import('./billing.js')).BillingPage, 'billing');
const BulkPage = later(async () => (await import('./bulk/bulk-groups.js')).BulkPage, 'ad-groups');
const ConversionsPage = later(
  async () => (await import('./conversions/conversions.js')).ConversionsPage,
  'conversions',
);
const ExperimentPage = later(async () => (await import('./experiment.js')).ExperimentPage);
const ExperimentsPage = later(
  async () => (await import('./experiments.js')).ExperimentsPage,
  'experiments',
);
const LeadsPage = later(async () => (await import('./leads.js')).LeadsPage, 'leads');
const LivePage = later(async () => (await import('../pages/live.js')).LivePage, 'live');
const PixelPage = later(async () => (await import('./conversions/pixel.js')).PixelPage, 'pixel');
const ReportPage = later(
  async () => (await import('../reports/report-page.js')).ReportPage,
  'reports',
);
const ServerSidePage = later(
  async () => (await import('./conversions/server-side.js')).ServerSidePage,
  'server-side',
);
const StorefrontsPage = later(
  async () => (await import('./storefronts.js')).StorefrontsPage,
  'storefronts',
);
const WizardPage = later(
  async () => (await import('./wizard/wizard.js')).WizardPage,
  'campaigns/new',
);

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
