// Where the service is and the key to use: from the environment, else from what a local server
// wrote at its first start.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function readDemo(environment = process.env) {
  const { SIDELIGHT_URL: baseUrl, SIDELIGHT_KEY: apiKey } = environment;
  if (baseUrl && apiKey) return { baseUrl, apiKey };
  const file = join(
    environment.DATA_DIR ?? new URL('../data', import.meta.url).pathname,
    'demo.json',
  );
  if (!existsSync(file))
    throw new Error(
      `No ${file}: start the server with "npm start", or set SIDELIGHT_URL and SIDELIGHT_KEY.`,
    );
  const demo = JSON.parse(readFileSync(file, 'utf8'));
  return { baseUrl: baseUrl ?? demo.base_url, apiKey: apiKey ?? demo.publisher.api_key };
}
