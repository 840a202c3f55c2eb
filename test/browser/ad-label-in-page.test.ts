import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { isLabelSeen, type LabelProof } from '../../src/domain/disclosure/label-proof.js';
import { readDisclosure } from '../../src/platform/catalog-folder/read-disclosure.js';
import { browserMissing } from '../support/browser.js';
import { AdPage, disclosure } from '../support/ad-page.js';

describe(
  'the label of an ad in a page, and what people decide there',
  { skip: browserMissing() ?? false, timeout: 1_200_000 },
  () => {
    const stage = new AdPage();
    before(() => stage.open());
    after(() => stage.close());
    beforeEach(() => stage.visit());

    /** The last proof sent while the page is as `code` made it. */
    async function proofWith(code: string, options = ''): Promise<Record<string, number | string>> {
      await stage.render(stage.ad({ disclosure }), options);
      await stage.inPage(code);
      return JSON.parse((await stage.called('/track/viewable')).body).label;
    }
    /** Of one ad among several. */
    async function proofOf(token: string): Promise<Record<string, number | string>> {
      for (let nth = 0; ; nth += 1) {
        const { p, label } = JSON.parse((await stage.called('/track/viewable', nth)).body);
        if (p === token) return label;
      }
    }
    const isReadable = (proof: Record<string, number | string>): boolean =>
      isLabelSeen(proof as unknown as LabelProof, readDisclosure()); // as the server reads it

    test('the label is in the person’s language, and its proof says that it could be read', async () => {
      const proof = await proofWith('');
      assert.equal(proof['text'], 'Anzeige');
      assert.equal(isReadable(proof), true, JSON.stringify(proof));
      assert.match(
        (await stage.page.locator('#slot [data-sidelight-label]').getAttribute('title')) ?? '',
        /Wird gezeigt, weil es passt\. Camp Holding/,
      );
    });

    test('no option takes the label away', async () => {
      const proof = await proofWith(
        '',
        `, labels: { sponsored: ' ' }, styles: '.label,[data-sidelight-label]{display:none!important;opacity:0;font-size:1px}'`,
      );
      assert.equal(isReadable(proof), true, JSON.stringify(proof));
      await stage.inPage(
        `document.querySelector('#slot').replaceChildren(); createRoot(document.querySelector('#slot')).render(createElement(components.Ad, { ad: given, labels: { sponsored: '' }, unstyled: true }));
      const sheet = new CSSStyleSheet(); sheet.replaceSync('[data-sl=label]{display:none!important;opacity:0!important}'); document.adoptedStyleSheets = [sheet];`,
        stage.ad({ disclosure, impUrl: `${stage.tracking}/ack?p=react` }),
      );
      const seen = JSON.parse((await stage.called('/track/viewable', 1)).body);
      assert.equal(seen.p, 'react');
      assert.equal(isReadable(seen.label), true, JSON.stringify(seen));
    });

    /** Ways to show an ad without its label; `slot` holds one ad, `label` is what says so. */
    const hidings: Readonly<Record<string, string>> = {
      covered: `cover('');`,
      'covered by what the pointer goes through': `cover('pointer-events:none');`,
      transparent: `slot.style.opacity = '0.05';`,
      'the colour of the page': `slot.style.color = '#fefefe';`,
      tiny: `slot.style.cssText = 'transform:scale(0.2);transform-origin:0 0';`,
      'cut away': `slot.style.cssText = 'clip-path:inset(45px 0 0 0)';`,
      'not displayed': `label.style.setProperty('display', 'none', 'important');`,
      invisible: `label.style.setProperty('visibility', 'hidden', 'important');`,
      'in a tiny font': `label.style.setProperty('font-size', '2px', 'important');`,
      'out of the window': `label.style.setProperty('position', 'fixed', 'important'); label.style.left = '-9999px';`,
      'painted in no colour': `label.style.webkitTextFillColor = 'transparent';`,
      emptied: `label.textContent = '';`,
      'called something else': `label.textContent = 'Our tip';`,
      'filtered away': `slot.style.filter = 'opacity(0.01)';`,
      blurred: `slot.style.filter = 'blur(9px)';`,
      masked: `slot.style.maskImage = 'linear-gradient(transparent, transparent)';`,
    };
    test('a label nobody can read is no disclosed impression, however it was hidden', async () => {
      const ways = Object.keys(hidings);
      await stage.page.setViewportSize({ width: 900, height: 200 * (ways.length + 2) });
      const hide = Object.values(hidings)
        .map((code) => `(slot, label, cover) => { ${code} }`)
        .join(',');
      await stage.inPage(
        `const hidings = [() => undefined, ${hide}];
      for (const [n, ad] of given.entries()) {
        const slot = document.querySelector('#slot').appendChild(document.createElement('div'));
        slot.style.cssText = 'position:relative;height:180px;overflow:hidden';
        const inner = slot.appendChild(document.createElement('div'));
        const label = browser.renderAd(inner, ad).element.shadowRoot.querySelector('[data-sidelight-label]');
        const cover = (style) => {
          const lid = slot.appendChild(document.createElement('div'));
          lid.style.cssText = 'position:absolute;inset:0 0 auto 0;height:60px;background:#fff;' + style;
        };
        hidings[n](inner, label, cover);
      }`,
        ['plain', ...ways].map((_, n) =>
          stage.ad({ disclosure, impUrl: `${stage.tracking}/ack?p=way${n}` }),
        ),
      );
      for (const [n, how] of ['plain', ...ways].entries()) {
        const proof = await proofOf(`way${n}`);
        assert.equal(isReadable(proof), how === 'plain', `${how}: ${JSON.stringify(proof)}`);
      }
    });

    test('a label that is pushed out of view is no disclosed impression', async () => {
      const proof = await proofWith(
        `document.querySelector('#slot').style.cssText = 'position:absolute;top:-60px';`,
      );
      assert.equal(isReadable(proof), false, JSON.stringify(proof));
    });

    test('a label that comes into view later is told of then', async () => {
      await proofWith(
        `const cover = document.createElement('div'); cover.id = 'cover'; cover.style.cssText = 'position:fixed;inset:0 0 auto 0;height:300px;background:#fff'; document.body.append(cover);`,
      );
      await stage.inPage(`document.querySelector('#cover').remove();`);
      assert.equal(
        isReadable(JSON.parse((await stage.called('/track/viewable', 1)).body).label),
        true,
      );
    });

    const choices = {
      language: 'de',
      scope: 'user',
      choices: [
        { action: 'hide_ad', label: 'Diese Anzeige ausblenden', made: false },
        { action: 'no_personalisation', label: 'Keine personalisierten Anzeigen', made: false },
      ],
      kept: [],
      words: { saved: 'Gespeichert.' },
    };
    for (const [how, show] of [
      [
        'the plain entry',
        `browser.renderAd(document.querySelector('#slot'), given, { onChoice: (_ad, action) => calls.push(action) });`,
      ],
      [
        'React',
        `createRoot(document.querySelector('#slot')).render(createElement(components.Ad, { ad: given, onChoice: (_ad, action) => calls.push(action) }));`,
      ],
    ] as const)
      test(`${how} tells why, takes what the person decides to the network, and is no click`, async () => {
        await stage.page.route('**/ad-choices/**', (route) => {
          const { pathname, search } = new URL(route.request().url());
          const cookie = route.request().headers()['cookie'];
          stage.calls.push({
            method: route.request().method(),
            path: pathname + search,
            body: '',
            cookie,
          });
          return route.fulfill({ json: choices, headers: { 'access-control-allow-origin': '*' } });
        });
        await stage.inPage(
          show,
          stage.ad({ disclosure, choicesUrl: `${stage.tracking}/ad-choices/tok?l=de` }),
        );
        await stage.page.getByRole('button', { name: 'About this ad' }).click();
        await stage.page.getByText('Wird gezeigt, weil es passt. Paid by Camp Holding.').waitFor();
        await stage.page.getByRole('button', { name: 'Diese Anzeige ausblenden' }).click();
        await stage.page.getByText('Gespeichert.').waitFor();
        const made = stage.calls.filter((call) => call.path.startsWith('/ad-choices/'));
        assert.deepEqual(
          made.map(({ method, path, cookie }) => [method, path, cookie]),
          [
            ['GET', '/ad-choices/tok?l=de', undefined],
            ['POST', '/ad-choices/tok?l=de&action=hide_ad', undefined],
          ],
        );
        const told = (await stage.inPage('return calls;')) as string[]; // the array made by the page script
        assert.ok(told.includes('hide_ad') && !told.includes('click'));
        const kept = stage.page.getByRole('link', { name: 'See and delete what is kept about me' });
        assert.equal(await kept.getAttribute('href'), `${stage.tracking}/ad-choices/tok?l=de`);
      });
  },
);
