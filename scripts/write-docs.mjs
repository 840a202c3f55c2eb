// Writes what is made from code: .env.example, the table of docs/api/errors.md,
// docs/api/openapi.json, the SDK's reporting clients and types, and tables about privacy.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeReporting } from '../packages/sdk/scripts/generate-reporting.mjs';
import { writeService } from '../packages/sdk/scripts/generate-service.mjs';
import { buildAll } from './build.mjs';

await buildAll();
const { settingTable } = await import('../build/src/config.js');
const { exampleSettings } = await import('../build/src/platform/settings.js');
const { errorCodes } = await import('../build/src/platform/errors.js');
const at = (path) => new URL(`../${path}`, import.meta.url);

/** What stands between two marks of a page, which is formatted as every page is. */
async function writePart(path, mark, text) {
  const { format, resolveConfig } = await import('prettier');
  const page = readFileSync(at(path), 'utf8');
  const [start, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const [before, rest] = page.split(start);
  const [, after] = rest.split(end);
  const options = { ...(await resolveConfig(fileURLToPath(at(path)))), parser: 'markdown' };
  const whole = `${before}${start}\n\n${text}\n\n${end}${after}`;
  writeFileSync(at(path), await format(whole, options));
}

writeFileSync(at('.env.example'), exampleSettings(settingTable));
const rows = Object.entries(errorCodes)
  .sort(([, [a]], [, [b]]) => a - b)
  .map(([code, [status, meaning]]) => `| ${status} | \`${code}\` | ${meaning} |`);
const intro = existsSync(at('docs/api/errors.md'))
  ? readFileSync(at('docs/api/errors.md'), 'utf8').split('| status | code')[0]
  : '# Errors\n\n';
writeFileSync(
  at('docs/api/errors.md'),
  `${intro}| status | code | meaning |\n|---|---|---|\n${rows.join('\n')}\n`,
);
const { matrixPage } = await import('../build/src/domain/privacy/decision-table.js');
const { recordsPage } = await import('../build/src/domain/privacy/personal-columns.js');
await writePart('docs/privacy.md', 'matrix', matrixPage());
await writePart('docs/records.md', 'records', recordsPage());
if (existsSync(at('build/test/support/write-openapi.js'))) {
  const { openApiDocument } = await import('../build/test/support/write-openapi.js');
  const api = await openApiDocument();
  writeFileSync(at('docs/api/openapi.json'), `${JSON.stringify(api, null, 2)}\n`);
  writeReporting(JSON.parse(JSON.stringify(api)));
  writeService(JSON.parse(JSON.stringify(api)));
}
mkdirSync(at('catalog/vectors'), { recursive: true });
for (const name of ['topic-vectors.bin', 'tool-vectors.bin'])
  if (existsSync(at(`build/${name}`)))
    copyFileSync(at(`build/${name}`), at(`catalog/vectors/${name}`));
process.stdout.write('documents written\n');
process.exit(0);
