import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { landingPage } from '../../../test/support/page-server.js';
import { PageTooHard, readPageApart } from './read-page-apart.js';
import { readPageFacts } from './read-page.js';

describe('reading a page in a thread', () => {
  it('finds what reading it here finds', async () => {
    const [html, url] = [landingPage('trail-shoes'), 'https://fellbound.example/kestrel'];
    assert.deepEqual(await readPageApart(html, url), readPageFacts(html, url));
  });

  it('ends a reader that never ends, and goes on with the next page', async () => {
    const endless = new URL('data:text/javascript,for(;;);');
    await assert.rejects(
      readPageApart('', 'https://a.example/', { worker: endless, deadlineMs: 200 }),
      PageTooHard,
    );
    const facts = await readPageApart('<title>Next</title>', 'https://a.example/');
    assert.equal(facts.title, 'Next');
  });

  it('says so when the reader breaks', async () => {
    const broken = new URL('data:text/javascript,throw new Error("x")');
    await assert.rejects(readPageApart('', 'https://a.example/', { worker: broken }), PageTooHard);
  });
});
