// Quiet reporter for `npm test`: a dot per file, every failure in full, totals to a file.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default async function* report(source) {
  let passed = 0;
  let failed = 0;
  const skipped = [];
  const slow = [];
  for await (const { type, data } of source) {
    const isTest = data?.details?.type !== 'suite' && !isFile(data);
    if (type === 'test:pass') {
      if (isFile(data)) slow.push([data.details.duration_ms, data.name]);
      else if (data.skip !== undefined) skipped.push(data.name);
      else if (isTest && data.todo === undefined) passed += 1;
    } else if (type === 'test:fail' && data.todo === undefined) {
      // A suite or file fails with its tests, which are counted; it counts itself only when it
      // broke on its own.
      const own = data.details?.error?.failureType !== 'subtestsFailed';
      if (isTest || own) {
        failed += 1;
        yield describe(data);
      }
    } else if (type === 'test:stderr' || type === 'test:stdout') {
      yield data.message;
    }
  }
  if (skipped.length > 0) yield `skipped: ${skipped.join('; ')}\n`;
  slow.sort((a, b) => b[0] - a[0]);
  if (slow.length > 5)
    yield `slowest files: ${slow
      .slice(0, 5)
      .map(([ms, name]) => `${relative(process.cwd(), name)} ${(ms / 1000).toFixed(1)} s`)
      .join(', ')}\n`;
  // A file, because the runner may be forced to exit before a message is delivered.
  if (process.env.SIDELIGHT_TEST_TOTALS)
    writeFileSync(process.env.SIDELIGHT_TEST_TOTALS, JSON.stringify({ passed, failed }));
}

function isFile(data) {
  return data?.nesting === 0 && typeof data?.name === 'string' && data.name.endsWith('.test.js');
}

function describe(data) {
  const error = data.details?.error;
  const cause = error?.cause ?? error;
  const where = data.file ? ` (${relative(process.cwd(), data.file)}:${data.line ?? ''})` : '';
  return `\nFAILED ${data.name}${where}\n${cause?.stack ?? String(cause ?? error)}\n`;
}
