import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { readTools } from '../../platform/catalog-folder/read-tools.js';
import { createMentionFinder, type FindMentions } from './find-mentions.js';

describe('tools named in a text', () => {
  let find: FindMentions;
  before(async () => {
    find = createMentionFinder(await readTools());
  });
  const read = (text: string): string =>
    find(text)
      .map(({ slug, role }) => `${slug}:${role}`)
      .join(' ');

  it('are found with what is said about them', () => {
    for (const [text, mentions] of [
      ['alternative to Google Analytics', 'google-analytics:like'],
      ['Heroku-like platform', 'heroku:like'],
      ['moving away from Auth0', 'auth0:like'],
      ['cheaper than Auth0', 'auth0:like'],
      ['not Resend', 'resend:unwanted'],
      ['anything but Twilio', 'twilio:unwanted'],
      ['anything except Sentry or Datadog', 'sentry:unwanted datadog:unwanted'],
      ['neither Auth0, Clerk nor Kinde', 'auth0:unwanted clerk:unwanted kinde:unwanted'],
      ['moving off Pusher and Ably', 'pusher:like ably:like'],
      ['neither Magento nor WooCommerce', 'adobe-commerce:unwanted woocommerce:unwanted'],
      ['instead of OpenAI', 'openai:like'],
      ['instead of Azure OpenAI', 'azure-openai:like'],
      ['replacement for AWS S3', 'amazon-s3:like'],
      ['what about postmark?', 'postmark:wanted'],
      ['go back to resend', 'resend:wanted'],
      ['set up Stripe', 'stripe:wanted'],
      ['send email from Vercel', 'vercel:beside'],
      ['try Stripe callbacks against localhost', 'stripe:beside'],
      ['post to Slack and Notion', 'slack:beside notion:beside'],
      ['not Auth.js (NextAuth), please', 'authjs:unwanted'],
      ['set up Auth.js (NextAuth)', 'authjs:wanted'],
    ] as const)
      assert.equal(read(text), mentions, text);
  });

  it('plain words are names only where they can be nothing else', () => {
    for (const text of [
      'render markdown on the server',
      'close deals',
      'Front-end',
      'a plain text mail',
      'Make it self-hosted',
      'find the front door',
      'video',
      'checkout',
    ])
      assert.equal(read(text), '', text);
    assert.equal(read('deploy to Render'), 'render:beside');
    for (const name of ['Linear', 'Make', 'webhook.site'])
      assert.equal(read(name), `${name.toLowerCase().replace('.', '-')}:beside`);
    assert.equal(read('set up Plain'), 'plain:wanted');
  });

  it('a maker’s tools are told by the address of their pages', () => {
    assert.ok(find.ofMaker('Google').includes('firebase'));
    assert.ok(find.ofMaker('AWS').includes('amazon-ses'));
    assert.ok(!find.ofMaker('google').includes('supabase'));
    assert.deepEqual(find.ofMaker('nobody'), []);
  });
});
