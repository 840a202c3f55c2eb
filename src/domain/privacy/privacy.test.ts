import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Agreement,
  bothAllow,
  decisionTable,
  deniedBy,
  everything,
  matrixPage,
  nothingPersonal,
  permissionsFor,
  type Purpose,
  purposes,
  signals,
  type Told,
} from './decision-table.js';
import { readSignals, type SaidSignals } from './read-signals.js';
import { hasSaneSections, hasSaneVendors, vendorsAt } from './string-shape.js';
import { type ReadConsent, type ReadSection, weighSignals } from './weigh-signals.js';

const rows = signals.filter((signal) => signal !== 'consent_asked');
const agreement: fc.Arbitrary<Agreement> = fc.oneof(
  fc.uniqueArray(fc.integer({ min: 1, max: 11 })).map((list) => ({ tcf: new Set(list) })),
  fc.subarray([...purposes]).map((list) => ({ purposes: new Set<Purpose>(list) })),
);
const told: fc.Arbitrary<Told> = fc.record({
  agreements: fc.array(agreement, { maxLength: 3 }),
  signals: fc.subarray([...rows]).map((list) => new Set(list)),
  refused: fc.subarray([...purposes]).map((list) => new Set<Purpose>(list)),
});

describe('the table of purposes', () => {
  it('is the one docs/privacy.md shows', () => {
    const page = readFileSync(new URL('../../../../docs/privacy.md', import.meta.url), 'utf8');
    // Written with padding by the formatter.
    const bare = (text: string): string => text.replace(/ {2,}/g, ' ').replace(/-{3,}/g, '---');
    assert.ok(bare(page).includes(bare(matrixPage())), 'node scripts/write-docs.mjs writes it');
  });

  it('allows everything where nothing is said, and context whatever is said', () => {
    assert.deepEqual(
      permissionsFor({ agreements: [], signals: new Set(), refused: new Set() }),
      everything,
    );
    fc.assert(fc.property(told, (said) => permissionsFor(said).context));
  });

  it('never allows more when more is said', () => {
    fc.assert(
      fc.property(told, told, (one, other) => {
        const both = permissionsFor({
          agreements: [...one.agreements, ...other.agreements],
          signals: new Set([...one.signals, ...other.signals]),
          refused: new Set([...one.refused, ...other.refused]),
        });
        assert.deepEqual(both, bothAllow(permissionsFor(one), permissionsFor(other)));
      }),
    );
  });

  it('gives each row what its cells say', () => {
    for (const signal of rows)
      for (const purpose of purposes)
        assert.equal(
          permissionsFor({ agreements: [], signals: new Set([signal]), refused: new Set() })[
            purpose
          ],
          decisionTable[signal][purpose],
          `${signal} ${purpose}`,
        );
    for (const purpose of purposes) {
      const needed = decisionTable.consent_asked[purpose];
      if (typeof needed === 'boolean') continue;
      const agreed = (list: readonly number[]): boolean =>
        permissionsFor({
          agreements: [{ tcf: new Set(list) }],
          signals: new Set(),
          refused: new Set(),
        })[purpose];
      assert.equal(agreed(needed), true);
      for (const one of needed) assert.equal(agreed(needed.filter((n) => n !== one)), false);
    }
  });
});

const now = Date.UTC(2026, 10, 16);
const agreedTo = (...list: number[]): ReadConsent => ({
  purposes: list,
  version: 2,
  updatedAt: now - 86_400_000,
  isServiceSpecific: true,
});
const say = (regs: unknown, more: Partial<Parameters<typeof readSignals>[0]> = {}) =>
  readSignals({ places: [regs], ...more });
const weigh = (
  said: SaidSignals | null,
  tcf: (ReadConsent | null)[] = [],
  gpp: (ReadSection[] | null)[] = [],
) => {
  assert.notEqual(said, null);
  return weighSignals(said as SaidSignals, { tcf, gpp }, now);
};

