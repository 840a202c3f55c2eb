import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, beforeEach, describe, test } from 'node:test';
import { browserMissing } from '../support/browser.js';
import { AdPage } from '../support/ad-page.js';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe('an ad in a page', { skip: browserMissing() ?? false, timeout: 1_200_000 }, () => {
  const stage = new AdPage();
  before(() => stage.open());
  after(() => stage.close());
  beforeEach(() => stage.visit());

  test('the impression waits for half the ad to be in view, is sent once and without cookies', async () => {
    await stage.inPage(
      `document.querySelector('#slot').before(Object.assign(document.createElement('div'), { id: 'space' })); document.querySelector('#space').style.height = '1000px';`,
    );
    await stage.render(stage.ad());
    await stage.inPage(
      `await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));`,
    );
    assert.equal(stage.calls.length, 0);
    await stage.inPage(`document.querySelector('#slot').scrollIntoView({ block: 'center' });`);
    assert.equal((await stage.called('/ack')).path, '/ack?p=tok%2Ben');
    const viewable = JSON.parse((await stage.called('/track/viewable')).body);
    assert.equal(viewable.p, 'tok+en');
    assert.ok(viewable.ms >= 1000);
    assert.ok(
      stage.calls.every(
        (call) => call.path.startsWith('/ack') === false || call.cookie === undefined,
      ),
    );
    await stage.inPage(
      `scrollTo(0, 0); await new Promise((done) => setTimeout(done, 50)); document.querySelector('#slot').scrollIntoView({ block: 'center' }); await new Promise((done) => setTimeout(done, 50)); shown.destroy();`,
    );
    assert.ok(JSON.parse((await stage.called('/track/viewable', 1)).body).ms > viewable.ms);
    assert.equal(stage.calls.filter((call) => call.path.startsWith('/ack')).length, 1);
    assert.deepEqual(await stage.inPage('return calls;'), ['impression']);
  });

  test('an impression that met a broken connection is sent again', async () => {
    stage.failImpressions = 2;
    await stage.render(stage.ad());
    await stage.called('/ack');
  });

  test('everything in the ad is text, labelled, in links that name their relation, under a strict policy', async () => {
    const complaints: string[] = [];
    stage.page.on(
      'console',
      (message) =>
        /Content Security Policy/.test(message.text()) &&
        !/none\.png/.test(message.text()) &&
        complaints.push(message.text()),
    );
    await stage.render(stage.ad());
    const slot = stage.page.locator('#slot aside');
    assert.match((await slot.textContent()) ?? '', /<img src=x onerror=alert\(1\)> Tents/);
    assert.equal(await slot.getByText('Sponsored', { exact: true }).isVisible(), true);
    assert.equal(
      await stage.page.locator('#slot a').first().getAttribute('rel'),
      'sponsored noopener',
    );
    assert.equal(await slot.evaluate((element) => getComputedStyle(element).borderTopWidth), '1px');
    assert.equal(await stage.page.locator('#slot [style]').count(), 0);
    assert.deepEqual(complaints, []);
  });

  test('nothing below moves when the ad comes into its reserved space', async () => {
    const top = `return document.querySelector('#after').getBoundingClientRect().top;`;
    const before = await stage.inPage(
      `browser.reserveSpace(document.querySelector('#slot')); ${top}`,
    );
    await stage.render(
      stage.ad({
        feedbackPrompt: { question: 'Useful?', reasons: ['irrelevant'] },
        leadForm: {
          title: 'Ask',
          fields: [{ name: 'email', label: 'Email', type: 'email', required: true }],
        },
      }),
      `, feedback: '/api', lead: '/api'`,
    );
    assert.equal(await stage.inPage(top), before);
    assert.equal(await stage.page.locator('[data-sidelight-slot]').count(), 1);
  });

  test('a click goes through the tracking link and is told to the page', async () => {
    await stage.render(stage.ad());
    const popup = stage.context.waitForEvent('page');
    await stage.page.locator('#slot a').last().click();
    await (await popup).waitForURL('**/landing');
    assert.equal((await stage.called('/track/click')).path, '/track/click?p=tok');
    // the array made by the page script
    assert.ok(((await stage.inPage('return calls;')) as string[]).includes('click'));
  });

  test('feedback goes to the publisher, with reasons, and is not a click', async () => {
    await stage.render(
      stage.ad({
        feedbackPrompt: { question: 'Useful?', reasons: ['not_interested', 'irrelevant'] },
      }),
      `, feedback: '/api'`,
    );
    await stage.page.getByRole('button', { name: 'Not helpful' }).click();
    await stage.page.getByRole('button', { name: 'irrelevant' }).click();
    assert.deepEqual(JSON.parse((await stage.called('/api')).body), {
      kind: 'feedback',
      sessionId: 's1',
      impUrl: stage.ad().impUrl,
      sentiment: 'thumbs_down',
      reasons: ['irrelevant'],
      placement: 'below_response',
      placementId: 'below',
    });
    await stage.page.getByText('Thank you').waitFor();
    assert.deepEqual(await stage.inPage('return calls;'), ['impression']);
    await stage.render(stage.ad(), `, feedback: '/api'`);
    assert.equal(await stage.page.getByRole('button').count(), 0, 'no controls unless the ad asks');
  });

  test('a form is checked, sent to the publisher with consent, and thanks', async () => {
    const leadForm = {
      title: 'Get an offer',
      fields: [
        { name: 'email', label: 'Email', type: 'email', required: true },
        { name: 'size', label: 'Size', type: 'select', options: ['1', '2'] },
        { name: 'news', label: 'News', type: 'checkbox' },
      ],
      privacy_policy_url: 'https://camp.test/privacy',
      success_message: 'We will write.',
    };
    await stage.render(stage.ad({ leadForm }), `, lead: '/api'`);
    await stage.page.getByRole('button', { name: 'Get an offer' }).click();
    await stage.page.getByRole('button', { name: 'Send' }).click();
    await stage.page.getByLabel('Email').fill('ada@example.com');
    await stage.page.getByLabel('Size').selectOption('2');
    await stage.page.getByLabel(/privacy policy/).check();
    await stage.page.getByRole('button', { name: 'Send' }).click();
    const { fields, consent, kind } = JSON.parse((await stage.called('/api')).body);
    assert.deepEqual(
      { fields, consent, kind },
      { fields: { email: 'ada@example.com', size: '2', news: false }, consent: true, kind: 'lead' },
    );
    await stage.page.getByText('We will write.').waitFor();
    assert.equal(stage.calls.filter((call) => call.path === '/api').length, 1);
  });

  test('an ad inside a shadow tree counts as everywhere else', async () => {
    await stage.inPage(
      `const shadow = document.querySelector('#slot').attachShadow({ mode: 'open' }); shadow.append(document.createElement('div')); browser.renderAd(shadow.firstChild, given);`,
      stage.ad(),
    );
    await stage.called('/ack');
    assert.equal(await stage.page.getByText('See tents').isVisible(), true);
  });

  test('React shows, counts once in strict mode, and stays in its place', async () => {
    await stage.inPage(`const { AdSlot } = components; window.root = createRoot(document.querySelector('#slot')); window.more = { onImpression: () => calls.push('impression') };
      root.render(createElement(StrictMode, null, createElement(AdSlot, { ...more, endpoint: '/api', messages: [{ role: 'user', content: 'tent?' }], sessionId: 's1' })));`);
    await stage.called('/ack');
    await stage.called('/track/viewable');
    assert.equal(
      await stage.page
        .locator('.sl-ad')
        .evaluate((element) => element.getBoundingClientRect().height <= 150),
      true,
    );
    await stage.inPage('root.unmount();');
    assert.equal(stage.calls.filter((call) => call.path.startsWith('/ack')).length, 1);
    assert.deepEqual(await stage.inPage('return calls;'), ['impression']);
  });

  test('React sends feedback and forms like the plain entry', async () => {
    const leadForm = {
      title: 'Get an offer',
      fields: [{ name: 'phone', label: 'Phone', type: 'phone', required: true }],
    };
    await stage.inPage(
      `createRoot(document.querySelector('#slot')).render(createElement(components.Ad, { ad: given, sessionId: 's1', feedback: '/api', lead: '/api' }));`,
      stage.ad({ leadForm, feedbackPrompt: { question: 'Useful?', reasons: [] } }),
    );
    await stage.page.getByRole('button', { name: 'Helpful', exact: true }).click();
    assert.equal(JSON.parse((await stage.called('/api')).body).sentiment, 'thumbs_up');
    await stage.page.getByRole('button', { name: 'Get an offer' }).click();
    await stage.page.getByLabel('Phone').fill('123');
    await stage.page.getByRole('button', { name: 'Send' }).click();
    assert.deepEqual(JSON.parse((await stage.called('/api', 1)).body).fields, { phone: '123' });
  });

  test('neither rendering has accessibility faults', async () => {
    const full = stage.ad({
      feedbackPrompt: { question: 'Useful?', reasons: ['irrelevant'] },
      leadForm: {
        title: 'Ask',
        fields: [
          { name: 'a', label: 'A', type: 'text' },
          { name: 'b', label: 'B', type: 'select', options: ['x'] },
        ],
      },
    });
    await stage.render(full, `, feedback: '/api', lead: '/api'`);
    await stage.inPage(
      `const other = document.createElement('div'); document.querySelector('main').append(other); createRoot(other).render(createElement(components.Ad, { ad: { ...given, brandName: 'Other' }, sessionId: 's', feedback: '/api', lead: '/api' }));`,
      full,
    );
    for (const button of await stage.page.getByRole('button', { name: 'Ask' }).all())
      await button.click();
    await stage.page.evaluate(readFileSync(axe, 'utf8'));
    const faults = await stage.inPage(
      `const result = await axe.run(document, { rules: { region: { enabled: false } } }); return result.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' '));`,
    );
    assert.deepEqual(faults, []);
  });
});
