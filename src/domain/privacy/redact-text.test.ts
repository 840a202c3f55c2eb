import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { redactJson, redactText } from './redact-text.js';

describe('redacting a text', () => {
  it('takes out what tells who somebody is', () => {
    for (const [text, expected] of [
      ['mail ada.l+x@example.co.uk, please', 'mail [email], please'],
      ['write to <ada@example.com>', 'write to <[email]>'],
      ['ada%40example.com', '[email]'],
      ['call +49 (30) 1234-5678 now', 'call [phone] now'],
      ['my number is 030 12345678.', 'my number is [phone].'],
      ['06 12 34 56 78', '[phone]'],
      ['(555) 010-4477', '[phone]'],
      ['card 4111 1111 1111 1111 exp 12/29', 'card [card] exp 12/29'],
      ['4111111111111111', '[card]'],
      ['pay DE89 3704 0044 0532 0130 00 today', 'pay [iban] today'],
      ['GB29NWBK60161331926819', '[iban]'],
      ['from 203.0.113.7 or 2001:db8::1', 'from [ip] or [ip]'],
      ['customer 123456789012', 'customer [number]'],
      ['https://ada:secret@host.example/x', 'https://host.example/x'],
      [
        'https://x.example/users/ada-lovelace/orders?id=7',
        'https://x.example/users/[name]/orders?id=7',
      ],
      ['see https://x.example/@ada?email=ada@example.com', 'see https://x.example/[name]?email='],
    ] as const)
      assert.equal(redactText(text), expected);
  });

  it('leaves what people look for', () => {
    for (const text of [
      'running shoes under 1500 dollars, size 42 or 43',
      'rtx 4090 vs 7900 xtx',
      'a flight on 2026-11-16 at 12:30',
      'sizes 38 39 40 41 42',
      'iphone 15 pro max 256gb',
      'https://docs.example/v2/start?lang=en',
      'postgres 16.4 on port 5432',
      'price 1.234.567,89',
    ])
      assert.equal(redactText(text), text);
  });

  it('leaves no e-mail address, wherever it stands', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const out = redactText(`${before} ada.lovelace@example.com ${after}`);
        assert.ok(!out.includes('ada.lovelace'));
      }),
    );
  });

  it('looks at long texts in the time their length takes', () => {
    // None of these may take minutes; a square would.
    for (const unit of ['1 ', '@', 'a@', '+1-', 'DE89 ', '1.', '(', 'https://a@', ':', '%40', '0'])
      redactText(unit.repeat(200_000 / unit.length));
  });

  it('goes through objects', () => {
    assert.deepEqual(
      redactJson({ a: ['x@y.example', 3, null, true], 'x@y.example': { n: 4111111111111111 } }),
      { a: ['[email]', 3, null, true], '[email]': { n: null } },
    );
  });
});
