import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvLine } from './csv.js';

test('any text reads back as it was, except that a formula gets an apostrophe', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { minLength: 2, maxLength: 6 }),
      (values) => {
        const [row] = parse(csvLine(values), {
          relax_column_count: true,
          record_delimiter: '\r\n',
        });
        assert.deepEqual(
          row,
          values.map((value) => (/^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value)),
        );
      },
    ),
  );
});

test('numbers are never taken for formulas, and nothing is an empty cell', () => {
  assert.equal(
    csvLine([-1.5, true, null, undefined, '=1+1', '-a', 'a"b']),
    `-1.5,true,,,'=1+1,'-a,"a""b"\r\n`,
  );
});
