import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { landingPage } from '../../../test/support/page-server.js';
import { PageTooHard, readPageApart } from './read-page-apart.js';
import { readPageFacts } from './read-page.js';

/** A crowded machine takes long to start a thread. */
const patient = { startMs: 300_000, deadlineMs: 300_000 };

describe('reading a page in a thread', () => {
  it('finds what reading it here finds', async () => {
    const [html, url] = [landingPage('trail-shoes'), 'https://fellbound.example/kestrel'];
    assert.deepEqual(await readPageApart(html, url, patient), readPageFacts(html, url));
  });

  it('ends a reader that never ends, and goes on with the next page', async () => {
    const endless = new URL('data:text/javascript,for(;;);');
    await assert.rejects(
      readPageApart('', 'https://a.example/', { worker: endless, startMs: 200 }),
      PageTooHard,
    );
    const facts = await readPageApart('<title>Next</title>', 'https://a.example/', patient);
    assert.equal(facts.title, 'Next');
  });

  it('ends a reader that begins and never ends', async () => {
    const endless = new URL(
      `data:text/javascript,${encodeURIComponent(
        "import { parentPort } from 'node:worker_threads'; parentPort.postMessage('begins'); for (;;);",
      )}`,
    );
    await assert.rejects(
      readPageApart('', 'https://a.example/', { ...patient, worker: endless, deadlineMs: 200 }),
      PageTooHard,
    );
  });

  it('says so when the reader breaks', async () => {
    const broken = new URL('data:text/javascript,throw new Error("x")');
    await assert.rejects(
      readPageApart('', 'https://a.example/', { ...patient, worker: broken }),
      PageTooHard,
    );
  });
});
