import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readDisclosure } from '../../platform/catalog-folder/read-disclosure.js';
import { checkWords, disclose, languageOf, wordNames, wordsOf } from './disclosure.js';
import { judgeDisclosure } from './judge-disclosure.js';
import { isLabelSeen, type LabelProof } from './label-proof.js';

const table = readDisclosure();

describe('disclosure', () => {
  it('has every word in a dozen languages, each sentence one sentence', () => {
    assert.ok(table.languages.size >= 12);
    for (const [language, words] of table.languages) {
      assert.deepEqual(checkWords(language, words), []);
      for (const name of wordNames.filter((one) => one.startsWith('why_')))
        assert.match(words[name], /^[^.。]+[.。]$/u, `${language} ${name}`);
    }
    assert.ok(checkWords('de', { label: 'Anzeige' }).includes('de lacks why_conversation'));
    assert.deepEqual(checkWords('deutsch', {}), ['deutsch is no language code']);
  });

  it('finds the first language it has, whatever is sent, and has English otherwise', () => {
    for (const [named, expected] of [
      [['de'], 'de'],
      [['DE-at'], 'de'],
      [['xx', null, 'pl_PL'], 'pl'],
      [['xx-de, sv;q=0.5'], 'sv'],
      [['*'], 'en'],
      [['english'], 'en'],
      [['arm'], 'en'],
      [[{}, 5, undefined], 'en'],
    ] as const)
      assert.equal(languageOf(table, named), expected, JSON.stringify(named));
    fc.assert(
      fc.property(fc.array(fc.anything()), (named) =>
        table.languages.has(languageOf(table, named)),
      ),
    );
  });

  it('names who is advertised and who paid', () => {
    const told = disclose(wordsOf(table, 'nl'), { advertiser: 'A', paidBy: 'B', ground: 'search' });
    assert.deepEqual(
      [told.label, told.advertiser, told.paid_by, told.presentation],
      ['Gesponsord', 'A', 'B', 'separate'],
    );
  });

  it('a label is seen only when every measure of it is enough', () => {
    const good: LabelProof = {
      text: ' Sponsored',
      width: 60,
      height: 18,
      fontSize: 11,
      contrast: 4.6,
      opacity: 1,
      uncovered: 1,
    };
    assert.equal(isLabelSeen(good, table), true);
    for (const name of ['width', 'height', 'fontSize', 'contrast', 'opacity', 'uncovered'] as const)
      fc.assert(
        fc.property(fc.double({ min: 0, max: 0.55, noNaN: true }), (share) =>
          assert.equal(isLabelSeen({ ...good, [name]: share }, table), false),
        ),
        { numRuns: 20 },
      );
  });

  it('judges by what is certain: few impressions prove nothing', () => {
    const judge = (impressions: number, viewable: number, disclosed: number) =>
      judgeDisclosure({ impressions, viewable, disclosed }, 0.5);
    assert.equal(judge(199, 199, 0), 'unknown');
    assert.equal(judge(1000, 800, 780), 'disclosed');
    assert.equal(judge(1000, 800, 20), 'label_hidden');
    assert.equal(judge(1000, 0, 0), 'no_proof');
    assert.equal(judge(250, 120, 55), 'disclosed', 'a little below may be chance');
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(5000), fc.nat(5000), (impressions, viewable, more) => {
        const shown = judge(impressions, viewable, Math.min(viewable, more));
        // More labels never make it worse.
        if (shown === 'disclosed')
          assert.equal(judge(impressions, viewable, viewable), 'disclosed');
      }),
    );
  });
});
