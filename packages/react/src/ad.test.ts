import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Ad } from './ad.js';
import { AdSlot } from './ad-slot.js';

const ad = {
  adText: 'Light & dry',
  title: '<b>Tents</b>',
  cta: 'See',
  brandName: 'Camp',
  url: 'https://camp.test/',
  impUrl: 'https://t.test/ack?p=1',
  clickUrl: 'https://t.test/track/click?p=1',
  campaignId: 'c',
  placement: 'below_response',
  placement_id: 'below',
  feedbackPrompt: { question: 'Useful?', reasons: [] },
};

test('an ad renders on the server as labelled, escaped markup with marked links', () => {
  const html = renderToStaticMarkup(createElement(Ad, { ad, sessionId: 's' }));
  assert.match(html, /aria-label="Sponsored: Camp"/);
  assert.match(html, /&lt;b&gt;Tents/);
  assert.match(html, /rel="sponsored noopener"/);
  assert.ok(!html.includes('Useful?'), 'feedback is asked only where it can be taken');
  assert.ok(!html.includes('style='));
});

test('the label is the one the network sent and cannot be left out', () => {
  const disclosure = {
    label: 'Anzeige',
    advertiser: 'Camp',
    paid_by: 'Camp Holding',
    why: 'Passt zum Gespräch.',
    presentation: 'separate' as const,
  };
  const html = (labels: object, more: object = { disclosure }) =>
    renderToStaticMarkup(createElement(Ad, { ad: { ...ad, ...more }, labels }));
  assert.match(html({ sponsored: 'Tip' }), /data-sidelight-label="">Anzeige</);
  assert.match(html({ sponsored: ' ' }), /title="Passt zum Gespräch\. Camp Holding"/);
  assert.match(html({ sponsored: '' }, {}), /data-sidelight-label="">Sponsored</);
});

test('an unstyled ad keeps the names of its parts and drops the class', () => {
  const html = renderToStaticMarkup(createElement(Ad, { ad, unstyled: true, feedback: '/api' }));
  assert.ok(!html.includes('class=') && html.includes('data-sl="cta"') && html.includes('Useful?'));
});

test('a link that is not a web link is no link', () => {
  const html = renderToStaticMarkup(
    createElement(Ad, { ad: { ...ad, clickUrl: 'javascript:alert(1)' } }),
  );
  assert.ok(!html.includes('href'));
});

test('a slot renders nothing on the server and never fails', () => {
  assert.equal(
    renderToStaticMarkup(createElement(AdSlot, { endpoint: '/api', messages: [], sessionId: 's' })),
    '',
  );
});
