import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { rich, t } from '../core/language.js';
import { Link } from '../core/router.js';
import { Card, Code, Page } from '../ui/parts.js';

/**
 * The shortest way from nothing to an ad, with this server's addresses and, once it was made here,
 * the key.
 */
export function IntegratePage(): JSX.Element {
  const { urls, say } = useApp();
  const minted = useMintedKey(say);
  return (
    <Page
      title={t('Integrate')}
      lead={
        <>
          {rich('Keys are shown once. {seeYours}, or make one and have it filled in here.', {
            seeYours: <Link to="/app/keys">{t('See yours')}</Link>,
          })}
        </>
      }
      actions={
        <button
          type="button"
          class="button primary"
          disabled={minted.made !== null}
          onClick={() => void minted.mint()}
        >
          {minted.made === null ? t('Make a key and fill it in') : t('Key filled in')}
        </button>
      }
    >
      <div class="stack">
        <Card title={t('1. Ask for an ad')}>
          <Code
            label={t('Test ad: always fills, never counted')}
            text={`curl -s ${urls.base}/api/v1/ad \\\n  -H "Authorization: Bearer ${minted.key}" -H "Content-Type: application/json" \\\n  -d '{"sessionId":"s1","testAd":true,"placements":[{"placement":"below_response","placement_id":"main"}],\n       "messages":[{"role":"user","content":"What should I pack for Iceland?"}]}'`}
          />
        </Card>
        <Card title={t('2. From your server, while the model answers')}>
          <SdkSource />
          <Code
            label="server.js"
            text={`import { createAdEndpoint, createClient } from '@sidelight/sdk';\n\nconst sidelight = createClient({ apiKey: process.env.SIDELIGHT_KEY, baseUrl: '${urls.base}' });\n\nconst pending = sidelight.startAds({ messages, sessionId, request });\n// … stream the answer …\nconst { ads, reason } = await pending.result; // never throws, never late\n\n// For the page: ads, thumbs and lead forms without a key in the browser.\nexport const POST = createAdEndpoint(sidelight).handle; // at /api/sidelight`}
          />
        </Card>
        <Card title={t('3. In the page')}>
          <Code
            label="page.js"
            text={`import { renderAd, reserveSpace } from '@sidelight/sdk/browser';\n\nreserveSpace(element); // nothing moves later\nif (ads[0]) renderAd(element, ads[0], { sessionId, feedback: '/api/sidelight' });`}
          />
        </Card>
        <Card title={t('4. Tracking under your own domain')}>
          <Code
            label="proxy.js"
            text={`import { createTrackingProxy, rewriteTrackingUrls } from '@sidelight/sdk/proxy';\n\n// Serve it at https://your-site.example/t; impressions and clicks go there first and end at ${urls.api}.\nconst proxy = createTrackingProxy({ baseUrl: '${urls.api}' });\nexport const GET = (request) => proxy.handle(request);\n\n// Where ads leave your server:\nconst moved = ads.map((ad) => rewriteTrackingUrls(ad, 'https://your-site.example/t'));`}
          />
        </Card>
        <WithoutSdkCard />
      </div>
    </Page>
  );
}

function SdkSource(): JSX.Element {
  return (
    <>
      <p class="hint">
        {t('The SDK comes with the source of this server. Its operator can pack it for you:')}
      </p>
      <Code
        label={t('Get the SDK')}
        text={`npm run build && npm pack --workspace @sidelight/sdk # where the server's source is\nnpm install ./sidelight-sdk-*.tgz # in your project`}
      />
    </>
  );
}

function WithoutSdkCard(): JSX.Element {
  return (
    <Card title={t('Without the SDK')}>
      <ul class="stack">
        <li>
          {rich('Fetch {impUrl} once when half of the ad is in view.', {
            impUrl: <code>impUrl</code>,
          })}
        </li>
        <li>
          {rich('Link the ad to {clickUrl}, marked as sponsored.', {
            clickUrl: <code>clickUrl</code>,
          })}
        </li>
        <li>
          {rich('Show {brandName}, {title}, {adText} and {cta} as text, never as HTML.', {
            brandName: <code>brandName</code>,
            title: <code>title</code>,
            adText: <code>adText</code>,
            cta: <code>cta</code>,
          })}
        </li>
        <li>{t('A 204 means nothing fits: show nothing.')}</li>
      </ul>
    </Card>
  );
}

interface MintedKey {
  made: string | null;
  key: string;
  mint: () => Promise<void>;
}

function useMintedKey(say: (message: string, kind?: 'good' | 'bad') => void): MintedKey {
  const [made, setMade] = useState<string | null>(null);
  const key = made ?? '$SIDELIGHT_API_KEY';
  const mint = async (): Promise<void> => {
    try {
      setMade(
        (
          await call<{ api_key: string }>('/session/keys', {
            method: 'POST',
            body: { name: 'integration' },
          })
        ).api_key,
      );
      say(t('Filled in below. Copy it now: it is not shown again.'));
    } catch (error) {
      say(error instanceof ApiError ? error.message : t('The key was not created.'), 'bad');
    }
  };
  return { made, key, mint };
}
