import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scriptElements, withoutScripts } from './script-elements.js';

describe('scripts of a page', () => {
  it('are found with what stands in their tag', () => {
    assert.deepEqual(
      scriptElements('<p><SCRIPT type="a">x < y</Script ><script>2</script><scripts>3</scripts>'),
      [
        { attributes: ' type="a"', content: 'x < y' },
        { attributes: '', content: '2' },
      ],
    );
  });

  it('are left out of a text, and what is never closed stays', () => {
    assert.equal(
      withoutScripts('a<style>b</style>c<script>d</script>e<script>f'),
      'a c e<script>f',
    );
  });

  it('cost one pass, however many are never closed', () => {
    // A second look at the rest for each of them would take minutes.
    assert.deepEqual(scriptElements('<script '.repeat(400_000)), []);
    assert.deepEqual(scriptElements('<script>'.repeat(400_000)), []);
    assert.equal(withoutScripts('<style>'.repeat(400_000)).length, 2_800_000);
  });
});