describe('reading signals', () => {
  it('hears nothing in a request that says nothing', () => {
    for (const regs of [undefined, null, '', {}, [], { ext: null }, { gdpr: null, gpp: '' }])
      assert.equal(say(regs, { user: { id: 'u', age: 30 }, device: { ip: '1.2.3.4' } }), null);
    assert.equal(say({}, { headers: { 'sec-gpc': '0', dnt: '0' } }), null);
  });

  it('takes flags in every spelling callers use', () => {
    for (const yes of [1, '1', true, 'true', 'TRUE', 'yes'])
      assert.equal(say({ gdpr: yes })?.gdpr, true);
    for (const no of [0, '0', false, 'false', 'no']) assert.equal(say({ gdpr: no })?.gdpr, false);
    for (const odd of ['${GDPR}', 2, {}, 'maybe']) {
      const said = say({ gdpr: odd });
      assert.equal(said?.gdpr, null);
      assert.deepEqual(said.problems, ['gdpr: neither 0 nor 1']);
    }
    // The stricter of two that disagree.
    assert.equal(say({ gdpr: 0, ext: { gdpr: 1 } })?.gdpr, true);
    assert.equal(say({ gdpr: 1, ext: { gdpr: 0 } })?.gdpr, true);
  });

  it('names what is not of its kind, and takes what cannot be read for an objection', () => {
    for (const regs of ['gdpr=1', '{"gdpr":1}', 7, true, [{ gdpr: 1 }]]) {
      const decision = weigh(say(regs));
      assert.deepEqual(decision.problems, ['regs: not an object']);
      assert.deepEqual(decision.signals, ['sale_opt_out']);
    }
    const odd = say({ gpp: {}, us_privacy: 1, gpp_sid: 'all', coppa: 'maybe', gpc: [2] });
    assert.deepEqual(odd?.problems, [
      'gpp: not text',
      'us_privacy: not text',
      'gpp_sid: not a list of numbers',
      'gpc: neither 0 nor 1',
      'coppa: neither 0 nor 1',
    ]);
    const tcf = say({ gdpr: 1, tcf: { purposes: [1] } });
    assert.deepEqual([tcf?.tcf, tcf?.problems], [[''], ['tcf: not text']]);
    assert.equal(deniedBy(weigh(tcf, [null]).permissions).length, 7);
  });

  it('finds strings in their OpenRTB places, and leaves out what a template did not fill in', () => {
    assert.deepEqual(say({}, { user: { consent: 'CAAA' } })?.tcf, ['CAAA']);
    assert.deepEqual(say({}, { user: { ext: { consent: 'CAAA' } } })?.tcf, ['CAAA']);
    assert.deepEqual(say({ tcf: 'CAAA', gdpr_consent: 'CBBB' })?.tcf, ['CAAA', 'CBBB']);
    const said = say({ ext: { us_privacy: '1YNN', gpp: 'DBAA~x', gpp_sid: [2, 7] } });
    assert.deepEqual(
      [said?.usPrivacy, said?.gpp, said?.gppSections],
      [['1YNN'], ['DBAA~x'], [2, 7]],
    );
    assert.deepEqual(say({ gpp: 'D', gpp_sid: '7,8' })?.gppSections, [7, 8]);
    assert.deepEqual(say({ gpp: 'D', gpp_sid: 6 })?.gppSections, [6]);
    assert.equal(say({ gdpr_consent: '${GDPR_CONSENT_755}', us_privacy: '{{us_privacy}}' }), null);
  });

  it('keeps of a string that is far too long only that it was sent', () => {
    const said = say({ gdpr: 1, tcf: 'C'.repeat(100_000), gpp: 'D'.repeat(100_000) });
    assert.deepEqual(said?.tcf, ['']);
    assert.deepEqual(said.problems, ['tcf: too long', 'gpp: too long']);
    assert.deepEqual(weigh(said, [null], [null]).permissions, nothingPersonal);
  });

  it('never fails, whatever is sent', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (regs, user, device) => {
        const said = readSignals({ places: [regs, { gdpr: regs, gpp_sid: user }], user, device });
        if (said !== null)
          weigh(
            said,
            said.tcf.map(() => null),
            said.gpp.map(() => null),
          );
      }),
    );
  });
});

