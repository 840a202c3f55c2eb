import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { Link } from '../core/router.js';
import { Card, Code, Page } from '../ui/parts.js';

/**
 * The shortest way from nothing to an ad, with this server's addresses and, once it was made here,
 * the key.
 */
export function IntegratePage(): JSX.Element {
  const { urls, say } = useApp();
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
      say('Filled in below. Copy it now: it is not shown again.');
    } catch (error) {
      say(error instanceof ApiError ? error.message : 'The key was not made.', 'bad');
    }
  };
  return (
    <Page
      title="Integrate"
      lead={
        <>
          Keys are shown once. <Link to="/app/keys">See yours</Link>, or make one and have it filled
          in here.
        </>
      }
      actions={
        <button
          type="button"
          class="button primary"
          disabled={made !== null}
          onClick={() => void mint()}
        >
          {made === null ? 'Make a key and fill it in' : 'Key filled in'}
        </button>
      }
    >
      <div class="stack">
        <Card title="1. Ask for an ad">
          <Code
            label="Test ad: always fills, never counted"
            text={`curl -s ${urls.base}/api/v1/ad \\\n  -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\\n  -d '{"sessionId":"s1","testAd":true,"placements":[{"placement":"below_response","placement_id":"main"}],\n       "messages":[{"role":"user","content":"What should I pack for Iceland?"}]}'`}
          />
        </Card>
        <Card title="2. From your server, while the model answers">
          <Code
            label="server.js"
            text={`import { createAdEndpoint, createClient } from '@sidelight/sdk';\n\nconst sidelight = createClient({ apiKey: process.env.SIDELIGHT_KEY, baseUrl: '${urls.base}' });\n\nconst pending = sidelight.startAds({ messages, sessionId, request });\n// … stream the answer …\nconst { ads, reason } = await pending.result; // never throws, never late\n\n// For the page: ads, thumbs and lead forms without a key in the browser.\nexport const POST = createAdEndpoint(sidelight).handle; // at /api/sidelight`}
          />
        </Card>
        <Card title="3. In the page">
          <Code
            label="page.js"
            text={`import { renderAd, reserveSpace } from '@sidelight/sdk/browser';\n\nreserveSpace(slot); // nothing moves later\nrenderAd(slot, ads[0], { sessionId, feedback: '/api/sidelight' });`}
          />
        </Card>
        <Card title="4. Tracking under your own domain">
          <Code
            label="proxy.js"
            text={`import { createTrackingProxy, rewriteTrackingUrls } from '@sidelight/sdk/proxy';\n\n// Serve it at https://your-site.example/t; impressions and clicks go there first and end at ${urls.api}.\nconst proxy = createTrackingProxy({ apiUrl: '${urls.api}' });\nexport const GET = (request) => proxy.handle(request);\n\n// Where ads leave your server:\nconst ad = rewriteTrackingUrls(ads[0], 'https://your-site.example/t');`}
          />
        </Card>
        <Card title="Without the SDK">
          <ul class="stack">
            <li>
              Fetch <code>impUrl</code> once when half of the ad is in view.
            </li>
            <li>
              Link the ad to <code>clickUrl</code>, marked as sponsored.
            </li>
            <li>
              Show <code>brandName</code>, <code>title</code>, <code>adText</code> and{' '}
              <code>cta</code> as text, never as HTML.
            </li>
            <li>A 204 means nothing fits: show nothing.</li>
          </ul>
        </Card>
      </div>
    </Page>
  );
}
