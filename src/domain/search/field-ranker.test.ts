import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zone } from './scored.js';
import { createFieldRanker } from './field-ranker.js';

const fields = {
  name: { weight: 4, lengthNorm: 0.2, usualLength: 2, zone: zone.name },
  needs: { weight: 2, lengthNorm: 0.3, usualLength: 60, zone: zone.facts },
  description: { weight: 1, lengthNorm: 0.6, usualLength: 30, zone: zone.text },
};

function tools() {
  const ranker = createFieldRanker(fields);
  ranker.upsert('mailer', {
    name: 'Mailer',
    needs: ['send password reset emails', 'deliver receipts by email'],
    description: 'Transactional email over an API.',
  });
  ranker.upsert('queue', {
    name: 'Queue',
    needs: ['run background jobs', 'retry failed tasks'],
    description: 'Jobs in Postgres.',
  });
  ranker.upsert('store', {
    name: 'Store',
    needs: ['upload files', 'keep images of users'],
    description: 'Object storage, S3-compatible.',
  });
  return ranker;
}

test('the entry whose example needs say it comes first', () => {
  assert.equal(
    tools().rank('I want to send emails when users reset their password', 3)[0]?.id,
    'mailer',
  );
  assert.equal(tools().rank('s3 compatible bucket for images', 3)[0]?.id, 'store');
});

test('an entry tells which words it covers', () => {
  const [best] = tools().rank('retry background jobs on mars', 3);
  assert.deepEqual([best?.id, best?.words], ['queue', ['retry', 'background', 'jobs']]);
  assert.ok(best !== undefined && best.coverage > 0.4 && best.coverage < 1);
});

test('a misspelt word is repaired, an unknown need finds nothing', () => {
  assert.equal(tools().rank('pasword reset', 1)[0]?.id, 'mailer');
  assert.deepEqual(tools().rank('knit a sweater', 3), []);
});

test('replaced, removed and disallowed entries are not found', () => {
  const ranker = tools();
  ranker.upsert('queue', { name: 'Queue', needs: ['stream events'] });
  ranker.remove('store');
  assert.deepEqual(ranker.rank('background jobs', 3), []);
  assert.deepEqual(ranker.rank('upload files', 3), []);
  assert.deepEqual(
    ranker.rank('send emails', 3, (id) => id !== 'mailer'),
    [],
  );
  assert.equal(ranker.size, 2);
});
