import { Ajv2020 } from 'ajv/dist/2020.js';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { settingTable } from '../../src/config.js';
import { errorCodes } from '../../src/platform/errors.js';
import { exampleSettings } from '../../src/platform/settings.js';
import { type OpenApi, routesOf } from '../../src/surfaces/docs/render-reference.js';

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

  it('every route has an example that its own schemas accept', () => {
    // Written from the running server by `node scripts/write-docs.mjs`.
    const document = JSON.parse(
      readFileSync(join(root, 'docs/api/openapi.json'), 'utf8'),
    ) as OpenApi;
    const ajv = new Ajv2020({ strict: false, logger: false });
    ajv.addSchema({ ...document, $id: 'https://api.example/' });
    const wrong: string[] = [];
    const check = (what: string, pointer: readonly string[], value: unknown): void => {
      const path = pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
      const $ref = `https://api.example/#/${path.map(encodeURIComponent).join('/')}`;
      if (!ajv.validate({ $ref }, value)) wrong.push(`${what}: ${ajv.errorsText()}`);
    };
    const routes = routesOf(document);
    for (const route of routes) {
      const place = ['paths', route.path, route.method.toLowerCase()];
      const name = `${route.method} ${route.path}`;
      const json = ['content', 'application/json', 'schema'];
      if (route.body !== undefined)
        check(`${name} request`, [...place, 'requestBody', ...json], route.body);
      if (route.answer !== null)
        check(`${name} answer`, [...place, 'responses', route.status, ...json], route.answer.value);
      assert.doesNotMatch(route.url, /[{}]/, name);
    }
    assert.deepEqual(wrong, []);
    assert.ok(routes.length > 150, `${routes.length} routes`);
  });
});
