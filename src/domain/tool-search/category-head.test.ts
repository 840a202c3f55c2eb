import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { categoryFeatures, createCategoryHead } from './category-head.js';
import { toolCategories } from './tool.js';

const place = (name: string): number => toolCategories.findIndex((each) => each === name);
const head = createCategoryHead({
  model: 'test',
  categories: ['Email', 'SMS'],
  bias: [0, 0],
  meaning: [
    [300, -300],
    [0, 0],
  ],
  words: { text: [1, 400], 'to mail': [0, 200] },
});

describe('the category a need asks for', () => {
  it('is told by words and meaning together, in shares that add up to 1', () => {
    const byMeaning = head.sharesOf('something', new Float32Array([1, 0]));
    const byWords = head.sharesOf('text them', new Float32Array([0, 1]));
    assert.ok((byMeaning[place('Email')] ?? 0) > (byMeaning[place('SMS')] ?? 0));
    assert.ok((byWords[place('SMS')] ?? 0) > (byWords[place('Email')] ?? 0));
    for (const shares of [byMeaning, byWords])
      assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
  });

  it('is told by words and pairs of words, not by the stack nor by what is said twice', () => {
    assert.deepEqual(categoryFeatures('mails mails'), ['mail', 'mail mail']);
    assert.deepEqual(categoryFeatures('send 20 texts in Next.js'), [
      'send',
      '#',
      'text',
      'in',
      'send #',
      '# text',
      'text in',
    ]);
  });
});
