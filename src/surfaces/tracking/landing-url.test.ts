import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { utmRecord } from '../../domain/utm-params.js';
import { landingUrl } from './landing-url.js';

const at = (url: string, utmParams: Record<string, string> = {}): string =>
  landingUrl({ url, utmParams }, 'ID');

describe('landing URL', () => {
  it('keeps what the page says and adds the rest', () => {
    assert.equal(at('https://a.example'), 'https://a.example/?grclid=ID');
    assert.equal(
      at('https://a.example/x?flag&b=%20#f', { utm_source: 's' }),
      'https://a.example/x?flag&b=%20&utm_source=s&grclid=ID#f',
    );
    assert.equal(
      at('https://a.example/?utm_source=own', { utm_source: 's', utm_medium: 'a&b=c' }),
      'https://a.example/?utm_source=own&utm_medium=a%26b%3Dc&grclid=ID',
    );
    assert.equal(
      at('https://a.example/?grclid=old&x=1', { grclid: 'mine' }),
      'https://a.example/?x=1&grclid=ID',
    );
  });

  it('has one click id and every other parameter of the page, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        fc.dictionary(fc.stringMatching(/^utm_[a-z]{1,8}$/), fc.string()),
        (url, utm) => {
          const page = new URL(url);
          const result = new URL(landingUrl({ url, utmParams: utm }, 'ID'));
          assert.equal(
            result.origin + result.pathname + result.hash,
            page.origin + page.pathname + page.hash,
          );
          assert.deepEqual(result.searchParams.getAll('grclid'), ['ID']);
          for (const name of page.searchParams.keys())
            if (name !== 'grclid' && name !== '')
              assert.deepEqual(result.searchParams.getAll(name), page.searchParams.getAll(name));
          for (const [name, value] of Object.entries(utm))
            if (!page.searchParams.has(name))
              assert.equal(result.searchParams.get(name), value.toWellFormed());
        },
      ),
    );
  });

  it('reads parameters stored either way', () => {
    assert.deepEqual(utmRecord({ a: 'x', b: 5, c: null }), { a: 'x', b: '5' });
    assert.deepEqual(utmRecord([{ key: 'a', value: 'x' }, { key: '', value: 'y' }, {}]), {
      a: 'x',
    });
    for (const nothing of [null, undefined, 'x', 5]) assert.deepEqual(utmRecord(nothing), {});
  });
});
