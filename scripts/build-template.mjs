// Makes build/template-<checksum>.tar when the migrations changed, so that a first start is quick.
// Part of the build.
import { fileURLToPath } from 'node:url';

export async function buildTemplate() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { ensureTemplate } = await import('../build/src/platform/db/template.js');
  return ensureTemplate(`${root}build`, `${root}migrations`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${await buildTemplate()}\n`);
