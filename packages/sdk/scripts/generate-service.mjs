// Writes the types of what the service takes and answers from its own description, so that they
// cannot drift from it. Usage: node packages/sdk/scripts/generate-service.mjs [openapi.json]
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { defaultsOptional, jsonSchema, resolve, typeOf } from './generate-reporting.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, '../src/generated/service.ts');
const described = join(here, '../../../docs/api/openapi.json');

/** Name, operation, what of it: the body that is sent, or the answer of a status. */
const shapes = [
  ['AdRequestBody', 'post', '/api/v1/ad', 'body'],
  ['ServedAds', 'post', '/api/v1/ad', '200'],
  ['ViewableBody', 'post', '/track/viewable', 'body'],
  ['AdFeedbackBody', 'post', '/ad-feedback', 'body'],
  ['LeadBody', 'post', '/api/v1/lead', 'body'],
  ['ToolSearchBody', 'post', '/search', 'body'],
  ['ToolSearchAnswer', 'post', '/search', '200'],
  ['CategoriesAnswer', 'get', '/categories', '200'],
  ['ProductSearchBody', 'post', '/shop/search', 'body'],
  ['ProductSearchAnswer', 'post', '/shop/search', '200'],
  ['ConversionsAnswer', 'post', '/gateway/events', '200'],
];

export function generateService(api) {
  const types = shapes.map(([name, method, path, part]) => {
    const operation = api.paths?.[path]?.[method];
    if (operation === undefined) throw new Error(`nothing is described at ${method} ${path}`);
    const schema = jsonSchema(
      resolve(api, part === 'body' ? operation.requestBody : operation.responses[part]),
    );
    const shown = part === 'body' ? defaultsOptional(api, schema) : schema;
    return `/** ${operation.summary ?? path}: ${part === 'body' ? 'what is sent' : 'what comes back'}. */\nexport type ${name} = ${typeOf(api, shown, 0)};\n`;
  });
  return [
    '// Generated from docs/api/openapi.json by scripts/generate-service.mjs. Do not edit.',
    '',
    ...types,
  ].join('\n');
}

/** Brings the types up to date with a description; says whether that changed them. */
export function writeService(api) {
  const text = generateService(api);
  const same = existsSync(target) && readFileSync(target, 'utf8') === text;
  if (!same) writeFileSync(target, text);
  return !same;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const source = process.argv[2] ?? described;
  if (writeService(JSON.parse(readFileSync(source, 'utf8'))))
    process.stdout.write('service types written\n');
}
