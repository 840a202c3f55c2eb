import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readStack, readStackNames } from './read-stack.js';
import { readWishes } from './read-wishes.js';

test('what is asked of any tool is read, and taken back when refused', () => {
  for (const [text, wanted] of [
    ['self-hosted', { selfHosted: true }],
    ['we want to run it on our own servers', { selfHosted: true }],
    ['object storage in our own data centre', { selfHosted: true }],
    ['a CRM on our own Linux box', { selfHosted: true }],
    ['a help desk we install ourselves', { selfHosted: true }],
    ['I’ll run it on a Raspberry Pi', { selfHosted: true }],
    ['a vector store inside our VPC', { selfHosted: true }],
    ['we cannot use any cloud', { selfHosted: true }],
    ['no company behind it', { selfHosted: true }],
    ['mail with no provider in between', { selfHosted: true }],
    ['we run on a VPS and need mail', {}],
    ['we deploy on Kubernetes and need alerts', {}],
    ['a form on our own website', {}],
    ['back up files to any cloud', {}],
    ['not self-hosted please', { selfHosted: false, managed: true }],
    ['I don’t want to run any servers', { managed: true }],
    ['managed Postgres', { managed: true }],
    ['hosted instead', { managed: true }],
    ['self-hosted instead', { selfHosted: true }],
    ['open source', { openSource: true }],
    ['license: OSI-approved only', { openSource: true }],
    ['it does not have to be open source', { openSource: false }],
    ['CI for my open source project', {}],
    ['with a free tier', { freeTier: true }],
    ['put a site online for nothing', { freeTier: true }],
    ['no credit card', { freeTier: true }],
    ["don't need a free tier", { freeTier: false }],
    ['a free text field', {}],
    ['call toll free numbers', {}],
    ['royalty-free images', {}],
    ['bucket without paying for downloads', {}],
    ['open source and self-hosted', { openSource: true, selfHosted: true }],
  ] as const)
    assert.deepEqual(readWishes(text).wanted, wanted, text);
});

test('regions are where data is, not whom one speaks to', () => {
  for (const [text, region] of [
    ['something with EU hosting', 'eu'],
    ['data must stay in Germany', 'eu'],
    ['hosted in the EU', 'eu'],
    ['EU', 'eu'],
    ['European alternative to Mailchimp', 'eu'],
    ['fine, but EU', 'eu'],
    ['hosted in the US', 'us'],
    ['servers in Singapore', 'apac'],
    ['let us send mail', null],
    ['host a party with us', null],
    ['customers in Germany pay by card', null],
  ] as const)
    assert.equal(readWishes(text).region, region, text);
});

test('cheap is a leaning, cheaper a comparison', () => {
  assert.deepEqual([readWishes('cheap SMS').cheap, readWishes('cheap SMS').cheaper], [true, false]);
  for (const text of [
    'cheaper',
    'too expensive',
    'something less expensive',
    'that is way too pricey',
  ])
    assert.equal(readWishes(text).cheaper, true, text);
});

test('languages and frameworks are told from plain words', () => {
  for (const [text, found] of [
    ['for Python', ['python']],
    ['a Go service', ['go']],
    ['go live tomorrow', []],
    ['written in Go', ['go']],
    ['jobs in Go backed by Redis', ['go']],
    ['Next.js and TypeScript', ['nextjs', 'javascript']],
    ['React Native app', ['react-native']],
    ['react to events', []],
    ['Ruby on Rails', ['rails']],
    ['JavaScript', ['javascript']],
    ['Java', ['java']],
    ['C# and .NET', ['dotnet', 'csharp']],
    ['an Express server', ['express']],
    ['express checkout', []],
    ['Spring Boot', ['spring']],
    ['iOS and Android', ['ios', 'android']],
    ['SwiftUI', ['swift']],
    ['a swift answer', []],
  ] as const)
    assert.deepEqual([...readStack(text).frameworks, ...readStack(text).languages], found, text);
  assert.deepEqual(readStackNames('Go'), { languages: ['go'], frameworks: [] });
  assert.deepEqual(readStackNames('next 15'), { languages: [], frameworks: ['nextjs'] });
  assert.deepEqual(readStackNames('TypeScript 5.4').languages, ['javascript']);
});

test('a maker from a place is told from one that must not be from there', () => {
  for (const [text, maker, region] of [
    ['a European vendor for passkeys', { region: 'eu', isRefused: false }, 'eu'],
    ['error tracking, no US vendors', { region: 'us', isRefused: true }, null],
    ['not from an American company', { region: 'us', isRefused: true }, null],
    ['from an American company', { region: 'us', isRefused: false }, 'us'],
    ['let us vendor it', null, null],
  ] as const) {
    const wishes = readWishes(text);
    assert.deepEqual([wishes.maker, wishes.region], [maker, region], text);
  }
});

test('any text can be read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const { rest } = readWishes(text);
      assert.ok(rest.length <= text.length + 1);
      readStack(text);
    }),
  );
});
