import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `NAME=value` lines of a .env file in the folder, if there is one. The environment wins over it.
 */
export function readDotEnv(folder: string): Record<string, string> {
  const path = join(folder, '.env');
  if (!existsSync(path)) return {};
  const values: Record<string, string> = {};
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const match = /^\s*([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line);
    if (match?.[1] !== undefined)
      values[match[1]] = (match[2] ?? '').replace(/^(["'])(.*)\1$/, '$2');
  }
  return values;
}