describe('weighing signals', () => {
  const denied = (decision: ReturnType<typeof weigh>): readonly string[] =>
    deniedBy(decision.permissions);
  const all = deniedBy(nothingPersonal);

  it('asks for consent where the law applies, and takes none it cannot read', () => {
    assert.deepEqual(denied(weigh(say({ gdpr: 1 }))), all);
    assert.deepEqual(denied(weigh(say({ gdpr: 0 }))), []);
    assert.deepEqual(denied(weigh(say({ gdpr: 1, tcf: 'x' }), [null])), all);
    assert.deepEqual(weigh(say({ gdpr: 1, tcf: 'x' }), [null]).problems, ['tcf: not readable']);
    // Where it does not apply nobody asks.
    assert.deepEqual(denied(weigh(say({ gdpr: 0, tcf: 'x' }), [null])), []);
    assert.deepEqual(denied(weigh(say({ tcf: 'x' }), [agreedTo(1, 2, 3, 4, 7, 10)])), []);
    assert.deepEqual(denied(weigh(say({ tcf: 'x' }), [agreedTo(2)])), [
      'personal_choice',
      'user_reports',
      'identity_links',
      'conversion_matching',
      'query_storage',
      'advertiser_sharing',
    ]);
  });

  it('takes no consent that is older than thirteen months, of another version or from the future', () => {
    const every = [1, 2, 3, 4, 7, 10];
    for (const [change, problem] of [
      [{ updatedAt: now - 400 * 86_400_000 }, 'tcf: expired'],
      [{ updatedAt: now + 3 * 86_400_000 }, 'tcf: from the future'],
      [{ version: 1 }, 'tcf: version 1'],
    ] as const) {
      const decision = weigh(say({ gdpr: 1, tcf: 'x' }), [{ ...agreedTo(...every), ...change }]);
      assert.deepEqual(denied(decision), all);
      assert.deepEqual(decision.problems, [problem]);
    }
  });

  it('lets the publisher’s own question stand for a string, and narrow what a string allows', () => {
    const own = (consent: unknown) => say({ gdpr: 1 }, { user: { consent } });
    assert.deepEqual(denied(weigh(own(true))), []);
    assert.deepEqual(denied(weigh(own(false))), all);
    assert.deepEqual(denied(weigh(own({ frequency_capping: true, measurement: 1 }))), [
      'personal_choice',
      'identity_links',
      'query_storage',
      'advertiser_sharing',
    ]);
    const narrowed = say({ tcf: 'x' }, { user: { consent: { personalization: false } } });
    assert.deepEqual(denied(weigh(narrowed, [agreedTo(1, 2, 3, 4, 7, 10)])), [
      'personal_choice',
      'identity_links',
    ]);
    assert.deepEqual(
      denied(weigh(say({ tcf: 'x' }, { user: { consent: true } }), [agreedTo()])),
      all,
      'a yes of the publisher does not undo the string',
    );
  });

  it('knows the letters of us_privacy', () => {
    for (const text of ['1YNN', '1---', '1NN-', '1-N-'])
      assert.deepEqual(denied(weigh(say({ us_privacy: text }))), [], text);
    for (const text of ['1YYN', '1NY-', '1yy-'])
      assert.deepEqual(weigh(say({ us_privacy: text })).signals, ['sale_opt_out'], text);
    for (const text of ['2YYN', 'YYYY', '1', '1YYNN']) {
      const decision = weigh(say({ us_privacy: text }));
      assert.deepEqual(decision.problems, ['us_privacy: not readable']);
      assert.deepEqual(decision.signals, ['sale_opt_out'], 'it may have said no');
    }
  });

  it('takes the sections of a GPP string that apply, and the stricter where it cannot be read', () => {
    const sections: ReadSection[] = [
      { id: 2, consent: agreedTo(1, 2) },
      { id: 7, saleOptOut: true },
      { id: 8, gpc: true, child: true },
    ];
    const of = (sid: unknown, read: ReadSection[] | null = sections) =>
      weigh(say({ gpp: 'x', gpp_sid: sid }), [], [read]);
    assert.deepEqual(of([2]).signals, ['consent_asked']);
    assert.deepEqual(of([7]).signals, ['sale_opt_out']);
    assert.deepEqual(of([8]).signals, ['gpc', 'minor']);
    assert.deepEqual(of([-1]).signals, []);
    for (const all of [undefined, [0]])
      assert.deepEqual(of(all).signals, ['consent_asked', 'sale_opt_out', 'gpc', 'minor']);
    assert.deepEqual(of([2], []).problems, ['gpp section 2: not readable']);
    assert.deepEqual(of([2], null).signals, ['consent_asked']);
    assert.deepEqual(of(undefined, null).signals, ['sale_opt_out']);
    // That the law applies is said twice, and once is enough.
    const both = weigh(say({ gdpr: 0, gpp: 'x', gpp_sid: [2] }), [], [sections]);
    assert.deepEqual(both.signals, ['consent_asked']);
  });
});

describe('the shape of a consent string', () => {
  const bits = (text: string): string =>
    Buffer.from(
      (text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)),
    ).toString('base64url');
  const number = (value: number, length: number): string => value.toString(2).padStart(length, '0');

  it('is refused when it names more vendors than there can be', () => {
    const ranges = (count: number, last: number): string =>
      bits(
        '0'.repeat(vendorsAt.europe) +
          number(last, 16) +
          '1' +
          number(count, 12) +
          `1${number(1, 16)}${number(last, 16)}`.repeat(count),
      );
    assert.equal(hasSaneVendors(ranges(1, 1500), vendorsAt.europe), true);
    assert.equal(hasSaneVendors(ranges(200, 65_535), vendorsAt.europe), false);
    fc.assert(
      fc.property(fc.base64String(), (text) => {
        hasSaneVendors(text, vendorsAt.europe);
        hasSaneSections(text);
      }),
    );
  });

  it('is refused when its header names more sections than there can be', () => {
    const head = (ids: string): string => bits(`${number(3, 6)}${number(1, 6)}${ids}`);
    // One section: 7 is 2 + 5 in Fibonacci numbers.
    assert.equal(hasSaneSections(head(`${number(1, 12)}0` + '01011')), true);
    assert.equal(hasSaneSections(head(`${number(1, 12)}1` + '011' + `${'0'.repeat(60)}11`)), false);
  });
});
