import type { JSX } from 'preact';
import { useApp } from '../core/boot.js';
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
      <Page title="Playground">
        <Empty title="This server has no demo publisher.">
          <p>Sign in as an approved publisher to play with your own account.</p>
          <Link to="/app/sign-in?next=/app/playground" class="button primary">
            Sign in
          </Link>
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title="Playground"
      lead={`${playground.is_demo ? 'Real decisions over live campaigns' : 'Test ads, never counted or billed'}, made for ${playground.publisher_name ?? 'the demo publisher'}. Each panel shows the call behind it.`}
    >
      <Tabs
        label="Playground"
        tabs={[
          { id: 'ads', title: 'Ads in a chat', body: () => <ChatPanel /> },
          { id: 'tools', title: 'Developer tools', body: () => <ToolPanel /> },
          { id: 'products', title: 'Products', body: () => <ProductPanel /> },
          { id: 'conversions', title: 'Conversions', body: () => <ConversionPanel /> },
        ]}
      />
    </Page>
  );
}
