import type { JSX } from 'preact';
import { useApp } from '../core/boot.js';
import { t } from '../core/language.js';
import { Link } from '../core/router.js';
import { Page, Tabs } from '../ui/parts.js';
import { Empty } from '../ui/states.js';
import { ChatPanel } from './chat-panel.js';
import { ConversionPanel } from './conversion-panel.js';
import { ProductPanel } from './product-panel.js';
import { ToolPanel } from './tool-panel.js';

export function PlaygroundPage(): JSX.Element {
  const { playground } = useApp();
  if (!playground.available) {
    return (
      <Page title={t('Playground')}>
        <Empty title={t('This server has no demo publisher.')}>
          <p>{t('Sign in as an approved publisher to play with your own account.')}</p>
          <Link to="/app/sign-in?next=/app/playground" class="button primary">
            {t('Sign in')}
          </Link>
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title={t('Playground')}
      lead={t('{is_demo}, made for {publisher_name}. Each panel shows the call behind it.', {
        is_demo: playground.is_demo
          ? t('Real decisions over live campaigns')
          : t('Test ads, never counted or billed'),
        publisher_name: playground.publisher_name ?? t('the demo publisher'),
      })}
    >
      <Tabs
        label={t('Playground')}
        tabs={[
          { id: 'ads', title: t('Ads in a chat'), body: () => <ChatPanel /> },
          { id: 'tools', title: t('Developer tools'), body: () => <ToolPanel /> },
          { id: 'products', title: t('Products'), body: () => <ProductPanel /> },
          { id: 'conversions', title: t('Conversions'), body: () => <ConversionPanel /> },
        ]}
      />
    </Page>
  );
}
