import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { landingPage, landingPages } from '../../../test/support/page-server.js';
import { readPageFacts } from '../../platform/outbound/read-page.js';
import { findUnsupportedClaims } from './claims.js';
import { isBalanced, wordsKey } from './clean-text.js';
import { type AdBrief, adLimits, composeAds, type ComposedAd } from './compose-ads.js';
import type { PageFacts } from './page-facts.js';

const pages = landingPages.map((name) =>
  readPageFacts(landingPage(name), `https://${name}.example/`),
);

/** Every rule an ad must keep, whoever wrote the brief. */
function assertSound(ads: readonly ComposedAd[], brief: AdBrief, page: PageFacts | null): void {
  for (const { headline, copy, cta } of ads) {
    const shown = JSON.stringify({ headline, copy, cta, brief });
    assert.ok(headline.length > 0 && headline.length <= adLimits.headline, shown);
    assert.ok(copy.length > 0 && copy.length <= adLimits.copy, shown);
    assert.ok(cta.length > 0 && cta.length <= adLimits.cta, shown);
    for (const text of [headline, copy, cta]) {
      assert.ok(!/\s\s|^\s|\s$|[\n\r\t\0]|[!?.]{2}|\s[,.!?]|[<>]/.test(text), shown);
      assert.ok(isBalanced(text) && text.isWellFormed(), shown);
      const [initial = ''] = text;
      assert.ok(
        initial === initial.toUpperCase() || text.startsWith(brief.brand.trim().slice(0, 3)),
        shown,
      );
    }
    assert.match(copy, /[.!?]["’)]?$/, shown);
    const sources = [
      brief.brand,
      brief.host,
      brief.context,
      brief.prompt,
      page?.text ?? '',
      ...(page?.headings ?? []),
      page?.product?.name ?? '',
    ];
    assert.deepEqual(findUnsupportedClaims(`${headline} ${copy}`, sources), [], shown);
  }
  assert.equal(
    new Set(ads.map((ad) => wordsKey(ad.headline))).size,
    ads.length,
    JSON.stringify(ads),
  );
}

const phrase = fc.oneof(
  fc.constantFrom(
    'running shoes',
    'CRM',
    'People planning a trip to Japan who need travel insurance',
    'Developers asking about hosting a database, backups or scaling',
    'crm, invoicing, payroll',
    'learning Spanish',
    'USERS WHO WANT TO SAVE MONEY ON THEIR MORTGAGE',
    'conversations about sourdough',
    'best 10 laptops under $500',
    'hammock',
    '',
    'how to fix a leaking tap',
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.lorem({ maxCount: 12 }),
);
const wishes = fc.oneof(
  fc.constantFrom(
    'Highlight free shipping and 30-day returns. Friendly tone.',
    'Mention that we ship worldwide',
    'Emphasize how easy it is to set up',
    'Warm and inviting.',
    'Acme makes light shoes for long runs. Never use emojis.',
    'CTA: "Book a demo"',
    '- our 24/7 support\n- no contract',
    'Write 3 ads about our new espresso machine',
    '',
  ),
  phrase,
);
const brand = fc.oneof(
  fc.constantFrom(
    'Acme',
    'shop.example',
    'monday.com',
    'The Very Long Company Name of Several Words and Partners Limited',
  ),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 100 })
    .filter((text) => /^[\p{Lu}\p{N}]/u.test(text)),
);
const briefs = fc.record({ brand, host: fc.domain(), context: phrase, prompt: wishes });

describe('composed ads', () => {
  it('keep every limit, are sentences, differ and claim nothing, whatever the brief', () => {
    fc.assert(
      fc.property(
        briefs,
        fc.option(fc.constantFrom(...pages)),
        fc.integer({ min: 1, max: 5 }),
        (brief, page, count) => {
          const ads = composeAds(brief, page, { count });
          assert.equal(ads.length, count);
          assertSound(ads, brief, page);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are the same for the same brief', () => {
    fc.assert(
      fc.property(briefs, (brief) =>
        assert.deepEqual(
          composeAds(brief, null, { count: 4 }),
          composeAds(brief, null, { count: 4 }),
        ),
      ),
      { numRuns: 50 },
    );
  });

  it('never repeat an ad there was, and lean towards those that did well', () => {
    const brief = {
      brand: 'Wayfarer Mutual',
      host: 'wayfarer.example',
      context: 'travel insurance',
      prompt: '',
    };
    const page = pages[2] ?? null;
    const first = composeAds(brief, page, { count: 5 });
    const [winner] = first.filter((ad) => ad.way.startsWith('question/'));
    assert.ok(winner !== undefined);
    const next = composeAds(brief, page, { count: 2, known: first, winners: [winner] });
    assert.equal(next.length, 2);
    for (const ad of next)
      assert.ok(!first.some((other) => other.headline === ad.headline && other.copy === ad.copy));
    assert.ok(next.some((ad) => ad.copy === winner.copy || ad.way.startsWith('question/')));
  });

  it('speak to the people meant', () => {
    const headlines = (context: string): string[] =>
      composeAds({ brand: 'Acme', host: 'acme.example', context, prompt: '' }, null, {
        count: 4,
      }).map((ad) => ad.headline);
    assert.ok(headlines('Runners looking for trail shoes').includes('Looking for trail shoes?'));
    assert.ok(
      headlines('People planning a trip to Japan who need travel insurance').includes(
        'Planning a trip to Japan?',
      ),
    );
    assert.ok(
      headlines('small teams that want to automate their invoices').includes(
        'Want to automate your invoices?',
      ),
    );
    assert.ok(
      headlines('project management tool').includes('Looking for a project management tool?'),
    );
    assert.ok(headlines('crm, invoicing').includes('Looking for a CRM?'));
    assert.ok(headlines('learning Spanish').includes('Learning Spanish?'));
  });

  it('of a brief that says little still speak of those it is for and what it names', () => {
    const ads = composeAds(
      {
        brand: 'Ledgerly',
        host: 'ledgerly.example',
        context: 'Freelancers who dread tax season',
        prompt: 'Calm tone, mention free filing. 30-day trial.',
      },
      null,
      { count: 3 },
    );
    const headlines = ads.map((ad) => ad.headline);
    assert.ok(headlines.includes('For freelancers who dread tax season'), headlines.join());
    assert.ok(headlines.includes('Free filing') && headlines.includes('30-day trial'));
    const [team] = composeAds(
      {
        brand: 'Northbeam',
        host: 'northbeam.example',
        context: 'Small teams that outgrew spreadsheets',
        prompt: '',
      },
      null,
      { count: 1 },
    );
    assert.equal(team?.headline, 'For small teams that outgrew spreadsheets');
  });

  it('say what the prompt asks to be said, not how to say it', () => {
    const ads = composeAds(
      {
        brand: 'Acme',
        host: 'acme.example',
        context: 'running shoes',
        prompt:
          'Highlight free shipping and 30-day returns. Friendly tone, no emojis. CTA: "Find your pair"',
      },
      null,
      { count: 4 },
    );
    const all = JSON.stringify(ads);
    assert.match(all, /free shipping and 30-day returns/i);
    assert.doesNotMatch(all, /friendly|emoji|tone/i);
    assert.ok(ads.every((ad) => ad.cta === 'Find your pair'));
  });

  it('of a page in another language are in that language', () => {
    const page = pages[4] ?? null;
    const ads = composeAds(
      { brand: 'Radhof Nord', host: 'radhof.example', context: 'bicycle repair', prompt: '' },
      page,
      { count: 5 },
    );
    assert.equal(ads.length, 5);
    assert.doesNotMatch(JSON.stringify(ads), /\b(?:the|looking|see|visit|learn)\b/i);
  });

  it('of a German brief are German throughout, and bend no word', () => {
    const brief = {
      brand: 'Weitweg',
      host: 'weitweg.example',
      context: 'Menschen, die eine Reiseversicherung suchen, Auslandskrankenversicherung',
      prompt: 'Erwähne kostenlose Stornierung. Freundlicher Ton, keine Emojis.',
    };
    const ads = composeAds(brief, null, { count: 6 });
    const all = JSON.stringify(ads);
    assert.equal(ads.length, 6);
    assert.match(all, /Reiseversicherung gesucht\?/);
    assert.match(all, /Kostenlose Stornierung/);
    assert.match(all, /Mehr erfahren|Jetzt ansehen/);
    assert.doesNotMatch(all, /\b(?:the|looking|see|visit|learn|more|find)\b/i);
    assert.doesNotMatch(all, /Menschen|\bTon\b|Emojis|\{(?:brand|topic|host|point)/);
    assert.ok(ads.every((ad) => ad.headline.split(/\W/)[0] !== ad.copy.split(/\W/)[0]));
    // A page in another language lends nothing.
    const [page = null] = pages;
    const beside = JSON.stringify(composeAds(brief, page, { count: 4 }));
    assert.doesNotMatch(beside, /\b(?:the|looking|see|visit|learn|more|find)\b/i);
  });

  it('write no capital in the middle that only began the brief', () => {
    const headlines = (context: string): string[] =>
      composeAds({ brand: 'Acme', host: 'acme.example', context, prompt: '' }, null, {
        count: 4,
      }).map((ad) => ad.headline);
    assert.ok(headlines('Travel insurance').includes('Looking for travel insurance?'));
    assert.ok(headlines('New running shoes').includes('Looking for new running shoes?'));
    assert.ok(headlines('Spanish lessons').includes('Looking for Spanish lessons?'));
    assert.ok(headlines('Iceland trips').includes('Looking for Iceland trips?'));
  });
});
