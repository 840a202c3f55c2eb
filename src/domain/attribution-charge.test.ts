import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isChargedConversion } from './attribution-charge.js';

test('a campaign with a conversion type pays for that type only, ignoring case', () => {
  assert.equal(isChargedConversion('purchase', 'Purchase'), true);
  assert.equal(isChargedConversion('Lead', 'Purchase'), false);
  assert.equal(isChargedConversion('AddToCart', 'addtocart'), true);
});

test('a campaign without one pays for conversions, not for steps towards them', () => {
  assert.equal(isChargedConversion('Purchase', null), true);
  assert.equal(isChargedConversion('My own event', ''), true);
  assert.equal(isChargedConversion('AddToCart', null), false);
  assert.equal(isChargedConversion('InitiateCheckout', null), false);
});
