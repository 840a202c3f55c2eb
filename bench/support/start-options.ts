import { readFileSync } from 'node:fs';

const manifest: { scripts: { start: string } } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);

/** The options of Node that `npm start` gives the server. */
export const startOptions = manifest.scripts.start
  .split(' ')
  .filter((word) => word.startsWith('--'));

/** What `npm start` tells the C library. */
export const startSettings: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(manifest.scripts.start.matchAll(/\$\{(\w+)=(\d+)\}/g), ([, name = '', value = '']) => [
    name,
    value,
  ]),
);
