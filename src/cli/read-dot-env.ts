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
    const [name = '', ...rest] = line.split('=');
    if (rest.length > 0 && /^[A-Z][A-Z0-9_]*$/.test(name.trim()))
      values[name.trim()] = withoutQuotes(rest.join('=').trim());
  }
  return values;
}

function withoutQuotes(text: string): string {
  const [quote] = text;
  const isQuoted = (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote);
  return isQuoted ? text.slice(1, -1) : text;
}
