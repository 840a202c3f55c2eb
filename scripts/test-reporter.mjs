// Quiet reporter for `npm test`: a line for every failure as it happens, and the totals, the failed
// files and each failure in full to a file.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default async function* report(source) {
  let passed = 0;
  const failures = [];
  const skipped = [];
  for await (const { type, data } of source) {
    const isTest = data?.details?.type !== 'suite' && !isFile(data);
    if (type === 'test:pass') {
      if (data.skip !== undefined) skipped.push(data.name);
      else if (isTest && data.todo === undefined) passed += 1;
    } else if (type === 'test:fail' && data.todo === undefined) {
      // A suite or file fails with its tests, which are counted; it counts itself only when it
      // broke on its own.
      const own = data.details?.error?.failureType !== 'subtestsFailed';
      if (isTest || own) {
        failures.push(describe(data));
        yield `FAILED ${data.name} (${placeOf(data)})\n`;
      }
    } else if (type === 'test:stderr' || type === 'test:stdout') {
      yield data.message;
    }
  }
  if (skipped.length > 0) yield `skipped: ${skipped.join('; ')}\n`;
  // A file, because the runner may be forced to exit before a message is delivered.
  if (process.env.SIDELIGHT_TEST_TOTALS)
    writeFileSync(process.env.SIDELIGHT_TEST_TOTALS, JSON.stringify({ passed, failures }));
}

function isFile(data) {
  return data?.nesting === 0 && typeof data?.name === 'string' && data.name.endsWith('.test.js');
}

function placeOf({ file, line, name }) {
  const place = file ?? name;
  return `${relative(process.cwd(), place)}${line === undefined ? '' : `:${line}`}`;
}

function describe(data) {
  const error = data.details?.error;
  const cause = error?.cause ?? error;
  return {
    place: placeOf(data),
    text: `FAILED ${data.name} (${placeOf(data)})\n${cause?.stack ?? String(cause ?? error)}\n`,
  };
}
