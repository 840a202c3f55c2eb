import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { loadAddressRanges } from './address-ranges.js';

describe('a file of address ranges', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-ranges-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const load = (text: string) => {
    writeFileSync(join(folder, 'ranges'), text);
    return loadAddressRanges(join(folder, 'ranges'));
  };

  it('tells what it lists from what it does not', () => {
    const isListed = load('# a cloud\r\n52.95.0.0/16 # region\n\n2600:1f00::/24\n9.9.9.9');
    assert.deepEqual(
      ['52.95.110.1', '2600:1f14::1', '9.9.9.9', '52.96.0.1', '2600:2000::1', '9.9.9.10'].map(
        isListed,
      ),
      [true, true, true, false, false, false],
    );
    assert.equal(loadAddressRanges('')('52.95.110.1'), false);
  });

  it('is refused with the line that is wrong', () => {
    for (const wrong of ['example.com', '10.0.0.0/99', '300.1.1.1'])
      assert.throws(() => load(`10.0.0.0/8\n${wrong}`), /line 2: not an address/);
  });
});
