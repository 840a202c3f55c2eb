import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repairSpelling } from './spelling.js';
import { TermDictionary } from './term-dictionary.js';

function tableOf(counts: Record<string, number>): {
  dictionary: TermDictionary;
  frequency: (term: number) => number;
} {
  const dictionary = new TermDictionary();
  const byTerm = new Map<number, number>();
  for (const [word, count] of Object.entries(counts)) byTerm.set(dictionary.intern(word), count);
  return { dictionary, frequency: (term) => byTerm.get(term) ?? 0 };
}

test('an unknown word becomes the nearest frequent one', () => {
  const { dictionary, frequency } = tableOf({
    headphones: 200,
    telephones: 3,
    monitor: 50,
    charger: 80,
    charge: 10,
  });
  assert.equal(
    repairSpelling('headpones', dictionary.spellings(), frequency)[0]?.word,
    'headphones',
  );
  assert.equal(repairSpelling('mointor', dictionary.spellings(), frequency)[0]?.word, 'monitor');
  assert.equal(repairSpelling('headpho', dictionary.spellings(), frequency)[0]?.word, 'headphones');
});

test('short words, model numbers and words far from everything are left alone', () => {
  const { dictionary, frequency } = tableOf({ cat: 10, wh1000xm4: 5, monitor: 50 });
  assert.deepEqual(repairSpelling('bat', dictionary.spellings(), frequency), []);
  assert.deepEqual(repairSpelling('wh1000xm5', dictionary.spellings(), frequency), []);
  assert.deepEqual(repairSpelling('zeppelin', dictionary.spellings(), frequency), []);
});
