import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { deepestJson, isTooDeep } from './json-depth.js';

function depthOf(value: unknown): number {
  return typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;
}

describe('the depth of a JSON text', () => {
  it('is what a walk over the value finds', () => {
    const nested = fc
      .tuple(fc.integer({ min: 95, max: 105 }), fc.boolean(), fc.string())
      .map(([depth, asList, text]) => {
        let value: unknown = [text, '"[[{{', '\\'];
        for (let at = 1; at < depth; at += 1) value = asList ? [value, {}] : { '{"': value };
        return value;
      });
    fc.assert(
      fc.property(fc.oneof(nested, fc.jsonValue()), (value) => {
        assert.equal(isTooDeep(JSON.stringify(value)), depthOf(value) > deepestJson);
      }),
    );
  });

  it('is not mistaken for that of brackets inside strings', () => {
    assert.equal(isTooDeep(JSON.stringify({ text: '['.repeat(5000) })), false);
    assert.equal(isTooDeep('['.repeat(500_000)), true);
  });
});
