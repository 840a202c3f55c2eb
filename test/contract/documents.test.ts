import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { settingTable } from '../../src/config.js';
import { errorCodes } from '../../src/platform/errors.js';
import { exampleSettings } from '../../src/platform/settings.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What docs/api/errors.md must say; written with `node scripts/write-docs.mjs`. */
export function errorTable(): string {
  const rows = Object.entries(errorCodes)
    .sort(([, [a]], [, [b]]) => a - b)
    .map(([code, [status, meaning]]) => `| ${status} | \`${code}\` | ${meaning} |`);
  return `| status | code | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

describe('documents made from code', () => {
  it('.env.example lists every setting', () => {
    assert.equal(readFileSync(join(root, '.env.example'), 'utf8'), exampleSettings(settingTable));
  });

  it('the error page lists every code', () => {
    assert.ok(readFileSync(join(root, 'docs/api/errors.md'), 'utf8').includes(errorTable()));
  });
});
