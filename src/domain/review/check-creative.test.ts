import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkCreative, checkForm } from './check-creative.js';
import type { Creative } from './creative.js';

const page = 'https://www.trailshoes.example/run';
const plain: Creative = {
  title: 'Light running shoes',
  adText: 'Try them for thirty days, money-back guarantee.',
  cta: 'See shoes',
  brandName: 'Trail Shoes',
  url: page,
};
const found = (changes: Partial<Creative>, level: 'block' | 'flag'): string[] =>
  checkCreative({ ...plain, ...changes }, page)
    .filter((finding) => finding.level === level)
    .map((finding) => finding.rule);

describe('automatic checks of an ad', () => {
  it('say nothing about ordinary ads', () => {
    const ordinary = [
      'CRM and ERP for NASA-grade teams: SOC 2, GDPR, HIPAA.',
      'Cured meats and cheeses, delivered. Free returns within 30 days!',
      'A password manager that stops hackers before they get in.',
      'Invest from $5 a month. Capital at risk.',
      'Compare 40+ travel insurers in 2 minutes; guaranteed best price on hotels.',
      'Learn Python in 12 weeks. No experience needed.',
      'Was $1,299.00, now $899.00 – save 30% today only.',
      'Dein neues Fahrrad: leicht, schnell, günstig!',
      'Fresh mushrooms and a weeknight shot of basil for your kitchen garden.',
    ];
    for (const adText of ordinary)
      assert.deepEqual(checkCreative({ ...plain, adText }, page), [], adText);
  });

  it('stop what must not run without a person', () => {
    const stopped: [string, string][] = [
      ['Our tea cures type 2 diabetes in a month', 'health_claim'],
      ['Reverse early-stage dementia naturally: it reverses dementia', 'health_claim'],
      ['Lose 10kg in just 7 days', 'health_claim'],
      ['Guaranteed monthly returns of 12%', 'money_claim'],
      ['Double your bitcoin today', 'money_claim'],
      ['Congratulations! You have won a phone', 'deceptive_claim'],
      ['Your computer is infected, clean it now', 'deceptive_claim'],
      ['Cheap guns and ammo shipped', 'weapons'],
      ['Xanax without a prescription', 'drugs'],
      ['Buy c0caine online', 'drugs'],
      ['Vape juice in 50 flavours', 'tobacco'],
      ['Hot p\u200born videos', 'adult'],
      ['The best online casino, 200 free spins', 'gambling'],
      ['Replica Rolex from Geneva', 'counterfeit'],
      ['Hack someone’s phone in minutes', 'intrusion'],
      ['Let us write your essay', 'cheating'],
      ['Payday loans in one hour', 'predatory_lending'],
      ['Vote for Smith on Tuesday', 'political'],
      ['BUY THE BEST SHOES TODAY', 'shouting'],
      ['Wow, really?!! !', 'repeated_punctuation'],
    ];
    for (const [adText, rule] of stopped)
      assert.ok(
        found({ adText }, 'block').includes(rule),
        `${adText}: ${found({ adText }, 'block').join()}`,
      );
  });

  it('ask a person to look at what may be fine', () => {
    assert.deepEqual(found({ brandName: 'Other Maker' }, 'flag'), ['brand_domain']);
    assert.deepEqual(found({ url: 'https://elsewhere.example/', brandName: 'Elsewhere' }, 'flag'), [
      'other_site',
    ]);
    assert.deepEqual(found({ adText: 'A crate of natural wine' }, 'flag'), ['alcohol']);
    assert.deepEqual(found({ title: 'x'.repeat(81) }, 'flag'), ['too_long', 'stretched_word']);
    assert.deepEqual(found({ adText: 'Call +49 30 1234567890 now' }, 'flag'), ['phone_number']);
  });

  it('a brand may be the host, part of it, or its initials; not another site', () => {
    for (const brandName of [
      'trailshoes',
      'Trail & Shoes Ltd.',
      'Trailshoes.example',
      'Trailshoes.com',
      'Träil',
    ])
      assert.deepEqual(checkCreative({ ...plain, brandName }, page), [], brandName);
    assert.deepEqual(
      checkCreative(
        { ...plain, brandName: 'Big Apple Bank', url: 'https://bab.example/' },
        'https://bab.example/',
      ),
      [],
    );
    assert.deepEqual(found({ brandName: 'google.com' }, 'block'), ['foreign_domain']);
  });

  it('stop forms that ask for secrets', () => {
    const form = {
      title: 'Hello',
      fields: [{ label: 'Your e-mail' }],
      privacy_policy_url: 'https://x.example',
    };
    assert.deepEqual(checkForm(form), []);
    assert.deepEqual(
      checkForm({ ...form, fields: [{ label: 'Card number' }] }).map((finding) => finding.rule),
      ['asks_secrets'],
    );
    assert.deepEqual(
      checkForm({ title: 'Hello', fields: [{ label: 'Name' }] }).map((finding) => finding.rule),
      ['no_privacy_policy'],
    );
  });
});
