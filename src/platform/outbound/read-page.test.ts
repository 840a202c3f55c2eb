import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { landingPage } from '../../../test/support/page-server.js';
import { type Outbound, OutboundError } from './guarded-fetch.js';
import { PageUnreadable, readPage, readPageFacts } from './read-page.js';

const answering =
  (
    body: Buffer | string,
    headers: Record<string, string> = { 'content-type': 'text/html' },
    status = 200,
  ): Outbound =>
  (url) =>
    Promise.resolve({ url, status, headers, body: Buffer.from(body) });

describe('reading a page', () => {
  it('takes Open Graph, structured data, title, headings, icon and main picture', () => {
    const facts = readPageFacts(landingPage('trail-shoes'), 'https://fellbound.example/kestrel');
    assert.equal(facts.siteName, 'Fellbound');
    assert.equal(facts.title, 'Kestrel 3 Trail Running Shoes');
    assert.deepEqual(facts.product && [facts.product.name, facts.product.price], [
      'Kestrel 3',
      '$139',
    ]);
    assert.equal(facts.imageUrl, 'https://fellbound.example/pictures/kestrel-3.jpg');
    assert.equal(facts.faviconUrl, 'https://fellbound.example/favicon.svg');
    assert.ok(facts.headings.includes('Grip that holds on wet rock'));
    assert.ok(!facts.text.includes('All rights reserved'));
  });

  it('names the site from structured data and the picture from the content when there is no Open Graph', () => {
    const facts = readPageFacts(landingPage('cooking-school'), 'https://panela.example/');
    assert.equal(facts.siteName, 'Panela Studio');
    assert.equal(facts.imageUrl, 'https://panela.example/img/kitchen.jpg');
    assert.equal(facts.faviconUrl, 'https://panela.example/favicon.ico');
    assert.deepEqual(facts.actions, ['Book an evening']);
  });

  it('follows the encoding the answer or the page names', async () => {
    const latin = Buffer.from(
      '<html><head><meta charset="iso-8859-1"><title>Café Zürich</title></head></html>',
      'latin1',
    );
    assert.equal((await readPage(answering(latin), 'https://a.example/')).title, 'Café Zürich');
    assert.equal(
      (
        await readPage(
          answering(latin, { 'content-type': 'text/html; charset=ISO-8859-1' }),
          'https://a.example/',
        )
      ).title,
      'Café Zürich',
    );
    assert.equal(
      (
        await readPage(
          answering('<title>Plain</title>', { 'content-type': 'text/html; charset=klingon' }),
          'https://a.example/',
        )
      ).title,
      'Plain',
    );
  });

  it('refuses what is no page, and says why', async () => {
    const why = (outbound: Outbound): Promise<string> =>
      readPage(outbound, 'https://a.example/').then(
        () => 'read',
        (error: unknown) => (error instanceof PageUnreadable ? error.message : 'other'),
      );
    assert.equal(
      await why(answering('{}', { 'content-type': 'application/json' })),
      'The address is not a web page',
    );
    assert.equal(await why(answering('%PDF-1.7', {})), 'The address is not a web page');
    assert.equal(await why(answering('<title>x</title>', undefined, 403)), 'The page answers 403');
    assert.equal(
      await why(() => Promise.reject(new OutboundError('timeout', 'x'))),
      'The page takes too long to answer',
    );
    assert.equal(
      await why(() => Promise.reject(new Error('x'))),
      'Nothing answers at this address',
    );
  });

  it('survives pages that are broken or hostile', () => {
    for (const html of [
      '',
      '<',
      '<title>',
      '<p>'.repeat(20_000),
      '<a href="'.repeat(5000),
      '<script type="application/ld+json">{"@type":',
      '<meta property="og:image" content="javascript:alert(1)">',
      `<title>a\u0000b&#xD800;</title>`,
      '<!--'.repeat(5000),
    ]) {
      const facts = readPageFacts(html, 'https://a.example/');
      assert.ok(
        facts.imageUrl === null &&
          JSON.stringify(facts).isWellFormed() &&
          !JSON.stringify(facts).includes('\\u0000'),
        html.slice(0, 40),
      );
    }
  });
});
