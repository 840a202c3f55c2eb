// A chat with streaming answers. The ad is asked for before the model starts and is there when it ends.
import { createAdEndpoint, createClient } from '@sidelight/sdk';
import { createTrackingProxy, rewriteTrackingUrls } from '@sidelight/sdk/proxy';
import express from 'express';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { fakeModel } from '../fake-model.mjs';
import { readDemo } from '../read-demo.mjs';

const page = readFileSync(new URL('page.html', import.meta.url));
const pageScript = readFileSync(new URL('page.js', import.meta.url));
const browserEntry = readFileSync(new URL(import.meta.resolve('@sidelight/sdk/browser')));

export function createChat({ baseUrl, apiKey }) {
  const sidelight = createClient({ apiKey, baseUrl });
  const endpoint = createAdEndpoint(sidelight);
  const proxy = createTrackingProxy({ baseUrl });
  const app = express();

  app.get('/', (_req, res) =>
    res
      .type('html')
      .set('Content-Security-Policy', "default-src 'self'; img-src 'self' https: http:")
      .send(page),
  );
  app.get('/page.js', (_req, res) => res.type('js').send(pageScript));
  app.get('/sidelight.js', (_req, res) => res.type('js').send(browserEntry));
  app.use('/t', (req, res) => proxy.middleware(req, res));
  app.post('/api/sidelight', express.json(), (req, res) => endpoint.middleware(req, res));

  app.post('/chat', express.json(), async (req, res) => {
    const { messages, sessionId } = req.body ?? {};
    if (!Array.isArray(messages) || typeof sessionId !== 'string')
      return res.status(422).json({ detail: 'messages and sessionId are needed' });
    const pending = sidelight.startAds({ messages, sessionId, request: req });
    res.type('application/x-ndjson').set('Cache-Control', 'no-store');
    for await (const text of fakeModel(String(messages.at(-1)?.content)))
      res.write(`${JSON.stringify({ text })}\n`);
    const { ads } = await pending.result;
    // The page calls back under this origin only, so the ad's tracking does too.
    for (const ad of ads)
      res.write(
        `${JSON.stringify({ ad: rewriteTrackingUrls(ad, `${req.protocol}://${req.get('host')}/t`) })}\n`,
      );
    return res.end();
  });
  return app;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const port = Number(process.env.PORT ?? 3000);
  createChat(readDemo()).listen(port, '127.0.0.1', () =>
    process.stdout.write(`chat on http://127.0.0.1:${port}\n`),
  );
}
