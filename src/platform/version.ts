import { readFileSync } from 'node:fs';

/** The version of package.json: what the API description and MCP clients are told. */
export const serverVersion = String(
  (
    JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      version: string; // npm does without a package that has none
    }
  ).version,
);
