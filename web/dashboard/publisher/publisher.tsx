import type { JSX } from 'preact';
import { Empty } from '../ui/states.js';
import { AudiencePage } from './audience.js';
import { ControlsPage } from './controls.js';
import { FeedbackPage } from './feedback.js';
import { IntegratePage } from './integrate.js';
import { RevenuePage } from './revenue.js';
import { UsersPage } from './users.js';

export function PublisherSection({ path }: { path: string }): JSX.Element {
  switch (path.split('/')[3] ?? '') {
    case '':
      return <RevenuePage />;
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
    default:
      return <Empty title="There is no such page." />;
  }
}
