import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTimestamp } from './format-timestamp.js';

test('a timestamp is UTC in whole seconds without an offset', () => {
  assert.equal(formatTimestamp(Date.UTC(2026, 10, 15, 9, 30, 0, 999)), '2026-11-15T09:30:00');
});
