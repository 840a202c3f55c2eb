import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Rows of the page's tables of attacks: attack, defence, test. */
function attackRows(): { attack: string; defence: string; test: string }[] {
  const rows = [];
  let inside = false;
  for (const line of readFileSync(join(root, 'docs/security.md'), 'utf8').split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim());
    if (!line.startsWith('|')) inside = false;
    else if (cells[1] === 'attack') inside = true;
    else if (inside && !/^-+$/.test(cells[1] ?? ''))
      rows.push({ attack: cells[1] ?? '', defence: cells[2] ?? '', test: cells[3] ?? '' });
  }
  return rows;
}

describe('docs/security.md', () => {
  it('names for every attack a defence and tests that exist', () => {
    for (const { attack, defence, test } of attackRows()) {
      assert.notEqual(defence, '', attack);
      const [, ...files] = test.split(/`(?=[a-z])/);
      assert.ok(files.length > 0, `no test named for: ${attack}`);
      for (const named of files) {
        const [file = '', titles = ''] = named.split('`');
        assert.ok(existsSync(join(root, file)), `${file}, named for: ${attack}`);
        const source = readFileSync(join(root, file), 'utf8');
        const told = titles.split('“').slice(1);
        assert.ok(told.length > 0, `no test of ${file} named for: ${attack}`);
        for (const title of told)
          assert.ok(source.includes(title.split('”')[0] ?? ''), `“${title}, for: ${attack}`);
      }
    }
  });
});
