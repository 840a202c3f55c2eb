import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openedToSync } from './disk.js';

test('files are opened to be written where only such are synced, and folders left to the system', () => {
  for (const system of ['linux', 'darwin'] as const)
    assert.deepEqual([openedToSync(false, system), openedToSync(true, system)], ['r', 'r']);
  assert.deepEqual([openedToSync(false, 'win32'), openedToSync(true, 'win32')], ['r+', null]);
});
